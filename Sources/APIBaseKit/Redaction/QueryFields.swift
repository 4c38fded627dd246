import Basics
import Foundation

/// Finds what is secret in URLs, wherever in a text they stand, and in forms: user names with passwords, and the values
/// of secret names in queries and fragments.
struct QueryFields {
    private static let marks = ByteSet("?&#;6/".utf8)

    private(set) var edits: Edits
    private var text: [UInt8] { edits.text }

    /// - Parameters:
    ///   - text: Text with URLs in it, or a form.
    ///   - isForm: Whether all of it is pairs with `&` between them.
    ///   - isSecret: Whether a name is that of a secret.
    init(_ text: [UInt8], isForm: Bool, isSecret: (String) -> Bool) {
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
            case UInt8(ascii: ";") where text[..<index].hasSuffix("&amp"),
                UInt8(ascii: "6") where text[..<index].hasSuffix("\\u002"):
                index = redactPair(at: index + 1, isForm: isForm, isSecret) ?? index + 1
            case UInt8(ascii: "/") where text[..<index].hasSuffix(":/") || text[..<index].hasSuffix(":\\/\\"):
                index = redactUser(at: index + 1)
            default: index += 1
            }
        }
    }

    /// Returns the end of the value if a secret pair begins at `start`.
    private mutating func redactPair(at start: Int, isForm: Bool, _ isSecret: (String) -> Bool) -> Int? {
        guard start < text.count else { return nil }
        let window = text[start...].prefix(256)
        guard let equals = window.firstIndex(where: { "=&?#<>\"".utf8.contains($0) || $0.isWhiteSpace }),
            text[equals] == UInt8(ascii: "="), isSecret(decoded(start..<equals))
        else { return nil }
        let end =
            isForm ? text[equals...].firstIndex(of: UInt8(ascii: "&")) ?? text.count : endOfValue(from: equals + 1)
        let value = (equals + 1)..<end
        edits.redact(value, value: Array(decoded(value).utf8))
        return end
    }

    private func endOfValue(from start: Int) -> Int {
        // In `href='…'`, the quote is no part of the URL; elsewhere it may be one.
        let opening = text[..<start].suffix(2048).last { "\"'<>".utf8.contains($0) || $0.isWhiteSpace }
        let isQuoted = opening == UInt8(ascii: "'")
        var index = start
        while index < text.count {
            let byte = text[index]
            if "&#\"<>".utf8.contains(byte) || byte.isWhiteSpace { return index }
            if isQuoted, byte == UInt8(ascii: "'") { return index }
            // In JSON, `\/` is a slash; other escapes are what ends a value in a URL, such as `\u0026` and `\"`, but for those
            // of `=` and `+`.
            if byte == UInt8(ascii: "\\") {
                let rest = text[(index + 1)...]
                let isPart = ["/", "u003d", "u003D", "u002b", "u002B", "u002f", "u002F"].contains { rest.hasPrefix($0) }
                guard isPart else { return index }
                index += 1
            }
            index += 1
        }
        return index
    }

    /// Returns where to go on behind the place at which an authority begins.
    private mutating func redactUser(at start: Int) -> Int {
        let end = text[start...].firstIndex { "/?#\"<>\\ ".utf8.contains($0) || $0.isWhiteSpace } ?? text.count
        guard let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return start }
        // The name is no secret where there is a password.
        let colon = text[start..<at].firstIndex(of: UInt8(ascii: ":"))
        let password = colon.map { ($0 + 1)..<at } ?? start..<at
        edits.redact(start..<at, value: Array(decoded(password.isEmpty ? start..<(colon ?? at) : password).utf8))
        return at
    }

    private func decoded(_ range: Range<Int>) -> String {
        let text = String(decoding: text[range], as: UTF8.self).replacingOccurrences(of: "+", with: " ")
        return text.removingPercentEncoding ?? text
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }

    fileprivate func hasPrefix(_ text: String) -> Bool { starts(with: text.utf8) }
}
