import Basics

/// Finds the values of secret fields in JSON, and replaces them where they stand.
///
/// It needs no whole document: a text that was cut off, JSON lines and JSON inside of a page are searched as well.
struct JSONFields {
    /// Bytes of the longest name worth reading.
    private static let longestName = 256
    private static let marks = ByteSet("\"\\".utf8)
    private static let quotes = ByteSet("\"".utf8)
    private static let structure = ByteSet("\"{}".utf8)
    private static let number = ByteSet("0123456789+-.eE".utf8)

    private let isSecret: (ArraySlice<UInt8>) -> Bool
    /// The indices of values that another member of their object marks as secret: `{"name": "password", "value": …}`.
    private var named: Set<Int> = []
    private(set) var edits: Edits
    private var text: [UInt8] { edits.text }

    /// - Parameters:
    ///   - text: The text.
    ///   - isSecret: Whether a name is that of a secret field.
    ///   - isSecretHeader: Whether a name is that of a secret header, as in a list of headers.
    init(
        _ text: [UInt8],
        isSecret: @escaping (ArraySlice<UInt8>) -> Bool,
        isSecretHeader: (String) -> Bool = { _ in false }
    ) {
        self.isSecret = isSecret
        edits = Edits(text)
        named = namedValues { isSecret($0) || isSecretHeader(String(decoding: $0, as: UTF8.self)) }
        let quotes = Self.quotes
        var index = quotes.firstIndex(in: text, from: 0)
        while index < text.count {
            index = quotes.firstIndex(in: text, from: isEscaped(index) ? index + 1 : next(after: index))
        }
    }

    /// Deals with what the quote begins; returns where to go on.
    private mutating func next(after quote: Int) -> Int {
        guard let end = endOfString(from: quote) else { return quote + 1 }
        let content = (quote + 1)..<end
        if content.count <= Self.longestName, let value = startOfValue(after: end),
            named.contains(value) || isSecret(decoded(content))
        {
            return redactValue(at: value)
        }
        return quote + 1
    }

    /// Whether the quote is one in a string: no string begins with it.
    private func isEscaped(_ quote: Int) -> Bool {
        var start = quote
        while start > 0, text[start - 1] == UInt8(ascii: "\\") { start -= 1 }
        return (quote - start) % 2 == 1
    }

    /// The index of the closing quote of the string that begins at `quote`; nil if it has none.
    private func endOfString(from quote: Int) -> Int? {
        var index = Self.marks.firstIndex(in: text, from: quote + 1)
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index }
            index = Self.marks.firstIndex(in: text, from: index + 2)
        }
        return nil
    }

    /// The index of the value after the string that ends at `end`, or nil if that string is not a name.
    private func startOfValue(after end: Int) -> Int? {
        guard let colon = text[(end + 1)...].firstIndex(where: { !$0.isWhiteSpace }), text[colon] == UInt8(ascii: ":")
        else { return nil }
        return text[(colon + 1)...].firstIndex { !$0.isWhiteSpace }
    }

    /// The string without its escapes.
    private func decoded(_ content: Range<Int>) -> ArraySlice<UInt8> {
        text[content].contains(Escape.json.mark) ? Escape.json.decoded(text, content)[...] : text[content]
    }
}

// MARK: Values

extension JSONFields {
    /// Returns the index after the value.
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
        edits.redact(content, value: Array(decoded(content)))
        return min(end + 1, text.count)
    }

    private mutating func redactNumber(at index: Int) -> Int {
        let end = Self.number.firstIndexOutside(in: text, from: index)
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

// MARK: Names and values

extension JSONFields {
    private static let nameKeys: Set<String> = ["name", "key", "field", "header", "parameter", "param"]
    private static let valueKeys: Set<String> = ["value", "val", "content"]

    /// The beginnings of the values that stand beside the name of a secret.
    private func namedValues(_ isSecret: (ArraySlice<UInt8>) -> Bool) -> Set<Int> {
        var found: Set<Int> = []
        var objects: [(isNamed: Bool, values: [Int])] = []
        func close() {
            if let object = objects.popLast(), object.isNamed { found.formUnion(object.values) }
        }
        let marks = Self.structure
        guard text.contains(UInt8(ascii: "{")) else { return [] }
        var index = marks.firstIndex(in: text, from: 0)
        while index < text.count {
            var next = index + 1
            switch text[index] {
            case UInt8(ascii: "{"): objects.append((false, []))
            case UInt8(ascii: "}"): close()
            default:
                // No string begins after one that does not end.
                guard let end = endOfString(from: index) else {
                    next = text.count
                    break
                }
                next = end + 1
                guard end - index < 12, !objects.isEmpty, let value = startOfValue(after: end) else { break }
                let name = String(decoding: decoded((index + 1)..<end), as: UTF8.self).lowercased()
                if Self.valueKeys.contains(name) {
                    objects[objects.count - 1].values.append(value)
                } else if Self.nameKeys.contains(name), text[value] == UInt8(ascii: "\""),
                    let valueEnd = endOfString(from: value), valueEnd - value < Self.longestName,
                    isSecret(decoded((value + 1)..<valueEnd))
                {
                    objects[objects.count - 1].isNamed = true
                }
            }
            index = marks.firstIndex(in: text, from: next)
        }
        while !objects.isEmpty { close() }
        return found
    }
}
