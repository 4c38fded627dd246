import Basics

/// Finds the values of secret names that stand before a colon or an equals sign: arguments of GraphQL (`password: "…"`),
/// attributes of XML and HTML, literals of programs.
struct AssignedFields {
    private static let longestName = 256
    private static let marks = ByteSet(":=".utf8)

    private(set) var edits: Edits

    init(_ text: [UInt8], isSecret: (String) -> Bool) {
        edits = Edits(text)
        var index = Self.marks.firstIndex(in: text, from: 0)
        while index < text.count {
            let end = Self.value(in: text, after: index).flatMap { value -> Int? in
                guard let name = Self.name(in: text, before: index), isSecret(name) else { return nil }
                if text[value.lowerBound - 1].isQuote {
                    edits.redact(value, value: Array(text[value]))
                } else {
                    edits.replace(value, with: [UInt8(ascii: "0")], value: Array(text[value]))
                }
                return value.upperBound
            }
            index = Self.marks.firstIndex(in: text, from: max(end ?? 0, index + 1))
        }
    }

    /// The range of the value after the mark, a number or a text without its quotes; nil if neither is there.
    private static func value(in text: [UInt8], after mark: Int) -> Range<Int>? {
        guard let start = text[(mark + 1)...].firstIndex(where: { !$0.isWhiteSpace }) else { return nil }
        if text[start].isQuote {
            var end = start + 1
            while end < text.count, text[end] != text[start] { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
            return (start + 1)..<min(end, text.count)
        }
        guard text[mark] == UInt8(ascii: ":"), (0x30...0x39).contains(text[start]) else { return nil }
        return start..<(text[start...].firstIndex { !"0123456789.eE+-".utf8.contains($0) } ?? text.count)
    }

    private static func name(in text: [UInt8], before mark: Int) -> String? {
        var rest = text[..<mark]
        while let last = rest.last, last.isWhiteSpace { rest.removeLast() }
        if rest.last == UInt8(ascii: "'") { rest.removeLast() }
        let start = rest.suffix(longestName).lastIndex { !$0.isPartOfName }.map { $0 + 1 }
        let name = rest[(start ?? max(rest.startIndex, rest.endIndex - longestName))...]
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

extension UInt8 {
    var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

    /// Whether names of XML, GraphQL and programs have it.
    var isPartOfName: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
