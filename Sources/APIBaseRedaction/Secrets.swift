import Basics

/// Values that are known to be secret. They are removed wherever they occur, in any of their spellings: escaped for
/// URLs, forms, JSON or HTML, wholly or in part; as base64, also inside that of a longer text such as `id:secret`; and
/// as hexadecimal digits.
///
/// Errors, logs, recordings, the inspector and ``APIBase/curlText`` all ask this type.
package struct Secrets: Sendable {
    /// Shorter values could be part of any text.
    private static let minimumLength = 6
    /// A text is removed as well if it has a multiple of this length in common with the beginning of a secret.
    private static let step = 64
    private static let maximumDepth = 4

    private var inserted: Set<[UInt8]> = []
    /// The inserted values in all their spellings.
    private var values: Set<[UInt8]> = []
    /// The lengths of the values, up to one step, by their first bytes. One server's tokens have few different ones.
    private var lengths: [Prefix: Set<Int>] = [:]
    /// The hashes of the values, and of their beginnings of one step, two steps, and so on. If another text has the
    /// same hash, it is removed unnecessarily.
    private var (wholes, beginnings): (Set<UInt64>, Set<UInt64>) = ([], [])

    package init() {}

    package var isEmpty: Bool { values.isEmpty }
    /// The number of the values in all their spellings.
    package var count: Int { values.count }

    package mutating func insert(_ value: some Collection<UInt8>) {
        guard value.count >= Self.minimumLength, !value.elementsEqual(RedactionRules.marker.utf8) else { return }
        // The other spellings of a known value are known.
        guard inserted.insert(Array(value)).inserted else { return }
        insert(spelling: value.map(\.normalized))
        for spelling in Self.spellings(of: Array(value)) { insert(spelling: spelling) }
    }

    /// The spellings of a value that are no escapes of it.
    static func spellings(of value: [UInt8]) -> [[UInt8]] {
        var (plain, index) = ([UInt8](), 0)
        while index < value.count { index = value.decode(at: index) { plain.append($0.normalized) } }
        var result = [plain, value.hexadecimal("0123456789abcdef"), value.hexadecimal("0123456789ABCDEF")]
        // Clients with a header write their secret as in a form (RFC 6749, section 2.3.1).
        let form = Array((String(valid: value)?.escapedForForm ?? "").utf8)
        for text in form.isEmpty || form == value ? [value] : [value, form] { result += text.base64Spellings }
        return result
    }

    private mutating func insert(spelling: [UInt8]) {
        guard let prefix = Prefix(spelling), values.insert(spelling).inserted else { return }
        lengths[prefix, default: []].insert(min(spelling.count, Self.step))
        var hash = Hash()
        for (index, byte) in spelling.enumerated() {
            hash.push(byte)
            if (index + 1).isMultiple(of: Self.step) { beginnings.insert(hash.value) }
        }
        wholes.insert(hash.value)
    }

    package mutating func formUnion(_ others: Secrets) {
        inserted.formUnion(others.inserted)
        for value in others.values { insert(spelling: value) }
    }

    package func removed(from text: String) -> String {
        removed(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    package func removed(from data: Data) -> Data { removed(Array(data)).map { Data($0) } ?? data }

    /// The bytes without the secrets; nil if they contain none.
    private func removed(_ text: [UInt8], depth: Int = 0, budget: ScanBudget? = nil) -> [UInt8]? {
        guard !isEmpty else { return nil }
        var clean = withoutValues(text)
        guard depth < Self.maximumDepth else { return clean }
        let budget = budget ?? ScanBudget(for: text)
        for escape in Escape.allCases {
            let edits = EncodedTexts(in: clean ?? text, by: escape) { part in
                // Text with one level of escapes has been searched above.
                guard part.contains(where: \.isEscape) else { return nil }
                guard budget.take(part) else { return (Array(RedactionRules.marker.utf8), []) }
                return removed(part, depth: depth + 1, budget: budget).map { ($0, []) }
            }.edits
            if !edits.isEmpty { clean = edits.result }
        }
        return clean
    }

    private func withoutValues(_ text: [UInt8]) -> [UInt8]? {
        var clean: [UInt8] = []
        var (copied, window, lastEscape) = (0, Prefix(), -1)
        for (last, byte) in text.enumerated() {
            window.push(byte.normalized)
            if byte.isEscape { lastEscape = last }
            let start = last + 1 - Self.minimumLength
            guard start >= copied else { continue }
            let prefix = lastEscape < start ? window : Prefix(decodedFrom: text, at: start)
            guard let prefix, let lengths = lengths[prefix], let end = endOfValue(of: lengths, in: text, from: start)
            else { continue }
            clean += text[copied..<start]
            clean += text.isNumber(start..<end) ? [UInt8(ascii: "0")] : Array(RedactionRules.marker.utf8)
            copied = end
        }
        return copied == 0 ? nil : clean + text[copied...]
    }

    /// The end of the longest secret that begins at `index` and has one of these lengths, or nil. Reads at most one
    /// step more than it finds.
    private func endOfValue(of lengths: Set<Int>, in text: [UInt8], from index: Int) -> Int? {
        var (hash, count, end, next) = (Hash(), 0, Int?.none, index)
        var (isEnd, mayBeLonger) = (false, true)
        while mayBeLonger, next < text.count {
            isEnd = false
            next = text.decode(at: next) { byte in
                hash.push(byte.normalized)
                count += 1
                let isLength = count > Self.step || lengths.contains(count)
                isEnd = isEnd || isLength && wholes.contains(hash.value)
                guard count.isMultiple(of: Self.step) else { return }
                mayBeLonger = beginnings.contains(hash.value)
                isEnd = isEnd || mayBeLonger
            }
            if isEnd { end = next }
        }
        return end
    }
}

/// A hash of successive bytes (FNV-1a).
private struct Hash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func push(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

private struct Prefix: Hashable {
    private var bytes: UInt64 = 0

    init() {}

    /// Nil if there are too few bytes.
    init?(_ value: [UInt8]) {
        guard value.count >= 6 else { return nil }
        for byte in value[..<6] { push(byte) }
    }

    /// The prefix of the decoded text at an index; nil if there are too few bytes.
    init?(decodedFrom text: [UInt8], at start: Int) {
        var (count, index) = (0, start)
        while index < text.count, count < 6 {
            index = text.decode(at: index) { byte in
                if count < 6 { push(byte.normalized) }
                count += 1
            }
        }
        guard count >= 6 else { return nil }
    }

    /// Moves the window on by one byte.
    mutating func push(_ byte: UInt8) { bytes = (bytes << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF }
}

extension UInt8 {
    /// The byte for comparisons. Forms write a space as a plus sign.
    var normalized: UInt8 { self == 0x20 ? UInt8(ascii: "+") : self }

    /// Whether an escape of URLs, JSON or HTML begins with it.
    fileprivate var isEscape: Bool {
        self == UInt8(ascii: "%") || self == UInt8(ascii: "\\") || self == UInt8(ascii: "&")
    }
}

extension [UInt8] {
    fileprivate func hexadecimal(_ digits: StaticString) -> [UInt8] {
        digits.withUTF8Buffer { digits in flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } }
    }

    /// These bytes in base64 and base64url (RFC 4648), with and without padding, and the characters that depend on
    /// them alone if other bytes are before and after them.
    fileprivate var base64Spellings: Set<[UInt8]> {
        var result: Set<[UInt8]> = []
        for offset in 0..<3 {
            let whole = Array((Data(count: offset) + self).base64EncodedData())
            let own = whole[((offset * 8 + 5) / 6)..<((offset + count) * 8 / 6)]
            let texts = offset == 0 ? [own, whole[...], whole.prefix { $0 != UInt8(ascii: "=") }] : [own]
            for text in texts {
                result.insert(Array(text))
                result.insert(text.map { $0 == UInt8(ascii: "+") ? 0x2D : $0 == UInt8(ascii: "/") ? 0x5F : $0 })
            }
        }
        return result
    }

    /// Passes the bytes of one escape of URLs, JSON or HTML, or one other byte, to `body`. Returns the index after it.
    func decode(at index: Int, _ body: (UInt8) -> Void) -> Int {
        guard self[index].isEscape, let escape = escapeSequence(at: index) else {
            body(self[index])
            return index + 1
        }
        for byte in escape { body(byte) }
        return index + escape.length
    }

    /// Whether the range is a JSON number between delimiters. Then its replacement has to be a number as well.
    fileprivate func isNumber(_ range: Range<Int>) -> Bool {
        guard self[range].allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return false }
        let before = self[..<range.lowerBound].last { !$0.isWhiteSpace }
        let after = self[range.upperBound...].first { !$0.isWhiteSpace }
        return [":", ",", "["].contains(before.map { Character(Unicode.Scalar($0)) })
            && [",", "]", "}"].contains(after.map { Character(Unicode.Scalar($0)) })
    }
}
