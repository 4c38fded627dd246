import Basics
import Foundation

// Texts and bodies of messages in a form that may be shown: without secrets, and on one line.

extension SecretNames {
    /// A URL, the value of a header or a comment without its secrets, and the secrets; nil if it contains none.
    package func redactedText(_ text: String) -> (text: String, found: [[UInt8]])? {
        var scan = SecretScan(Array(text.utf8), names: self)
        scan.run()
        return scan.result.map { (String(decoding: $0.bytes, as: UTF8.self), $0.found) }
    }

    /// The text of a message without the values after secret names, also in prose (`token=…`, `Authorization: Bearer …`),
    /// and without bearer tokens.
    package func withoutSecrets(inMessage text: String) -> String {
        var scan = SecretScan(Array(text.utf8), names: self)
        scan.runInMessage()
        return scan.result.map { String(decoding: $0.bytes, as: UTF8.self) } ?? text
    }

    /// The text without its secrets.
    package func withoutSecrets(_ text: String) -> String { redactedText(text)?.text ?? text }

    /// Redacts the body of a message, also in UTF-16 or UTF-32.
    ///
    /// - Parameters:
    ///   - body: The bytes, decompressed.
    ///   - type: The value of `Content-Type`.
    /// - Returns: The body without its secrets; nil if it contains none.
    package func redactedBody(_ body: [UInt8], type: String) -> RedactedBytes? {
        redactedBody(body, type: type, depth: 0)
    }

    private func redactedBody(_ body: [UInt8], type: String, depth: Int) -> RedactedBytes? {
        // Other bytes may begin like a text in UTF-16, so that both readings are searched.
        let clean = WideText(body, type: type).flatMap { wide in
            redactedText(wide.utf8, type: type, depth: depth).map { (bytes: wide.encoded($0.bytes), found: $0.found) }
        }
        let text = redactedText(clean?.bytes ?? body, type: type, depth: depth)
        return text.map { ($0.bytes, (clean?.found ?? []) + $0.found) } ?? clean
    }

    private func redactedText(_ body: [UInt8], type: String, depth: Int) -> RedactedBytes? {
        let kind = type.lowercased()
        var scan = SecretScan(body, names: self, depth: depth)
        if kind.hasPrefix("multipart/"), depth < Escape.deepest {
            let boundary = type.firstMatch(of: /(?i)[;\s]boundary\s*=\s*("[^"]*"|[^;\s]+)/).map {
                Array($0.1.trimmingCharacters(in: CharacterSet(charactersIn: "\"")).utf8)
            }
            scan.apply(
                MultipartFields(body, boundary: boundary, isSecret: hasField) { part, type in
                    redactedBody(part, type: type, depth: depth + 1)
                }.edits
            )
        }
        scan.run(isForm: kind.hasPrefix("application/x-www-form-urlencoded"))
        return scan.result
    }
}

extension String {
    /// The first Unicode scalars: as one character may have any number of them, a number of characters is no limit.
    package func beginning(_ count: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }

    /// The text without line breaks and other characters that could forge lines of a log. They are escaped.
    package var withoutControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    /// True if a terminal or a log may treat it as a command or a line break.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
