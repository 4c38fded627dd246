/// Replacements in a text, and the values that were replaced.
package struct Edits {
    private(set) var text: [UInt8]
    package private(set) var found: [[UInt8]] = []
    private var copied = 0
    private var output: [UInt8] = []

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// Replaces a range after all that were replaced before.
    ///
    /// - Parameters:
    ///   - range: What is replaced.
    ///   - replacement: What stands there from now on.
    ///   - value: What it meant, escapes resolved.
    mutating func replace(_ range: Range<Int>, with replacement: [UInt8], value: [UInt8]) {
        guard range.lowerBound >= copied, !text[range].elementsEqual(replacement) else { return }
        output += text[copied..<range.lowerBound]
        output += replacement
        copied = range.upperBound
        found.append(value)
    }

    /// Puts the marker there, unless there is nothing.
    mutating func redact(_ range: Range<Int>, value: [UInt8]) {
        guard !range.isEmpty else { return }
        replace(range, with: Array(Redaction.marker.utf8), value: value)
    }

    /// Takes over what was found inside of a part.
    mutating func add(_ values: [[UInt8]]) {
        found += values
    }

    /// The text with everything replaced.
    package var result: [UInt8] { copied == 0 ? text : output + text[copied...] }

    package var isEmpty: Bool { copied == 0 }
}

extension UInt8 {
    /// Whether JSON passes it over between values (RFC 8259, section 2).
    package var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B && self != 0x0C }
}
