import Basics

extension [UInt8] {
    /// This text in the forms in which secrets are looked for, each made from the one before: first without the bytes
    /// that do not count (``Swift/UInt8/isFiller``), then with one more level of escapes removed: as many as there can
    /// be encodings around a place, and one for the value in it.
    package var searchLevels: [[UInt8]] {
        var (levels, last) = ([[UInt8]](), joined)
        while levels.count <= Escape.deepest, last.contains(where: \.isEscape), case let next = last.unescaped,
            next.count < last.count
        {
            levels.append(last)
            last = next
        }
        return levels + [last]
    }

    /// These bytes without those that do not count.
    var joined: [UInt8] { filter { !$0.isFiller } }

    /// The joined text without one level of escapes.
    var unescaped: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        forEachUnit(unescaping: true) { byte, _ in result.append(byte) }
        return result
    }

    /// The places in this text of ranges in the joined text, or in that without one level of escapes. The ranges are
    /// in order, and do not overlap.
    func places(of ranges: [Range<Int>], unescaping: Bool) -> [Range<Int>] {
        guard !ranges.isEmpty else { return [] }
        var (places, count, start) = ([Range<Int>](), 0, 0)
        forEachUnit(unescaping: unescaping) { _, place in
            guard places.count < ranges.count else { return }
            if count == ranges[places.count].lowerBound { start = place.lowerBound }
            count += 1
            if count == ranges[places.count].upperBound { places.append(start..<place.upperBound) }
        }
        return places
    }

    /// Passes each byte that counts, and its place, or that of the escape that encodes it.
    @inline(__always) private func forEachUnit(unescaping: Bool, _ body: (UInt8, Range<Int>) -> Void) {
        var index = 0
        while index < count {
            if unescaping, self[index].isEscape, let escape = escapeSequence(at: index) {
                for byte in escape where !byte.isFiller { body(byte, index..<(index + escape.length)) }
                index += escape.length
            } else {
                if !self[index].isFiller { body(self[index], index..<(index + 1)) }
                index += 1
            }
        }
    }
}

extension [UInt8] {
    private static let pluses = ["+", "%2b", "%252b", #"\u002b"#, "&#43;", "&#x2b;", "&plus;"].map { Array($0.utf8) }

    /// The range with the plus signs beside it.
    func withPluses(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while let plus = Self.pluses.first(where: { self[..<start].suffix($0.count).map(\.lowercasedASCII) == $0 }) {
            start -= plus.count
        }
        while let plus = Self.pluses.first(where: { self[end...].prefix($0.count).map(\.lowercasedASCII) == $0 }) {
            end += plus.count
        }
        return start..<end
    }
}

extension UInt8 {
    static let plus = UInt8(ascii: "+")

    /// True for bytes that do not count in comparisons with secrets: white space, since long texts are wrapped, and the
    /// plus sign, which forms write for a space.
    var isFiller: Bool { self == 0x20 || (0x09...0x0D).contains(self) || self == .plus }

    /// Whether an escape of URLs, JSON or HTML begins with it.
    fileprivate var isEscape: Bool {
        self == UInt8(ascii: "%") || self == UInt8(ascii: "\\") || self == UInt8(ascii: "&")
    }
}
