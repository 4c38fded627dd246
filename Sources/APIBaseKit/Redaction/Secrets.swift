import Basics
import Foundation

/// Values that have turned out to be secret, and how they are removed from where nobody expected them.
package struct Secrets: Sendable {
    /// Fewer bytes could be a part of anything.
    private static let leastBytes = 6
    private static let deepest = 4

    /// All values, as they are compared.
    private var values: Set<[UInt8]> = []
    /// The lengths of the values, by what they begin with: tokens of one server are all alike there, and of few lengths.
    private var lengths: [Prefix: Set<Int>] = [:]

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    /// Remembers a value, if it is long enough, and its base64 in the usual alphabets, with padding and without.
    package mutating func insert(_ value: some Collection<UInt8>) {
        guard value.count >= Self.leastBytes, !value.elementsEqual(Redaction.marker.utf8) else { return }
        let encoded = Data(value).base64EncodedString()
        let bare = String(encoded.prefix { $0 != "=" })
        let forURLs = bare.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        insert(spelling: value.map(\.comparable))
        insert(spelling: Array(value).unescaped(from: 0, atMost: value.count).bytes)
        for text in Set([encoded, bare, forURLs]) { insert(spelling: Array(text.utf8)) }
    }

    private mutating func insert(spelling: [UInt8]) {
        guard let prefix = Prefix(spelling), values.insert(spelling).inserted else { return }
        lengths[prefix, default: []].insert(spelling.count)
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
    private func change(_ text: [UInt8], depth: Int = 0) -> [UInt8]? {
        var clean = withoutValues(text)
        guard depth < Self.deepest else { return clean }
        for escape in Escape.allCases {
            // What is escaped once has been seen; an escape inside of an escape has not.
            let edits = EncodedTexts(in: clean ?? text, by: escape) { part in
                guard part.contains(where: \.isEscape) else { return nil }
                return change(part, depth: depth + 1).map { ($0, []) }
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
            let prefix =
                lastEscape < start ? window : Prefix(text.unescaped(from: start, atMost: Self.leastBytes).bytes)
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
    private func endOfValue(of lengths: Set<Int>, in text: [UInt8], from index: Int) -> Int? {
        let (bytes, ends) = text.unescaped(from: index, atMost: lengths.max() ?? 0)
        for length in lengths.sorted(by: >) where length <= bytes.count {
            if values.contains(Array(bytes[..<length])) { return ends[length - 1] }
        }
        return nil
    }
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
    /// The text from `start` on without the escapes of URLs, forms, JSON and HTML: at most that many bytes, and the index at
    /// which each of them ends.
    fileprivate func unescaped(from start: Int, atMost length: Int) -> (bytes: [UInt8], ends: [Int]) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        var index = start
        while index < count, bytes.count < length {
            let byte = self[index]
            let (meant, width) = (byte.isEscape ? escapeSequence(at: index) : nil) ?? ([byte], 1)
            index += width
            for byte in meant {
                bytes.append(byte.comparable)
                ends.append(index)
            }
        }
        return (bytes, ends)
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
