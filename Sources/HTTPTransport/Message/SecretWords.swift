/// The words by which the names of headers, fields and query items tell that their values are secret.
package enum SecretWords {
    /// Ends of names and of words: `AuthToken`, `X-CSRFToken`, `db_password`. No other English words end in these.
    package static let endings = [
        "token", "secret", "password", "passwd", "passphrase", "pwd", "passcode", "mnemonic", "jwt", "apikey",
        "signature", "sessionid",
    ]

    /// Words before `code` that make it one for a single use.
    package static let codes = [
        "2fa", "access", "activation", "auth", "authentication", "authorization", "backup", "confirmation", "device",
        "invite", "login", "magic", "mfa", "otp", "recovery", "security", "sms", "twofactor", "user", "verification",
    ]

    /// Words before `key` with which it gives no access: it is public, or a place in a store.
    package static let harmlessKeys: Set<String> = [
        "cache", "dedup", "deduplication", "group", "idempotency", "message", "object", "partition", "partitionkey",
        "primary", "public", "publishable", "routing", "shard", "sharding", "sort", "surrogate", "websocket",
    ]

    /// Words before `key` in the names of fields with which it identifies a record. A header of such a name may have a
    /// credential.
    package static let recordKeys = [
        "foreign", "issue", "item", "natural", "parent", "project", "range", "row", "s3", "translation", "unique",
    ]

    /// Words before `token` in the names of fields with which it is a position in a list.
    package static let harmlessTokens = [
        "continuation", "cursor", "delta", "next", "page", "prev", "previous", "resume", "skip", "start", "sync",
    ]
}
