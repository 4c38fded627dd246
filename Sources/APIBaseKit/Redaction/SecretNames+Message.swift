import Basics
import HTTPTransport

extension SecretNames {
    /// The text without the secrets of the URLs in it, wherever they stand.
    package func redactedURLs(in text: String) -> Edits {
        QueryFields(Array(text.utf8), isForm: false, isSecret: hasQueryName).edits
    }

    /// The text without the secrets of the URLs in it.
    package func withoutSecretsOfURLs(_ text: String) -> String {
        let edits = redactedURLs(in: text)
        return edits.isEmpty ? text : String(decoding: edits.result, as: UTF8.self)
    }

    /// The body of a message without the values of secret fields, and those values; nil if there are none.
    ///
    /// - Parameters:
    ///   - body: The bytes, not compressed.
    ///   - type: Their media type, as `Content-Type` has it.
    /// - Returns: The bytes without the values, and the values.
    package func redactedBody(_ body: [UInt8], type: String) -> (bytes: [UInt8], found: [[UInt8]])? {
        var (bytes, found) = (body, [[UInt8]]())
        func take(_ edits: Edits) {
            guard !edits.isEmpty else { return }
            found += edits.found
            bytes = edits.result
        }
        let type = type.lowercased()
        if type.hasPrefix("multipart/") { take(MultipartFields(bytes, isSecret: hasField).edits) }
        take(JSONFields(bytes, isSecret: hasField).edits)
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        let isSecret = isForm ? { self.hasField($0) || self.hasQueryName($0) } : hasQueryName
        take(QueryFields(bytes, isForm: isForm, isSecret: isSecret).edits)
        return found.isEmpty ? nil : (bytes, found)
    }
}
