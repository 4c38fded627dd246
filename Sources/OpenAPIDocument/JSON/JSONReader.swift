import Basics
package import Foundation

/// Reads JSON (RFC 8259) and keeps the order of members.
package struct JSONReader {
    /// Where a text is not JSON, and why.
    package struct Problem: Error, Hashable {
        package let line: Int
        package let column: Int
        package let reason: String
    }

    /// More brackets in one another would end the stack on which the value is freed.
    static let depthLimit = 1_000

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    /// Reads a whole text.
    package static func read(_ data: Data) throws(Problem) -> JSON {
        let bytes = Array(data)
        guard bytes.isDeepJSON else { return try readHere(bytes) }
        let result = try? DeepStack.run { Result { () throws(Problem) in try readHere(bytes) } }
        guard let result else { throw Problem(line: 1, column: 1, reason: "it cannot be read") }
        return try result.get()
    }

    private static func readHere(_ bytes: [UInt8]) throws(Problem) -> JSON {
        var reader = JSONReader(bytes: bytes)
        if String(valid: reader.bytes) == nil { throw reader.problem("it is not UTF-8") }
        if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
        let value = try reader.value()
        guard reader.next() == nil else { throw reader.problem("something follows the value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func problem(_ reason: String) -> Problem { Problem(reason, at: place, in: bytes) }

    /// The next byte that is no space; `nil` at the end.
    private mutating func next() -> UInt8? {
        while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
        return place < bytes.count ? bytes[place] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Problem) {
        if !take(character) { throw problem("expected “\(character)”") }
    }

    private mutating func value() throws(Problem) -> JSON {
        switch next() {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            defer { depth -= 1 }
            if depth > Self.depthLimit { throw problem("more than \(Self.depthLimit) brackets in one another") }
            return take("{") ? try object() : try array()
        case UInt8(ascii: "\""): return .string(try string())
        case nil: throw problem("the text ends too early")
        default: return try word()
        }
    }

    private mutating func object() throws(Problem) -> JSON {
        var members = JSON.Members()
        if take("}") { return .object(members) }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw problem("expected a name") }
            let name = try string()
            try expect(":")
            members[name] = try value()
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func array() throws(Problem) -> JSON {
        try expect("[")
        var elements: [JSON] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value()) } while take(",")
        try expect("]")
        return .array(elements)
    }

    /// A number, or one of the three words.
    private mutating func word() throws(Problem) -> JSON {
        let rest = bytes[place...].prefix { !",]} \n\r\t".utf8.contains($0) }
        let text = String(decoding: rest, as: UTF8.self)
        defer { place += rest.count }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case _ where ExactNumber(text) != nil: return .number(text)
        default: throw problem("expected a value")
        }
    }

    // MARK: Strings

    private mutating func string() throws(Problem) -> String {
        place += 1
        var (units, start) = ([UInt8](), place)
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard bytes[place] >= 0x20 else { throw problem("a control character in a string") }
            if bytes[place] == UInt8(ascii: "\\") {
                units += bytes[start..<place]
                units += try escape().utf8
                start = place
            } else {
                place += 1
            }
        }
        guard place < bytes.count else { throw problem("a string without an end") }
        defer { place += 1 }
        return String(decoding: units + bytes[start..<place], as: UTF8.self)
    }

    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "\""): "\"",
    ]

    private mutating func escape() throws(Problem) -> String {
        if place + 1 < bytes.count, let text = Self.escapes[bytes[place + 1]] {
            place += 2
            return text
        }
        // One character may be a pair of them. Half of one alone is no character.
        var units: [UInt16] = []
        while let unit = codeUnit() {
            units.append(unit)
            place += 6
        }
        if units.isEmpty { throw problem("an escape that is none") }
        return String(decoding: units, as: UTF16.self)
    }

    /// The value of the escape `\uXXXX` here; `nil` if there is none.
    private func codeUnit() -> UInt16? {
        guard place + 6 <= bytes.count, bytes[place...].starts(with: "\\u".utf8) else { return nil }
        return Self.hexadecimal(bytes[place + 2..<place + 6]).map(UInt16.init)
    }

    static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
        let text = String(decoding: digits, as: UTF8.self)
        return text.allSatisfy(\.isHexDigit) ? UInt32(text, radix: 16) : nil
    }
}

extension JSONReader.Problem {
    init(_ reason: String, at place: Int, in bytes: [UInt8]) {
        let lines = bytes[..<min(place, bytes.count)].split(separator: 0x0A, omittingEmptySubsequences: false)
        self.init(line: lines.count, column: (lines.last?.count ?? 0) + 1, reason: reason)
    }
}

extension [UInt8] {
    /// Whether the brackets in one another need a deep stack.
    fileprivate var isDeepJSON: Bool {
        var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in self {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            deepest = Swift.max(deepest, depth)
        }
        return deepest > 200
    }
}
