import Foundation

/// Reads JSON (RFC 8259) and keeps the order of members.
struct JSONReader {
    /// Where a text is not JSON, and why.
    struct Problem: Error, Hashable {
        let line: Int
        let column: Int
        let reason: String
    }

    /// More brackets in one another would end the stack. Documents of 500 objects in one another have about 2,000.
    static let depthLimit = 4_000

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    /// Reads a whole text.
    ///
    /// - Throws: ``Problem`` for a text that is not JSON.
    static func read(_ data: Data) throws(Problem) -> JSON {
        var reader = JSONReader(data)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.place == reader.bytes.count else { throw reader.problem("something follows the value") }
        return value
    }

    private init(_ data: Data) {
        bytes = Array(data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    private func problem(_ reason: String) -> Problem {
        let before = bytes[..<min(place, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Problem(line: line, column: place - lineStart + 1, reason: reason)
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Problem) {
        if !take(character) { throw problem("expected “\(character)”") }
    }

    private mutating func value() throws(Problem) -> JSON {
        skipSpace()
        guard place < bytes.count else { throw problem("the text ends too early") }
        switch bytes[place] {
        case UInt8(ascii: "{"): return try nested { reader throws(Problem) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Problem) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws(Problem) -> JSON) throws(Problem) -> JSON {
        place += 1
        depth += 1
        guard depth <= Self.depthLimit else { throw problem("more than \(Self.depthLimit) brackets in one another") }
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(Problem) -> JSON {
        var members = JSON.Members()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw problem("expected a name") }
            let name = try string()
            try expect(":")
            members[name] = try value()
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func array() throws(Problem) -> JSON {
        var elements: [JSON] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value()) } while take(",")
        try expect("]")
        return .array(elements)
    }

    private mutating func word(_ word: String, _ value: JSON) throws(Problem) -> JSON {
        guard bytes[place...].starts(with: word.utf8) else { throw problem("expected a value") }
        place += word.utf8.count
        return value
    }

    private mutating func number() throws(Problem) -> JSON {
        let start = place
        while place < bytes.count, "+-.eE0123456789".utf8.contains(bytes[place]) { place += 1 }
        let digits = String(decoding: bytes[start..<place], as: UTF8.self)
        guard Self.isNumber(digits) else {
            place = start
            throw problem("expected a value")
        }
        return .number(digits)
    }

    private static func isNumber(_ text: String) -> Bool {
        // Most are short integers, and the pattern is slow.
        if text.utf8.allSatisfy({ UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }), !text.isEmpty { return true }
        return text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
    }
}

// MARK: Strings

extension JSONReader {
    private mutating func string() throws(Problem) -> String {
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if bytes[place] < 0x20 { throw problem("a control character in a string") }
            place += 1
        }
        guard place < bytes.count else { throw problem("a string without an end") }
        defer { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func escapedString(from start: Int) throws(Problem) -> String {
        var units = Array(bytes[start..<place])
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] < 0x20 { throw problem("a control character in a string") }
            if bytes[place] == UInt8(ascii: "\\") {
                units += String(try escape()).utf8
            } else {
                units.append(bytes[place])
                place += 1
            }
        }
        guard place < bytes.count else { throw problem("a string without an end") }
        place += 1
        return String(decoding: units, as: UTF8.self)
    }

    private mutating func escape() throws(Problem) -> Unicode.Scalar {
        let character = place + 1 < bytes.count ? bytes[place + 1] : 0
        let simple: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "\""): "\"",
        ]
        if let scalar = simple[character] {
            place += 2
            return scalar
        }
        guard character == UInt8(ascii: "u"), let high = codeUnit() else { throw problem("an escape that is none") }
        place += 6
        guard 0xD800..<0xDC00 ~= high else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
        // One half of a pair alone is no character.
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\\"), let low = codeUnit(), 0xDC00..<0xE000 ~= low
        else { return "\u{FFFD}" }
        place += 6
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    /// The value of the escape `\uXXXX` here.
    private func codeUnit() -> UInt32? {
        guard place + 6 <= bytes.count, bytes[place + 1] == UInt8(ascii: "u") else { return nil }
        let digits = bytes[place + 2..<place + 6]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
