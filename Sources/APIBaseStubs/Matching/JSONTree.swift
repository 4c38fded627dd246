import Basics
import Foundation

/// A JSON value for comparisons. The order of members and the spelling of numbers and strings do not matter.
package indirect enum JSONTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// A place where two values differ, with both values as text.
    package typealias Difference = (path: String, here: String, there: String)

    /// The first difference, or nil. With `isPart`, objects of `other` may have more members.
    package func difference(
        from other: JSONTree,
        isPart: Bool = false,
        at path: String = "body",
        matching matches: (String, String) -> Bool = { $0 == $1 }
    ) -> Difference? {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            for (name, value) in mine.sorted(by: { $0.key < $1.key }) {
                guard let their = theirs[name] else { return ("\(path).\(name)", value.description, "nothing") }
                let found = value.difference(from: their, isPart: isPart, at: "\(path).\(name)", matching: matches)
                if let found { return found }
            }
            guard !isPart, let name = theirs.keys.filter({ mine[$0] == nil }).min() else { return nil }
            return ("\(path).\(name)", "nothing", theirs[name]?.description ?? "")
        case (.array(let mine), .array(let theirs)):
            for (index, pair) in zip(mine, theirs).enumerated() {
                let place = "\(path)[\(index)]"
                let found = pair.0.difference(from: pair.1, isPart: isPart, at: place, matching: matches)
                if let found { return found }
            }
            return mine.count == theirs.count ? nil : (path, "\(mine.count) elements", "\(theirs.count)")
        case (.string(let mine), .string(let their)) where matches(mine, their): return nil
        default: return self == other ? nil : (path, description, other.description)
        }
    }

    /// The member of an object; nil if it is missing, or if this is not an object.
    package subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }

    /// The value as text. Equal values have the same text.
    package var canonicalText: String {
        switch self {
        case .array(let elements): return "[\(elements.map(\.canonicalText).joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return "{\(sorted.map { "\($0.key.debugDescription):\($0.value.canonicalText)" }.joined())}"
        case .string(let text): return text.debugDescription
        case .number(let number): return number.canonicalText
        case .null, .bool: return description
        }
    }
}

extension JSONTree: CustomStringConvertible {
    /// The value as short text for a message. Objects and arrays are described by their size.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): value.description
        case .string(let value): "“\(value)”"
        case .array(let elements): "an array of \(elements.count)"
        case .object(let members): "an object of \(members.count)"
        }
    }
}

extension JSONTree {
    /// Parses JSON (RFC 8259), at most 512 levels deep, because Foundation's parsers round numbers.
    package init?(_ data: Data) {
        guard String(valid: data) != nil else { return nil }
        var parser = JSONTreeParser(text: Array(data))
        guard let value = parser.value(depth: 0), parser.isAtEnd else { return nil }
        self = value
    }
}

private struct JSONTreeParser {
    private static let maximumDepth = 512

    let text: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == text.count }

    mutating func value(depth: Int) -> JSONTree? {
        guard depth <= Self.maximumDepth else { return nil }
        skipWhiteSpace()
        guard index < text.count else { return nil }
        let value: JSONTree? =
            switch text[index] {
            case UInt8(ascii: "{"): object(depth)
            case UInt8(ascii: "["): elements(until: "]") { $0.value(depth: depth + 1) }.map(JSONTree.array)
            case UInt8(ascii: "\""): string().map(JSONTree.string)
            case UInt8(ascii: "t"): take("true") ? .bool(true) : nil
            case UInt8(ascii: "f"): take("false") ? .bool(false) : nil
            case UInt8(ascii: "n"): take("null") ? .null : nil
            default: number()
            }
        skipWhiteSpace()
        return value
    }

    private mutating func skipWhiteSpace() {
        while index < text.count, text[index].isWhiteSpace { index += 1 }
    }

    private mutating func take(_ word: String) -> Bool {
        guard text[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func object(_ depth: Int) -> JSONTree? {
        let members = elements(until: "}") { parser -> (String, JSONTree)? in
            parser.skipWhiteSpace()
            guard let name = parser.string() else { return nil }
            parser.skipWhiteSpace()
            guard parser.take(":"), let value = parser.value(depth: depth + 1) else { return nil }
            return (name, value)
        }
        return members.map { .object(Dictionary($0) { $1 }) }
    }

    private mutating func elements<Element>(
        until end: String,
        _ element: (inout JSONTreeParser) -> Element?
    ) -> [Element]? {
        index += 1
        skipWhiteSpace()
        var elements: [Element] = []
        if take(end) { return elements }
        while let next = element(&self) {
            elements.append(next)
            skipWhiteSpace()
            if take(end) { return elements }
            guard take(",") else { return nil }
        }
        return nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var bytes: [UInt8] = []
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escape = text.escapeSequence(at: index) else { return nil }
                bytes += escape
                index += escape.length
            case ..<0x20: return nil
            default:
                bytes.append(text[index])
                index += 1
            }
        }
        return nil
    }

    private mutating func number() -> JSONTree? {
        let rest = String(decoding: text[index...].prefix { "+-.eE0123456789".utf8.contains($0) }, as: UTF8.self)
        guard rest.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { return nil }
        index += rest.utf8.count
        return .number(JSONNumber(rest))
    }
}
