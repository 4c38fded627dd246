/// One range of bytes, as `Range` asks for it; of several, none is given.
package struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// Nil if it is none.
    package init?(_ header: String) {
        guard let match = header.wholeMatch(of: /(?i)bytes\s*=\s*(\d*)-(\d*)/), !match.1.isEmpty || !match.2.isEmpty
        else { return nil }
        (first, last) = (Int(match.1), Int(match.2))
        if let first, let last, last < first { return nil }
    }

    /// The part that is meant of so many bytes; nil if there is none.
    package func bounds(in count: Int) -> Range<Int>? {
        guard let first else {
            guard let last, last > 0, count > 0 else { return nil }
            return max(0, count - last)..<count
        }
        return first < count ? first..<min(last ?? .max - 1, count - 1) + 1 : nil
    }
}
