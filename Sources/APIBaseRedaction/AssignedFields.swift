import Basics

/// Finds the values of secret names before a colon or an equals sign: arguments of GraphQL (`password: "…"`),
/// attributes of XML and HTML, literals of programs.
struct AssignedFields {
    private static let marks = ByteSet(":=")

    private(set) var edits: Edits

    init(_ text: [UInt8], isSecret: (ArraySlice<UInt8>) -> Bool) {
        edits = Edits(text)
        var mark = Self.marks.firstIndex(in: text, from: 0)
        while mark < text.count {
            var next = mark + 1
            if let value = Self.value(in: text, after: mark), case let name = Self.name(in: text, before: mark),
                !name.isEmpty, isSecret(name)
            {
                if text[value.lowerBound - 1].isQuote { edits.redact(value) } else { edits.redactNumber(value) }
                next = value.upperBound
            }
            mark = Self.marks.firstIndex(in: text, from: next)
        }
    }

    /// The range of the value after the mark: a number, or a string without its quotes. Nil for other values.
    private static func value(in text: [UInt8], after mark: Int) -> Range<Int>? {
        guard let start = text[(mark + 1)...].firstIndex(where: { !$0.isWhiteSpace }) else { return nil }
        if text[start].isQuote { return (start + 1)..<text.endOfString(text[start], from: start + 1) }
        guard text[mark] == UInt8(ascii: ":"), text[start].isASCIIDigit else { return nil }
        return start..<ByteSet.number.firstIndexOutside(in: text, from: start)
    }

    private static func name(in text: [UInt8], before mark: Int) -> ArraySlice<UInt8> {
        var end = mark
        while end > 0, text[end - 1].isWhiteSpace { end -= 1 }
        if end > 0, text[end - 1] == UInt8(ascii: "'") { end -= 1 }
        var start = end
        while start > 0, end - start < FieldNames.longest, text[start - 1].isPartOfName { start -= 1 }
        return text[start..<end]
    }
}
