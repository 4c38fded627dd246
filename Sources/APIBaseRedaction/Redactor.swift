import Basics
import HTTPTransport

/// Removes secrets from messages by their names and places, and remembers them in ``secrets``, to remove repetitions.
package struct Redactor {
    package let names: SecretNames
    package private(set) var secrets = Secrets()

    /// - Parameters:
    ///   - redaction: The names of secrets.
    ///   - secretHeaders: Additional names of headers that a request declares secret.
    package init(_ redaction: RedactionRules = .default, secretHeaders: Set<String> = []) {
        names = SecretNames(redaction, secretHeaders: secretHeaders)
    }

    /// Returns the decompressed body of a message without its secrets. `type` is the value of `Content-Type`.
    package mutating func redacted(_ body: Data, type: String) -> Data {
        guard let (bytes, found) = names.redactedBody(Array(body), type: type) else { return body }
        remember(found)
        return Data(bytes)
    }

    /// Returns a text without its secrets: a URL, the value of a header, a comment.
    package mutating func redacted(_ text: String) -> String {
        guard let (redacted, found) = names.redactedText(text) else { return text }
        remember(found)
        return redacted
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
        case "set-cookie":
            // Foundation joins several cookies with commas. Dates contain commas as well.
            for part in value.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
                let pair = part.prefix { $0 != ";" }
                if pair.contains("=") { rememberCookie(pair) }
            }
        default:
            for secret in Credentials.secrets(of: value, isHeader: true) { remember(secret) }
        }
    }

    private mutating func rememberCookie(_ pair: Substring) {
        let value = pair.firstIndex(of: "=").map { pair[$0...].dropFirst() } ?? pair
        remember(value.trimmingCharacters(in: CharacterSet(charactersIn: " \"")).utf8)
    }
}
