import Basics
import Foundation

/// Finds the values of secret fields in JSON, and replaces them where they stand.
///
/// It needs no whole document: a text that was cut off, JSON lines and JSON inside of a page or of a string of another
/// document are searched as well.
struct JSONFields {
    /// Bytes of the longest name worth reading.
    private static let longestName = 256
    private static let deepest = 3
    private static let marks = ByteSet("\"\\".utf8)

    private let isSecret: (String) -> Bool
    private let depth: Int
    private(set) var edits: Edits
    private var text: [UInt8] { edits.text }

    init(_ text: [UInt8], depth: Int = 0, isSecret: @escaping (String) -> Bool) {
        self.isSecret = isSecret
        self.depth = depth
        edits = Edits(text)
        let quotes = ByteSet("\"".utf8)
        var index = quotes.firstIndex(in: text, from: 0)
        while index < text.count {
            index = quotes.firstIndex(in: text, from: isEscaped(index) ? index + 1 : next(after: index))
        }
    }

    /// Deals with what the quote begins; returns where to go on.
    private mutating func next(after quote: Int) -> Int {
        guard let end = endOfString(from: quote) else { return quote + 1 }
        let content = (quote + 1)..<end
        if content.count <= Self.longestName, let value = startOfValue(after: end), isSecret(decoded(content)) {
            return redactValue(at: value)
        }
        return redactInside(content) ? end + 1 : quote + 1
    }

    /// Whether the quote is one in a string: no string begins with it.
    private func isEscaped(_ quote: Int) -> Bool {
        text[..<quote].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    /// Where the string ends that begins at `quote`: at its other quote; nil if it has none.
    private func endOfString(from quote: Int) -> Int? {
        var index = Self.marks.firstIndex(in: text, from: quote + 1)
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index }
            index = Self.marks.firstIndex(in: text, from: index + 2)
        }
        return nil
    }

    /// Where the value begins if the string that ends at `end` is a name.
    private func startOfValue(after end: Int) -> Int? {
        guard let colon = text[(end + 1)...].firstIndex(where: { !$0.isWhiteSpace }), text[colon] == UInt8(ascii: ":")
        else { return nil }
        return text[(colon + 1)...].firstIndex { !$0.isWhiteSpace }
    }

    private func decoded(_ content: Range<Int>) -> String {
        let raw = text[content]
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        let quoted = Data("\"".utf8) + raw + Data("\"".utf8)
        return (try? JSONDecoder().decode(String.self, from: quoted)) ?? String(decoding: raw, as: UTF8.self)
    }
}

// MARK: Values

extension JSONFields {
    /// Returns the place behind the value.
    private mutating func redactValue(at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "\""): redactString(at: index)
        case UInt8(ascii: "{"), UInt8(ascii: "["): redactLeaves(from: index)
        default: redactNumber(at: index)
        }
    }

    private mutating func redactString(at quote: Int) -> Int {
        let end = endOfString(from: quote) ?? text.count
        let content = (quote + 1)..<max(quote + 1, end)
        edits.redact(content, value: Array(decoded(content).utf8))
        return min(end + 1, text.count)
    }

    private mutating func redactNumber(at index: Int) -> Int {
        let end = text[index...].firstIndex { !"0123456789+-.eE".utf8.contains($0) } ?? text.count
        guard end > index else { return index + 1 }
        // `true` and `false` begin with no digit, but end in one of these letters.
        guard text[index] == UInt8(ascii: "-") || (0x30...0x39).contains(text[index]) else { return end }
        edits.replace(index..<end, with: [UInt8(ascii: "0")], value: Array(text[index..<end]))
        return end
    }

    /// Everything in an object or array but the names: they say how to decode it.
    private mutating func redactLeaves(from start: Int) -> Int {
        var (index, depth) = (start, 0)
        repeat {
            switch text[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: "\""):
                if let end = endOfString(from: index), startOfValue(after: end) != nil {
                    index = end + 1
                } else {
                    index = redactString(at: index)
                }
            default: index = redactNumber(at: index)
            }
        } while depth > 0 && index < text.count
        return index
    }
}

// MARK: JSON in a string

extension JSONFields {
    /// Whether something was replaced in the document that the string holds.
    private mutating func redactInside(_ content: Range<Int>) -> Bool {
        guard depth < Self.deepest, text[content].contains(subsequence: Array("\\\"".utf8)) else { return false }
        let inner = JSONFields(Array(decoded(content).utf8), depth: depth + 1, isSecret: isSecret)
        guard !inner.edits.isEmpty,
            let encoded = try? JSONEncoder().encode(String(decoding: inner.edits.result, as: UTF8.self))
        else { return false }
        edits.replace(content, with: Array(encoded.dropFirst().dropLast()), value: [])
        edits.add(inner.edits.found)
        return true
    }
}

extension Collection<UInt8> {
    func contains(subsequence: [UInt8]) -> Bool { firstRange(of: subsequence) != nil }
}
