import Basics

/// Finds the values of secret names that stand before a colon or an equals sign: arguments of GraphQL (`password:
/// "…"`), attributes of XML and HTML, literals of programs.
struct AssignedFields {
    private static let longestName = 256
    private static let marks = ByteSet(":=".utf8)
    private static let number = ByteSet("0123456789.eE+-".utf8)

    private(set) var edits: Edits

    init(_ text: [UInt8], isSecret: (ArraySlice<UInt8>) -> Bool) {
        edits = Edits(text)
        var index = Self.marks.firstIndex(in: text, from: 0)
        while index < text.count {
            let end = Self.value(in: text, after: index).flatMap { value -> Int? in
                let name = Self.name(in: text, before: index)
                guard !name.isEmpty, isSecret(name) else { return nil }
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
        guard text[mark] == UInt8(ascii: ":"), text[start].isASCIIDigit else { return nil }
        return start..<number.firstIndexOutside(in: text, from: start)
    }

    private static func name(in text: [UInt8], before mark: Int) -> ArraySlice<UInt8> {
        var end = mark
        while end > 0, text[end - 1].isWhiteSpace { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "'") { end -= 1 }
        var start = end
        while start > 0, end - start < longestName, text[start - 1].isPartOfName { start -= 1 }
        return text[start..<end]
    }
}

extension UInt8 {
    var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

    /// Whether names of XML, GraphQL and programs have it.
    package var isPartOfName: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }
}
