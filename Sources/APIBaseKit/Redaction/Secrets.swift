import Basics
import Foundation

/// Values that have turned out to be secret, and how they are removed from where nobody expected them.
package struct Secrets: Sendable {
    /// Fewer bytes could be a part of anything.
    private static let leastBytes = 6
    /// What has so many bytes in common with the beginning of a longer secret is one as well.
    private static let step = 64
    private static let deepest = 4

    /// All values, as they are compared.
    private var values: Set<[UInt8]> = []
    /// The lengths of the values up to that of a step, by what they begin with: tokens of one server are all alike there, and
    /// of few lengths.
    private var lengths: [Prefix: Set<Int>] = [:]
    /// The hashes of the values, and of their beginnings of one step, of two, and so on. Two texts of one hash would have one
    /// of them removed without need.
    private var (wholes, beginnings): (Set<UInt64>, Set<UInt64>) = ([], [])

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    /// Remembers a value, if it is long enough, and its base64 in the usual alphabets, with padding and without.
    package mutating func insert(_ value: some Collection<UInt8>) {
        guard value.count >= Self.leastBytes, !value.elementsEqual(Redaction.marker.utf8) else { return }
        // The other spellings of what is known are known.
        guard insert(spelling: value.map(\.comparable)) else { return }
        let encoded = Data(value).base64EncodedString()
        let bare = String(encoded.prefix { $0 != "=" })
        let forURLs = bare.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        var (plain, index, bytes) = ([UInt8](), 0, Array(value))
        while index < bytes.count { index = bytes.meant(at: index) { plain.append($0.comparable) } }
        insert(spelling: plain)
        for text in Set([encoded, bare, forURLs]) { insert(spelling: Array(text.utf8)) }
    }

    /// Whether the spelling is a new one.
    @discardableResult
    private mutating func insert(spelling: [UInt8]) -> Bool {
        guard let prefix = Prefix(spelling), values.insert(spelling).inserted else { return false }
        lengths[prefix, default: []].insert(min(spelling.count, Self.step))
        var hash = Hash()
        for (index, byte) in spelling.enumerated() {
            hash.push(byte)
            if (index + 1).isMultiple(of: Self.step) { beginnings.insert(hash.value) }
        }
        wholes.insert(hash.value)
        return true
    }

    package mutating func formUnion(_ others: Secrets) { for value in others.values { insert(spelling: value) } }

    /// The text without any of the values.
    package func removed(from text: String) -> String {
        guard !isEmpty else { return text }
        return change(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The bytes without any of the values, however they are escaped.
    package func removed(from text: [UInt8]) -> [UInt8] { isEmpty ? text : change(text) ?? text }

    /// The bytes without the values; nil if there are none.
    private func change(_ text: [UInt8], depth: Int = 0, allowance: Allowance? = nil) -> [UInt8]? {
        var clean = withoutValues(text)
        guard depth < Self.deepest else { return clean }
        let allowance = allowance ?? Allowance(for: text)
        for escape in Escape.allCases {
            // What is escaped once has been seen; an escape inside of an escape has not.
            let edits = EncodedTexts(in: clean ?? text, by: escape) { part in
                guard part.contains(where: \.isEscape) else { return nil }
                guard allowance.take(part) else { return (Array(Redaction.marker.utf8), []) }
                return change(part, depth: depth + 1, allowance: allowance).map { ($0, []) }
            }.edits
            if !edits.isEmpty { clean = edits.result }
        }
        return clean
    }

    private func withoutValues(_ text: [UInt8]) -> [UInt8]? {
        var clean: [UInt8] = []
        var (copied, window, lastEscape) = (0, Prefix(), -1)
        for (last, byte) in text.enumerated() {
            window.push(byte.comparable)
            if byte.isEscape { lastEscape = last }
            let start = last + 1 - Self.leastBytes
            guard start >= copied else { continue }
            let prefix = lastEscape < start ? window : Prefix(meantIn: text, from: start)
            guard let prefix, let lengths = lengths[prefix], let end = endOfValue(of: lengths, in: text, from: start)
            else { continue }
            clean += text[copied..<start]
            clean += text.isNumber(start..<end) ? [UInt8(ascii: "0")] : Array(Redaction.marker.utf8)
            copied = end
        }
        return copied == 0 ? nil : clean + text[copied...]
    }

    /// The end of the secret of one of these lengths that begins at `index`; nil if there is none. The longest one counts, so
    /// that nothing is left of one that has another at its beginning.
    ///
    /// No more is read than what is removed, and a step after it.
    private func endOfValue(of lengths: Set<Int>, in text: [UInt8], from index: Int) -> Int? {
        var (hash, count, end, next) = (Hash(), 0, Int?.none, index)
        var (isEnd, goesOn) = (false, true)
        while goesOn, next < text.count {
            isEnd = false
            next = text.meant(at: next) { byte in
                hash.push(byte.comparable)
                count += 1
                let isLength = count > Self.step || lengths.contains(count)
                isEnd = isEnd || isLength && wholes.contains(hash.value)
                guard count.isMultiple(of: Self.step) else { return }
                goesOn = beginnings.contains(hash.value)
                isEnd = isEnd || goesOn
            }
            if isEnd { end = next }
        }
        return end
    }
}

/// A hash of bytes that come one after another (FNV-1a).
private struct Hash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func push(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

/// The first six bytes of a secret, by which candidates are found.
private struct Prefix: Hashable {
    private var bytes: UInt64 = 0

    init() {}

    /// Nil if there are too few bytes.
    init?(_ value: [UInt8]) {
        guard value.count >= 6 else { return nil }
        for byte in value[..<6] { push(byte) }
    }

    /// That of what is meant from an index on; nil if there are too few bytes.
    init?(meantIn text: [UInt8], from start: Int) {
        var (count, index) = (0, start)
        while index < text.count, count < 6 {
            index = text.meant(at: index) { byte in
                if count < 6 { push(byte.comparable) }
                count += 1
            }
        }
        guard count >= 6 else { return nil }
    }

    /// Moves on by one byte.
    mutating func push(_ byte: UInt8) { bytes = (bytes << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF }
}

extension UInt8 {
    /// Forms write a space as a plus sign.
    fileprivate var comparable: UInt8 { self == 0x20 ? UInt8(ascii: "+") : self }

    /// Whether an escape of URLs, JSON or HTML begins with it.
    fileprivate var isEscape: Bool {
        self == UInt8(ascii: "%") || self == UInt8(ascii: "\\") || self == UInt8(ascii: "&")
    }
}

extension [UInt8] {
    /// Takes the bytes that are meant by one byte or one escape of URLs, forms, JSON and HTML; returns where to go on.
    fileprivate func meant(at index: Int, _ take: (UInt8) -> Void) -> Int {
        guard self[index].isEscape, let escape = escapeSequence(at: index) else {
            take(self[index])
            return index + 1
        }
        for byte in escape { take(byte) }
        return index + escape.length
    }

    /// Whether a number of JSON stands there on its own: what takes its place must be one too.
    fileprivate func isNumber(_ range: Range<Int>) -> Bool {
        guard self[range].allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return false }
        let before = self[..<range.lowerBound].last { !$0.isWhiteSpace }
        let after = self[range.upperBound...].first { !$0.isWhiteSpace }
        return [":", ",", "["].contains(before.map { Character(Unicode.Scalar($0)) })
            && [",", "]", "}"].contains(after.map { Character(Unicode.Scalar($0)) })
    }
}
