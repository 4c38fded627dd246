import Basics

/// Finds the values of secret names before a colon or an equals sign: arguments of GraphQL (`password: "…"`),
/// attributes of XML and HTML, literals of programs, and words in prose (`token=…`, `Authorization: Bearer …`).
struct AssignedFields {
    private static let marks = ByteSet(":=")
    private static let endsOfWords = ByteSet("\"'&;, \t\r\n")

    private(set) var edits: Edits

    /// - Parameters:
    ///   - text: The text to search.
    ///   - areWords: True if a value may also be a word without quotes.
    ///   - isSecret: Returns true for the name of a secret field.
    init(_ text: [UInt8], areWords: Bool = false, isSecret: (ArraySlice<UInt8>) -> Bool) {
        edits = Edits(text)
        var mark = Self.marks.firstIndex(in: text, from: 0)
        while mark < text.count {
            var next = mark + 1
            if let value = Self.value(in: text, after: mark, isWord: areWords),
                case let name = Self.name(in: text, before: mark),
                !name.isEmpty, isSecret(name)
            {
                if areWords || text[value.lowerBound - 1].isQuote {
                    edits.redact(value)
                } else {
                    edits.redactNumber(value)
                }
                next = value.upperBound
            }
            mark = Self.marks.firstIndex(in: text, from: next)
        }
    }

    /// The range of the value after the mark: a number, a string without its quotes, or a word without a scheme before
    /// it. Nil for other values.
    private static func value(in text: [UInt8], after mark: Int, isWord: Bool) -> Range<Int>? {
        guard let start = text[(mark + 1)...].firstIndex(where: { !$0.isWhiteSpace }) else { return nil }
        if text[start].isQuote { return (start + 1)..<text.endOfString(text[start], from: start + 1) }
        if isWord {
            let word = Credentials.afterScheme(in: text, at: start) ?? start
            return word..<endsOfWords.firstIndex(in: text, from: word)
        }
        guard text[mark] == UInt8(ascii: ":"), text[start].isASCIIDigit else { return nil }
        return start..<ByteSet.number.firstIndexOutside(in: text, from: start)
    }

    private static func name(in text: [UInt8], before mark: Int) -> ArraySlice<UInt8> {
        var end = mark
        while end > 0, text[end - 1].isWhiteSpace { end -= 1 }
        if end > 0, text[end - 1].isQuote { end -= 1 }
        var start = end
        while start > 0, end - start < FieldNames.longest, isPartOfName(text[start - 1]) { start -= 1 }
        return text[start..<end]
    }

    /// Forms write nested fields in brackets.
    private static func isPartOfName(_ byte: UInt8) -> Bool { byte.isPartOfName || "[]".utf8.contains(byte) }
}
