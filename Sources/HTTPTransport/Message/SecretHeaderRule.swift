import Basics

/// The rule by which the name of a header tells that its value is secret: by its words, which are separated by `-` or
/// `_`.
enum SecretHeaderRule {
    /// Words of which one is enough, as is one with such an end as ``SecretWords/endings``.
    private static let words: Set<String> = [
        "authorization", "authentication", "auth", "oauth", "jws", "assertion", "bearer", "session", "sid", "cookie",
        "cookie2", "credential", "credentials", "otp", "totp", "mfa", "2fa", "pin", "signatures", "hmac", "csrf",
        "xsrf",
        "accesskey", "secretkey", "dpop", "saml",
    ]

    /// Last words of names that describe a secret, but do not have it: `X-Token-Type`, `Signature-Input`.
    private static let descriptions: Set<String> = [
        "type", "types", "expires", "expiry", "expiration", "in", "at", "on", "ttl", "age", "date", "timestamp", "time",
        "timeout", "duration", "lifetime", "usage", "count", "limit", "remaining", "reset", "used", "length", "status",
        "result", "results", "error", "message", "version", "algorithm", "alg", "scheme", "method", "methods", "mode",
        "name", "input", "agent", "scope", "scopes", "issuer", "realm", "uri", "url", "endpoint", "location",
        "required", "enabled", "supported", "policy", "provider", "level", "region", "control",
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
        let before = parts.dropLast()
        switch last {
        case "key", "keys": return before.last.map { !SecretWords.harmlessKeys.contains($0) } ?? true
        case "code", "codes": if SecretWords.codes.contains(where: before.joined().hasSuffix) { return true }
        default: break
        }
        guard parts.contains(where: isSecret(word:)) else { return false }
        return parts.count == 1 || !descriptions.contains(last)
    }

    private static func isSecret(word: String) -> Bool {
        words.contains(word) || SecretWords.endings.contains { word.hasSuffix($0) }
    }
}
