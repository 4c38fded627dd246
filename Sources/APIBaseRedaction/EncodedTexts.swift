import Basics

/// Finds the parts of a text that are texts with escapes: `https%3A%2F%2Fh%2F`, `"{\"a\": 1}"`, `&lt;p&gt;`.
package struct EncodedTexts {
    /// The text with the changed parts, each escaped again.
    package private(set) var edits: Edits
    private let text: [UInt8]
    private let escape: Escape

    /// - Parameters:
    ///   - text: The text to search.
    ///   - escape: The kind of escapes.
    ///   - change: Called with each part, without its escapes. Returns the replacement, or nil to keep the part.
    package init(in text: [UInt8], by escape: Escape, _ change: (_ part: [UInt8]) -> RedactedBytes?) {
        (self.text, self.escape) = (text, escape)
        edits = Edits(text)
        var done = 0
        var index = text.index(of: escape.mark, from: 0)
        while index < text.count {
            if let part = part(around: index, from: done) {
                if let changed = change(Array(escape.decoded(text, part))) {
                    edits.replace(part, with: escape.encoded(changed.bytes, like: text[part]), found: changed.found)
                }
                done = part.upperBound
            } else {
                done = index + 1
            }
            index = text.index(of: escape.mark, from: done)
        }
    }

    /// The part that contains the escape at `index`; nil if there is no escape. It begins at `done` or later.
    private func part(around index: Int, from done: Int) -> Range<Int>? {
        guard text.escapeSequence(at: index) != nil else { return nil }
        func extent(_ isPart: (UInt8) -> Bool) -> Range<Int> {
            let start = text[done..<index].lastIndex { !isPart($0) }.map { $0 + 1 } ?? done
            return start..<(text[index...].firstIndex { !isPart($0) } ?? text.count)
        }
        switch escape {
        case .percent: return extent { $0.isUnreserved || "%+!*()".utf8.contains($0) }
        case .html: return extent { !"<>\"".utf8.contains($0) }
        case .json:
            guard let quote = text[done..<index].lastIndex(of: UInt8(ascii: "\"")) else { return nil }
            // A text that was cut off ends in a string.
            return (quote + 1)..<text.endOfString(from: index)
        }
    }
}

/// Limits the total length of the encoded texts that are searched in one text.
///
/// The limit is a multiple of the text's length, since the same bytes may be read in several encodings. Without it,
/// nested encodings would multiply the work. An encoded text beyond the limit is redacted as a whole.
package final class ScanBudget {
    private var bytes: Int

    package init(for text: [UInt8]) { bytes = 4 * text.count }

    /// Takes the length of an encoded text from the budget. Returns false if the budget is used up.
    package func take(_ text: [UInt8]) -> Bool {
        bytes -= text.count
        return bytes >= 0
    }
}
