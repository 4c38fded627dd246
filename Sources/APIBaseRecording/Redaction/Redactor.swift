package import APIBaseKit
import Basics
import Foundation
import HTTPTransport

/// Removes secrets from messages by their names and places, and remembers them in ``secrets``, to remove repetitions.
package struct Redactor {
    private let names: SecretNames
    package private(set) var secrets = Secrets()

    /// - Parameters:
    ///   - redaction: The names of secrets.
    ///   - secretHeaders: Additional names of headers that a request declares secret.
    package init(_ redaction: RedactionRules = .default, secretHeaders: Set<String> = []) {
        names = SecretNames(redaction, secretHeaders: secretHeaders)
    }

    /// Returns the decompressed body of a message without its secrets. `type` is the value of `Content-Type`.
    package mutating func redacted(_ body: Data, type: String) -> Data { edited(body, type: type) ?? body }

    /// Returns a text without its secrets: a URL, the value of a header, a comment.
    package mutating func redacted(_ text: String) -> String {
        guard let (redacted, found) = names.redactedText(text) else { return text }
        remember(found)
        return redacted
    }

    private mutating func remember(_ found: [[UInt8]]) {
        for value in found {
            let parts = String(valid: value).map { Credentials.secrets(of: $0, isHeader: false) }
            for secret in parts ?? [value] { remember(secret) }
        }
    }

    /// Remembers a value, unless it is the name of a secret field: removing it everywhere would remove the names.
    private mutating func remember(_ value: some Collection<UInt8>) {
        if !names.isName(ofField: Array(value)) { secrets.insert(value) }
    }
}

// MARK: Entries

extension Redactor: HAREditor {
    package mutating func redact(_ entry: inout HAR.Entry) { entry.edit(with: &self) }

    package mutating func redact(_ request: inout HAR.Request) { request.edit(with: &self) }

    mutating func edited(_ text: String) -> String { redacted(text) }

    func edited(label: String) -> String { label }

    mutating func edited(_ body: Data, type: String) -> Data? {
        guard let (bytes, found) = names.redactedBody(Array(body), type: type) else { return nil }
        remember(found)
        return Data(bytes)
    }

    mutating func edited(_ fields: [HAR.Field], of part: HAR.Part) -> [HAR.Field] {
        fields.map { field in
            guard isSecret(field, of: part) else { return HAR.Field(name: field.name, value: redacted(field.value)) }
            if part == .headers, let value = redactedChallenges(in: field) {
                return HAR.Field(name: field.name, value: value)
            }
            if part == .headers { rememberHeader(field) } else { remember(field.value.utf8) }
            return HAR.Field(name: field.name, value: RedactionRules.marker)
        }
    }

    private func isSecret(_ field: HAR.Field, of part: HAR.Part) -> Bool {
        switch part {
        case .headers: names.hasHeader(field.name)
        case .cookies: !field.value.isEmpty
        case .query: !field.value.isEmpty && names.hasQueryName(field.name)
        case .form: !field.value.isEmpty && names.hasField(field.name)
        }
    }

    private mutating func rememberHeader(_ field: HAR.Field) {
        switch field.name.lowercased() {
        case "www-authenticate", "proxy-authenticate": break
        case "cookie": for pair in field.value.split(separator: ";") { rememberCookie(pair) }
        case "set-cookie":
            // Foundation joins several cookies with commas. Dates contain commas as well.
            for part in field.value.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
                let pair = part.prefix { $0 != ";" }
                if pair.contains("=") { rememberCookie(pair) }
            }
        default:
            for secret in Credentials.secrets(of: field.value, isHeader: true) { remember(secret) }
        }
    }

    private mutating func rememberCookie(_ pair: Substring) {
        let value = pair.firstIndex(of: "=").map { pair[$0...].dropFirst() } ?? pair
        remember(value.trimmingCharacters(in: CharacterSet(charactersIn: " \"")).utf8)
    }
}
