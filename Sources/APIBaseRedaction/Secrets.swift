import Basics

/// Values that are known to be secret. They are removed wherever they occur, in any of their spellings: escaped for
/// URLs, forms, JSON or HTML, wholly or in part; as base64, also inside that of a longer text such as `id:secret`; and
/// as hexadecimal digits. White space and line breaks may be anywhere in them, and letters in the other case, as
/// servers and frameworks write parts of URLs and parameters of headers.
///
/// Errors, logs, recordings, the inspector and ``APIBase/curlText`` all ask this type.
package struct Secrets: Sendable {
    /// Shorter values could be part of any text.
    private static let minimumLength = 6
    /// A text is removed as well if it has a multiple of this length in common with the beginning of a secret.
    private static let step = 64

    private var inserted: Set<[UInt8]> = []
    /// The lengths of all spellings, up to one step, by their first bytes: a bit for each length. One server's tokens
    /// have few different ones.
    private var lengths: [Prefix: UInt64] = [:]
    /// The hashes of all spellings, and of their beginnings of one step, two steps, and so on. If another text has the
    /// same hash, it is removed unnecessarily.
    private var (wholes, beginnings): (Set<UInt64>, Set<UInt64>) = ([], [])
    /// Whether a value begins or ends with plus signs, which do not count where it is looked for.
    private var hasPlusAtEdge = false

    package init() {}

    package var isEmpty: Bool { wholes.isEmpty }
    /// The number of the values in all their spellings.
    package var count: Int { wholes.count }

    package mutating func insert(_ value: some Collection<UInt8>) {
        guard value.count >= Self.minimumLength, !value.elementsEqual(RedactionRules.marker.utf8) else { return }
        let value = Array(value)
        // The other spellings of a known value are known.
        guard inserted.insert(value).inserted else { return }
        for spelling in Self.spellings(of: value) { insert(spelling: spelling) }
        if value.first == .plus || value.last == .plus { hasPlusAtEdge = true }
    }

    /// The value, and its spellings that are no escapes of it, all without bytes that do not count, and in lower case.
    /// A value that is too short to be looked for has no others.
    package static func spellings(of value: [UInt8]) -> [[UInt8]] {
        guard value.count >= minimumLength else { return [value.joined.lowercased] }
        // Clients with a header write their secret as in a form (RFC 6749, section 2.3.1).
        let form = Array((String(valid: value)?.escapedForForm ?? "").utf8)
        let coded = (form.isEmpty || form == value ? [value] : [value, form]).flatMap(\.base64Spellings)
        let own = [value.joined, value.joined.unescaped] + coded.map(\.joined)
        return own.map(\.lowercased) + value.hexadecimalSpellings
    }

    private mutating func insert(spelling: [UInt8]) {
        guard let prefix = Prefix(spelling) else { return }
        var (hash, count) = (Hash(), 0)
        for byte in spelling {
            hash.push(byte)
            count += 1
            if count.isMultiple(of: Self.step) { beginnings.insert(hash.value) }
        }
        wholes.insert(hash.value)
        lengths[prefix, default: 0] |= 1 << UInt64(min(spelling.count, Self.step) - 1)
    }

    package mutating func formUnion(_ others: Secrets) {
        inserted.formUnion(others.inserted)
        lengths.merge(others.lengths) { $0 | $1 }
        wholes.formUnion(others.wholes)
        beginnings.formUnion(others.beginnings)
        hasPlusAtEdge = hasPlusAtEdge || others.hasPlusAtEdge
    }

    package func removed(from text: String) -> String {
        removed(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    package func removed(from data: Data) -> Data { removed(fromBody: Array(data)).map { Data($0) } ?? data }

    /// The bytes without the secrets, also if they are in UTF-16 or UTF-32; nil if they contain none.
    func removed(fromBody body: [UInt8]) -> [UInt8]? {
        guard !isEmpty else { return nil }
        // Other bytes may begin like such a text, so that both readings are searched.
        let clean = WideText(body).flatMap { wide in removed(wide.utf8).map(wide.encoded) }
        return removed(clean ?? body) ?? clean
    }

    /// The text without the secrets; nil if it contains none. What is secret in any form of the text is removed as a
    /// whole, also if a part of it is a secret as well.
    private func removed(_ text: [UInt8]) -> [UInt8]? {
        guard !isEmpty else { return nil }
        let levels = text.searchLevels
        var ranges: [Range<Int>] = []
        for (depth, level) in levels.enumerated().reversed() {
            ranges = Self.merged(places(in: level) + ranges)
            ranges = (depth == 0 ? text : levels[depth - 1]).places(of: ranges, unescaping: depth > 0)
        }
        guard !ranges.isEmpty else { return nil }
        if hasPlusAtEdge { ranges = ranges.map(text.withPluses) }
        var (clean, copied) = ([UInt8](), 0)
        for range in Self.merged(ranges) {
            clean += text[copied..<range.lowerBound]
            clean += text.isNumber(range) ? [UInt8(ascii: "0")] : Array(RedactionRules.marker.utf8)
            copied = range.upperBound
        }
        return clean + text[copied...]
    }

    /// The ranges in order, with one in place of those that overlap.
    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    /// The places of secrets in a joined text. They may overlap.
    private func places(in text: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var (window, start, end) = (Prefix(), -Self.minimumLength, 0)
        for byte in text {
            window.push(byte.lowercasedASCII)
            start += 1
            // A secret that begins in another one is looked for near the end only, which bounds what is read twice.
            guard start >= 0, start > end - Self.step, let lengths = lengths[window],
                let next = endOfValue(of: lengths, in: text, from: start), next > end
            else { continue }
            places.append(start..<next)
            end = next
        }
        return places
    }

    /// The end of the longest secret that begins at `start` and has one of these lengths, or nil. Reads at most one
    /// step more than it finds.
    private func endOfValue(of lengths: UInt64, in text: [UInt8], from start: Int) -> Int? {
        var (hash, end) = (Hash(), Int?.none)
        for index in start..<text.count {
            hash.push(text[index].lowercasedASCII)
            let count = index + 1 - start
            let isLength = count > Self.step || lengths & 1 << UInt64(count - 1) != 0
            if isLength, wholes.contains(hash.value) { end = index + 1 }
            guard count.isMultiple(of: Self.step) else { continue }
            guard beginnings.contains(hash.value) else { break }
            end = index + 1
        }
        return end
    }
}

/// A hash of successive bytes (FNV-1a).
private struct Hash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func push(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

/// The last six bytes of a text.
private struct Prefix: Hashable {
    private var bytes: UInt64 = 0

    init() {}

    /// Nil if there are too few bytes.
    init?(_ value: [UInt8]) {
        guard value.count >= 6 else { return nil }
        for byte in value[..<6] { push(byte) }
    }

    /// Moves the window on by one byte.
    mutating func push(_ byte: UInt8) { bytes = (bytes << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF }
}

extension [UInt8] {
    fileprivate var lowercased: [UInt8] { map(\.lowercasedASCII) }

    /// The bytes as hexadecimal digits, with what people write between them: nothing, colons, hyphens, commas, and
    /// `0x`.
    fileprivate var hexadecimalSpellings: [[UInt8]] {
        let digits = Array("0123456789abcdef".utf8)
        return ["", ":", "-", ",", "0x", ",0x"].map { separator in
            let separator = Array(separator.utf8)
            var text: [UInt8] = []
            for byte in self {
                if !text.isEmpty { text += separator }
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            }
            return text
        }
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

    /// Whether the range is a JSON number between delimiters. Then its replacement has to be a number as well.
    fileprivate func isNumber(_ range: Range<Int>) -> Bool {
        guard self[range].allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return false }
        let before = self[..<range.lowerBound].last { !$0.isWhiteSpace }
        let after = self[range.upperBound...].first { !$0.isWhiteSpace }
        return [":", ",", "["].contains(before.map { Character(Unicode.Scalar($0)) })
            && [",", "]", "}"].contains(after.map { Character(Unicode.Scalar($0)) })
    }
}
