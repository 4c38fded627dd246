import Foundation
import OpenAPIDocument

/// The first line of what is written anew each time: `// apibase generate 1 · petstore.json · 9f2c41d07a55`.
///
/// The last part is a hash of what follows, by which an edit is seen. In a page of DocC, which begins with its title, it is a
/// comment at the end.
enum FileHeader {
    private static let mark = "apibase generate 1 · "

    static func adding(to file: GeneratedFile, document: String) -> String {
        let document = Comment.line(document, width: 80)
        return file.path.hasSuffix(".md")
            ? "\(file.text)\n<!-- \(mark)\(document) · \(hash(file.text)) -->\n"
            : "// \(mark)\(document) · \(hash(file.text))\n\(file.text)"
    }

    enum State {
        /// As it was written, from this document.
        case untouched(document: String)
        /// Edited since.
        case edited
        /// Not written by the command.
        case foreign
    }

    static func state(of text: String) -> State {
        // Git may have changed the ends of lines.
        let text = text.replacing("\r\n", with: "\n")
        var parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        if let end = text.range(of: "\n<!-- \(mark)", options: .backwards), text.hasSuffix(" -->\n") {
            parts = ["// \(text[end.lowerBound...].dropFirst(6).dropLast(5))", text[..<end.lowerBound]]
        }
        guard parts.count == 2, parts[0].hasPrefix("// \(mark)") else { return .foreign }
        let fields = parts[0].dropFirst(3 + mark.count).components(separatedBy: " · ")
        guard fields.count >= 2, fields.last == hash(String(parts[1])) else { return .edited }
        return .untouched(document: fields.dropLast().joined(separator: " · "))
    }

    /// FNV-1a of 64 bits, of which 12 digits are shown: it finds edits, and needs no more than that.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(String(format: "%016llx", hash).suffix(12))
    }
}
