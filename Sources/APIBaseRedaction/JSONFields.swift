import Basics

/// Finds the values of secret fields in JSON.
///
/// The text need not be a whole document: text that was cut off, JSON lines and JSON inside a page are searched too.
struct JSONFields {
    private static let structure = ByteSet("\"{}")

    private let isSecret: (ArraySlice<UInt8>) -> Bool
    /// The indices of the values of secret pairs: `{"name": "password", "value": …}`.
    private var pairValues: Set<Int> = []
    private(set) var edits: Edits
    private var text: [UInt8] { edits.text }

    /// - Parameters:
    ///   - text: The text to search.
    ///   - isSecret: Returns true for the name of a secret field.
    ///   - isSecretHeader: Returns true for the name of a secret header. Lists of headers are often lists of pairs.
    init(
        _ text: [UInt8],
        isSecret: @escaping (ArraySlice<UInt8>) -> Bool,
        isSecretHeader: (String) -> Bool = { _ in false }
    ) {
        self.isSecret = isSecret
        edits = Edits(text)
        pairValues = secretPairValues { isSecret($0) || isSecretHeader(String(decoding: $0, as: UTF8.self)) }
        var index = text.index(of: UInt8(ascii: "\""), from: 0)
        while index < text.count {
            let next = isEscaped(index) ? index + 1 : redactValue(ofNameAt: index)
            index = text.index(of: UInt8(ascii: "\""), from: next)
        }
    }

    /// Redacts the value if a secret name begins at the quote. Returns the index after what was read.
    private mutating func redactValue(ofNameAt quote: Int) -> Int {
        guard let end = endOfString(from: quote) else { return quote + 1 }
        let content = (quote + 1)..<end
        guard content.count <= FieldNames.longest, let value = startOfValue(after: end),
            pairValues.contains(value) || isSecret(decoded(content))
        else { return quote + 1 }
        return redactValue(at: value)
    }

    /// True if the quote is escaped, so that no string begins with it.
    private func isEscaped(_ quote: Int) -> Bool {
        var start = quote
        while start > 0, text[start - 1] == UInt8(ascii: "\\") { start -= 1 }
        return (quote - start) % 2 == 1
    }

    /// The index of the closing quote of the string that begins at `quote`, or nil.
    private func endOfString(from quote: Int) -> Int? {
        let end = text.endOfString(from: quote + 1)
        return end < text.count ? end : nil
    }

    /// The index of the value after the string that ends at `end`; nil if that string is not a name.
    private func startOfValue(after end: Int) -> Int? {
        guard let colon = text[(end + 1)...].firstIndex(where: { !$0.isWhiteSpace }), text[colon] == UInt8(ascii: ":")
        else { return nil }
        return text[(colon + 1)...].firstIndex { !$0.isWhiteSpace }
    }

    private func decoded(_ content: Range<Int>) -> ArraySlice<UInt8> { Escape.json.decoded(text, content) }
}

// MARK: Values

extension JSONFields {
    /// Redacts the value. Returns the index after it.
    private mutating func redactValue(at index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "\""): redactString(at: index)
        case UInt8(ascii: "{"), UInt8(ascii: "["): redactLeaves(from: index)
        default: redactNumber(at: index)
        }
    }

    private mutating func redactString(at quote: Int) -> Int {
        let end = text.endOfString(from: quote + 1)
        edits.redact((quote + 1)..<end, value: decoded((quote + 1)..<end))
        return min(end + 1, text.count)
    }

    private mutating func redactNumber(at index: Int) -> Int {
        let end = ByteSet.number.firstIndexOutside(in: text, from: index)
        guard end > index else { return index + 1 }
        // `true` and `false` end in a byte of numbers, but begin with none.
        if text[index] == UInt8(ascii: "-") || text[index].isASCIIDigit { edits.redactNumber(index..<end) }
        return end
    }

    /// Redacts everything in an object or array except the names, which are needed to decode it.
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

// MARK: Pairs

extension JSONFields {
    private static let nameKeys: Set<String> = ["name", "key", "field", "header", "parameter", "param"]
    private static let valueKeys: Set<String> = ["value", "val", "content"]

    /// The indices of the values in objects that name a secret in another field.
    private func secretPairValues(_ isSecret: (ArraySlice<UInt8>) -> Bool) -> Set<Int> {
        guard text.contains(UInt8(ascii: "{")) else { return [] }
        var found: Set<Int> = []
        var objects: [(isSecret: Bool, values: [Int])] = []
        func close() {
            if let object = objects.popLast(), object.isSecret { found.formUnion(object.values) }
        }
        var index = Self.structure.firstIndex(in: text, from: 0)
        while index < text.count {
            var next = index + 1
            switch text[index] {
            case UInt8(ascii: "{"): objects.append((false, []))
            case UInt8(ascii: "}"): close()
            default:
                // After a string without an end, no other string begins.
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
                    let valueEnd = endOfString(from: value), valueEnd - value < FieldNames.longest,
                    isSecret(decoded((value + 1)..<valueEnd))
                {
                    objects[objects.count - 1].isSecret = true
                }
            }
            index = Self.structure.firstIndex(in: text, from: next)
        }
        while !objects.isEmpty { close() }
        return found
    }
}
