import Basics

extension JSONTree {
    /// Reads a text of JSON (RFC 8259); nil if it is none, or deeper than 512 levels. Foundation's readers round numbers.
    package init?(_ data: Data) {
        guard String(valid: data) != nil else { return nil }
        var reader = JSONReader(text: Array(data))
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }
}

private struct JSONReader {
    private static let deepest = 512

    let text: [UInt8]
    private var index = 0

    init(text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    /// The value that begins here, with the blanks around it.
    mutating func value(depth: Int) -> JSONTree? {
        guard depth <= Self.deepest else { return nil }
        skipBlanks()
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
        skipBlanks()
        return value
    }

    private mutating func skipBlanks() {
        while index < text.count, text[index].isWhiteSpace { index += 1 }
    }

    private mutating func take(_ word: String) -> Bool {
        guard text[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func object(_ depth: Int) -> JSONTree? {
        let members = elements(until: "}") { reader -> (String, JSONTree)? in
            reader.skipBlanks()
            guard let name = reader.string() else { return nil }
            reader.skipBlanks()
            guard reader.take(":"), let value = reader.value(depth: depth + 1) else { return nil }
            return (name, value)
        }
        return members.map { .object(Dictionary($0) { $1 }) }
    }

    private mutating func elements<Element>(
        until end: String,
        _ element: (inout JSONReader) -> Element?
    ) -> [Element]? {
        index += 1
        skipBlanks()
        var elements: [Element] = []
        if take(end) { return elements }
        while let next = element(&self) {
            elements.append(next)
            skipBlanks()
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
