import Basics
import Foundation
import HTTPTransport

extension SecretNames {
    /// The text without its secrets, and those; nil if there are none: for URLs, the values of headers and comments.
    package func redactedText(_ text: String) -> (text: String, found: [[UInt8]])? {
        SecretScan(Array(text.utf8), names: self).change.map { (String(decoding: $0.bytes, as: UTF8.self), $0.found) }
    }

    /// The text without its secrets.
    package func withoutSecrets(_ text: String) -> String { redactedText(text)?.text ?? text }

    /// The body of a message without the values of secret fields, and those values; nil if there are none.
    ///
    /// - Parameters:
    ///   - body: The bytes, not compressed.
    ///   - type: Their media type, as `Content-Type` has it.
    /// - Returns: The bytes without the values, and the values.
    package func redactedBody(_ body: [UInt8], type: String) -> (bytes: [UInt8], found: [[UInt8]])? {
        redactedBody(body, type: type, depth: 0)
    }

    private func redactedBody(_ body: [UInt8], type: String, depth: Int) -> (bytes: [UInt8], found: [[UInt8]])? {
        let kind = type.lowercased()
        var parts: Edits?
        if kind.hasPrefix("multipart/"), depth < 4 {
            let boundary = type.firstMatch(of: /(?i)[;\s]boundary\s*=\s*("[^"]*"|[^;\s]+)/).map {
                Array($0.1.trimmingCharacters(in: CharacterSet(charactersIn: "\"")).utf8)
            }
            parts =
                MultipartFields(body, boundary: boundary, isSecret: hasField) { part, type in
                    redactedBody(part, type: type, depth: depth + 1)
                }.edits
        }
        let isForm = kind.hasPrefix("application/x-www-form-urlencoded")
        let whole = SecretScan(parts?.result ?? body, names: self, isForm: isForm, depth: depth)
        guard let parts, !parts.isEmpty else { return whole.change }
        return (whole.bytes, parts.found + whole.found)
    }
}
