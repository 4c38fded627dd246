import APIBaseKit
import Basics
import Foundation

/// Values that are known to be secret. They are removed wherever they occur, in any encoding.
package struct Secrets: Sendable {
    /// Shorter values could be part of any text.
    private static let minimumLength = 6
    /// A text is removed as well if it has a multiple of this length in common with the beginning of a secret.
    private static let step = 64
    private static let maximumDepth = 4

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
        guard insert(spelling: value.map(\.normalized)) else { return }
        let encoded = Data(value).base64EncodedString()
        let bare = String(encoded.prefix { $0 != "=" })
        let forURLs = bare.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        var (plain, index, bytes) = ([UInt8](), 0, Array(value))
        while index < bytes.count { index = bytes.decode(at: index) { plain.append($0.normalized) } }
        insert(spelling: plain)
        for text in Set([encoded, bare, forURLs]) { insert(spelling: Array(text.utf8)) }
    }

    /// Returns whether the spelling is new.
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

extension Secrets: HAREditor {
    package func remove(from entry: inout HAR.Entry) {
        guard !isEmpty else { return }
        var editor = self
        entry.edit(with: &editor)
    }

    package func remove(from request: inout HAR.Request) {
        guard !isEmpty else { return }
        var editor = self
        request.edit(with: &editor)
    }

    func edited(_ text: String) -> String { removed(from: text) }

    func edited(label: String) -> String { removed(from: label) }

    func edited(_ body: Data, type: String) -> Data? { removed(from: body) }

    func edited(_ fields: [HAR.Field], of part: HAR.Part) -> [HAR.Field] {
        fields.map { HAR.Field(name: removed(from: $0.name), value: removed(from: $0.value)) }
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
    fileprivate var normalized: UInt8 { self == 0x20 ? UInt8(ascii: "+") : self }

    /// Whether an escape of URLs, JSON or HTML begins with it.
    fileprivate var isEscape: Bool {
        self == UInt8(ascii: "%") || self == UInt8(ascii: "\\") || self == UInt8(ascii: "&")
    }
}

extension [UInt8] {
    /// Passes the bytes of one escape of URLs, JSON or HTML, or one other byte, to `body`. Returns the index after it.
    fileprivate func decode(at index: Int, _ body: (UInt8) -> Void) -> Int {
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
