import Basics

/// The rule by which the name of a header tells that its value is secret: by its words, which are separated by `-` or
/// `_`.
enum SecretHeaderRule {
    /// Words of which one is enough.
    private static let words: Set<String> = [
        "token", "secret", "authorization", "authentication", "auth", "oauth", "jwt", "jws", "assertion", "bearer",
        "session", "sessionid", "sid", "cookie", "cookie2", "credential", "credentials", "otp", "totp", "mfa", "2fa",
        "passphrase", "password", "passwd", "passcode", "pwd", "pin", "signature", "signatures", "hmac", "csrf", "xsrf",
        "apikey", "accesskey", "secretkey", "dpop", "saml",
    ]

    /// Ends of words, for names whose words are written together: `AuthToken`, `X-CSRFToken`.
    private static let endings = ["token", "secret", "password", "passphrase", "apikey", "signature", "sessionid"]

    /// Words before `code` that make it one for a single use.
    private static let codes: Set<String> = [
        "access", "activation", "authorization", "backup", "confirmation", "device", "invite", "login", "magic",
        "recovery", "security", "sms", "user", "verification",
    ]

    /// Last words of names that describe a secret, but do not have it: `X-Token-Type`, `Signature-Input`.
    private static let descriptions: Set<String> = [
        "type", "types", "expires", "expiry", "expiration", "in", "at", "on", "ttl", "age", "date", "timestamp", "time",
        "timeout", "duration", "lifetime", "usage", "count", "limit", "remaining", "reset", "used", "length", "status",
        "result", "results", "error", "message", "version", "algorithm", "alg", "scheme", "method", "methods", "mode",
        "name", "input", "agent", "scope", "scopes", "issuer", "realm", "uri", "url", "endpoint", "location",
        "required", "enabled", "supported", "policy", "provider", "level", "region", "control",
    ]

    /// Words before `key` with which it gives no access.
    private static let harmlessKeys: Set<String> = [
        "idempotency", "cache", "surrogate", "partition", "partitionkey", "routing", "sort", "primary", "public",
        "publishable", "group", "object", "message", "dedup", "deduplication", "websocket", "sharding", "shard",
    ]

    /// Names with other rules: answers to a preflight, offers of what is accepted, and web sockets.
    private static let harmlessBeginnings: [[String]] = [
        ["access", "control"], ["accept"], ["want"], ["sec", "websocket"],
    ]

    /// Whether the name, in lower case, is one of a secret.
    static func isSecret(_ name: String) -> Bool {
        let parts = name.split { $0 == "-" || $0 == "_" }.map(String.init)
        guard let last = parts.last, !harmlessBeginnings.contains(where: { parts.starts(with: $0) }) else {
            return false
        }
        let before = parts.dropLast().last
        switch last {
        case "key", "keys": return before.map { !harmlessKeys.contains($0) } ?? true
        case "code", "codes": if let before, codes.contains(before) { return true }
        default: break
        }
        guard parts.contains(where: isSecret(word:)) else { return false }
        return parts.count == 1 || !descriptions.contains(last)
    }

    private static func isSecret(word: String) -> Bool {
        words.contains(word) || endings.contains { word.hasSuffix($0) }
    }
}
