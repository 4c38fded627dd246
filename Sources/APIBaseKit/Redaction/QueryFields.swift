import Basics
import Foundation

/// Finds what is secret in URLs, wherever in a text they stand, and in forms: user names with passwords, and the values
/// of secret names in queries and fragments.
struct QueryFields {
    private static let longestName = 256
    private static let marks = ByteSet("?&#;6/".utf8)
    private static let endsOfNames = ByteSet("=&?#<>\"\\ \t\r\n".utf8)
    private static let endsOfAuthorities = ByteSet("/?#\"<>\\ \t\r\n".utf8)
    private static let openings = ByteSet("\"'<> \t\r\n".utf8)

    private(set) var edits: Edits
    private var text: [UInt8] { edits.text }
    /// The last byte that a URL can begin after, of those before an index.
    private var opening: (byte: UInt8, end: Int) = (0, 0)

    /// - Parameters:
    ///   - text: Text with URLs in it, or a form.
    ///   - isForm: Whether all of it is pairs with `&` between them.
    ///   - isSecret: Whether a name is that of a secret.
    init(_ text: [UInt8], isForm: Bool, isSecret: (ArraySlice<UInt8>) -> Bool) {
        edits = Edits(text)
        var index = 0
        if let end = redactPair(at: 0, isForm: isForm, isSecret) { index = end }
        let marks = Self.marks
        while true {
            index = marks.firstIndex(in: text, from: index)
            guard index < text.count else { break }
            switch text[index] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"):
                index = redactPair(at: index + 1, isForm: isForm, isSecret) ?? index + 1
            case UInt8(ascii: ";") where text.ends("&amp", at: index),
                UInt8(ascii: "6") where text.ends("\\u002", at: index):
                index = redactPair(at: index + 1, isForm: isForm, isSecret) ?? index + 1
            case UInt8(ascii: "/") where text.ends(":/", at: index) || text.ends(":\\/\\", at: index):
                index = redactUser(at: index + 1)
            default: index += 1
            }
        }
    }

    /// Returns the end of the value if a secret pair begins at `start`.
    private mutating func redactPair(at start: Int, isForm: Bool, _ isSecret: (ArraySlice<UInt8>) -> Bool) -> Int? {
        var equals = start
        let limit = min(text.count, start + Self.longestName)
        while equals < limit, !Self.endsOfNames.contains(text[equals]) { equals += 1 }
        guard equals < limit, text[equals] == UInt8(ascii: "="), isSecret(decoded(start..<equals)) else { return nil }
        let end =
            isForm ? text[equals...].firstIndex(of: UInt8(ascii: "&")) ?? text.count : endOfValue(from: equals + 1)
        let value = (equals + 1)..<end
        edits.redact(value, value: Array(decoded(value)))
        return end
    }

    private mutating func endOfValue(from start: Int) -> Int {
        // In `href='…'`, the quote is no part of the URL; elsewhere it may be one.
        while opening.end < start {
            if Self.openings.contains(text[opening.end]) { opening.byte = text[opening.end] }
            opening.end += 1
        }
        let isQuoted = opening.byte == UInt8(ascii: "'")
        var index = start
        while index < text.count {
            let byte = text[index]
            if "&#\"<>".utf8.contains(byte) || byte.isWhiteSpace { return index }
            if isQuoted, byte == UInt8(ascii: "'") { return index }
            // In JSON, `\/` is a slash; other escapes are what ends a value in a URL, such as `\u0026` and `\"`, but
            // for those of `=` and `+`.
            if byte == UInt8(ascii: "\\") {
                let isPart = Self.escapesInValues.contains { text.begins($0, at: index + 1) }
                guard isPart else { return index }
                index += 1
            }
            index += 1
        }
        return index
    }

    private static let escapesInValues: [StaticString] = ["/", "u003d", "u003D", "u002b", "u002B", "u002f", "u002F"]

    /// Returns where to go on after the place at which an authority begins.
    private mutating func redactUser(at start: Int) -> Int {
        let end = Self.endsOfAuthorities.firstIndex(in: text, from: start)
        guard let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return end }
        // The name is no secret where there is a password.
        let colon = text[start..<at].firstIndex(of: UInt8(ascii: ":"))
        let password = colon.map { ($0 + 1)..<at } ?? start..<at
        edits.redact(start..<at, value: Array(decoded(password.isEmpty ? start..<(colon ?? at) : password)))
        return at
    }

    private func decoded(_ range: Range<Int>) -> ArraySlice<UInt8> { text[range].decodedFromURL }
}

extension ArraySlice<UInt8> {
    /// The text without the escapes of URLs and forms.
    var decodedFromURL: ArraySlice<UInt8> {
        guard contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return self }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(count)
        withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let escaped = bytes.escape(at: index)
                decoded.append(escaped ?? (bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index]))
                index += escaped == nil ? 1 : 3
            }
        }
        return decoded[...]
    }
}

extension [UInt8] {
    /// Whether these bytes stand at an index.
    func begins(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { text in text.indices.allSatisfy { self[index + $0] == text[$0] } }
    }

    /// Whether these bytes stand before an index.
    fileprivate func ends(_ text: StaticString, at index: Int) -> Bool {
        begins(text, at: index - text.utf8CodeUnitCount)
    }
}
