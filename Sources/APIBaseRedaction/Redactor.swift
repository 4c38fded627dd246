import Basics
import HTTPTransport

/// Removes secrets from messages by their names and places, and remembers them in ``secrets``, to remove repetitions.
package struct Redactor {
    package let names: SecretNames
    package private(set) var secrets = Secrets()
    private let removesKnown: Bool

    /// - Parameters:
    ///   - redaction: The names of secrets.
    ///   - secretHeaders: Additional names of headers that a request declares secret.
    ///   - removesKnown: Whether each text is also without the values that have been found before. They are removed
    ///     first, since a part of one may have a secret name.
    package init(
        _ redaction: RedactionRules = .default,
        secretHeaders: Set<String> = [],
        removesKnown: Bool = true
    ) {
        names = SecretNames(redaction, secretHeaders: secretHeaders)
        self.removesKnown = removesKnown
    }

    /// Returns the decompressed body of a message without its secrets. `type` is the value of `Content-Type`.
    package mutating func redacted(_ body: Data, type: String) -> Data { edited(body, type: type) ?? body }

    /// The same; nil if the body contains none.
    package mutating func edited(_ body: Data, type: String) -> Data? {
        let original = Array(body)
        let clean = removesKnown ? secrets.removed(fromBody: original) : nil
        let redacted = names.redactedBody(original, type: type)
        remember(redacted?.found ?? [])
        let result = clean.map { names.redactedBody($0, type: type)?.bytes ?? $0 } ?? redacted?.bytes
        return result.map { Data($0) }
    }

    /// Returns a text without its secrets: a URL, the value of a header, a comment.
    package mutating func redacted(_ text: String) -> String {
        let clean = removesKnown ? secrets.removed(from: text) : text
        let redacted = names.redactedText(text)
        remember(redacted?.found ?? [])
        return clean == text ? redacted?.text ?? text : names.withoutSecrets(clean)
    }

    /// Returns the value of a header without its secrets.
    package mutating func redacted(_ value: String, ofHeader name: String) -> String {
        guard names.hasHeader(name) else { return redacted(value) }
        rememberHeader(name, value)
        return RedactionRules.marker
    }

    package mutating func remember(_ found: [[UInt8]]) {
        for value in found {
            let parts = String(valid: value).map { Credentials.secrets(of: $0, isHeader: false) }
            for secret in parts ?? [value] { remember(secret) }
        }
    }

    /// Remembers a value, unless it is the name of a secret field: removing it everywhere would remove the names.
    package mutating func remember(_ value: some Collection<UInt8>) {
        if !names.isName(ofField: Array(value)) { secrets.insert(value) }
    }

    private mutating func rememberHeader(_ name: String, _ value: String) {
        switch name.lowercased() {
        case "www-authenticate", "proxy-authenticate": break
        case "cookie": for pair in value.split(separator: ";") { rememberCookie(pair) }
        case "set-cookie": for line in value.split(whereSeparator: \.isNewline) { rememberCookies(line) }
        default:
            for secret in Credentials.secrets(of: value, isHeader: true) { remember(secret) }
        }
    }

    /// Foundation joins several cookies with commas. Values and dates may contain commas as well, so that each of the
    /// parts may be a cookie, and all of them together.
    private mutating func rememberCookies(_ value: Substring) {
        for (number, segment) in value.split(separator: ";").enumerated() {
            var parts = segment.split(separator: ",")[...]
            // All segments but the first begin with an attribute. A date has one comma.
            if number > 0 { parts = parts.dropFirst(parts.first?.lowercased().contains("expires") == true ? 2 : 1) }
            if let first = parts.first { rememberCookie(segment[first.startIndex...]) }
            for part in parts { rememberCookie(part) }
        }
        for (number, text) in value.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        where number % 2 == 1 {
            remember(text.utf8)
        }
    }

    private mutating func rememberCookie(_ pair: Substring) {
        let value = pair.firstIndex(of: "=").map { pair[$0...].dropFirst() } ?? pair
        remember(value.trimmingCharacters(in: CharacterSet(charactersIn: " \"")).utf8)
    }
}
