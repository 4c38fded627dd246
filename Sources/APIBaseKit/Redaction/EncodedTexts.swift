import Basics

/// The parts of a text that are texts themselves, written with escapes: `https%3A%2F%2Fh%2F`, `"{\"a\": 1}"`,
/// `&lt;p&gt;`.
package struct EncodedTexts {
    /// The text with all parts that have been changed, each in its encoding.
    package private(set) var edits: Edits
    private let text: [UInt8]
    private let escape: Escape

    /// - Parameters:
    ///   - text: The text around them.
    ///   - escape: How they are written.
    ///   - change: Gets each without escapes, and gives what takes its place and what that has replaced; nil leaves it.
    package init(
        in text: [UInt8],
        by escape: Escape,
        _ change: (_ part: [UInt8]) -> (bytes: [UInt8], found: [[UInt8]])?
    ) {
        (self.text, self.escape) = (text, escape)
        edits = Edits(text)
        let marks = escape.marks
        var done = 0
        var index = marks.firstIndex(in: text, from: 0)
        while index < text.count {
            guard let part = part(around: index, from: done) else {
                done = max(done, index + 1)
                index = marks.firstIndex(in: text, from: done)
                continue
            }
            if let changed = change(escape.decoded(text, part)) {
                edits.replace(part, with: escape.encoded(changed.bytes, like: text[part]), value: [])
                edits.add(changed.found)
            }
            done = part.upperBound
            index = marks.firstIndex(in: text, from: done)
        }
    }

    /// The part that the escape at `index` belongs to, or nil.
    private func part(around index: Int, from done: Int) -> Range<Int>? {
        guard text.escapeSequence(at: index) != nil else { return nil }
        func extent(_ isPart: (UInt8) -> Bool) -> Range<Int> {
            let start = text[done..<index].lastIndex { !isPart($0) }.map { $0 + 1 } ?? done
            return start..<(text[index...].firstIndex { !isPart($0) } ?? text.count)
        }
        switch escape {
        case .percent: return extent(\.isEscapedForURLs)
        case .html: return extent { !"<>\"".utf8.contains($0) }
        case .json:
            guard let quote = text[done..<index].lastIndex(of: UInt8(ascii: "\"")) else { return nil }
            var end = index
            while end < text.count, text[end] != UInt8(ascii: "\"") {
                end += text[end] == escape.mark ? 2 : 1
            }
            // A text that was cut off ends in a string.
            return (quote + 1)..<min(end, text.count)
        }
    }
}
