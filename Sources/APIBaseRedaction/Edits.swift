/// A text without its secrets, and the secrets that were in it, without escapes.
package typealias RedactedBytes = (bytes: [UInt8], found: [[UInt8]])

/// Replacements in a text, made from its beginning to its end.
package struct Edits {
    /// The text before the replacements.
    let text: [UInt8]
    /// The secrets that were replaced, without escapes.
    private(set) var found: [[UInt8]] = []
    private var copied = 0
    private var output: [UInt8] = []

    init(_ text: [UInt8]) { self.text = text }

    /// Replaces a range that is after all ranges replaced so far. `values` are the secrets in it.
    mutating func replace(_ range: Range<Int>, with replacement: [UInt8], found values: [[UInt8]]) {
        guard range.lowerBound >= copied, !text[range].elementsEqual(replacement) else { return }
        output += text[copied..<range.lowerBound]
        output += replacement
        copied = range.upperBound
        found += values
    }

    /// Replaces a secret by the marker, unless the range is empty, or what `URL.redacted` has put there.
    ///
    /// - Parameters:
    ///   - range: The range of the secret.
    ///   - value: The secret without escapes; by default the bytes in the range.
    mutating func redact(_ range: Range<Int>, value: ArraySlice<UInt8>? = nil) {
        guard !range.isEmpty, !isRedacted(text[range]) else { return }
        replace(range, with: Array(RedactionRules.marker.utf8), found: [Array(value ?? text[range])])
    }

    /// Whether a value is the word of `URL.redacted`, with the punctuation of a sentence after the URL.
    private func isRedacted(_ value: ArraySlice<UInt8>) -> Bool {
        let word = "redacted".utf8
        return value.starts(with: word) && value.dropFirst(word.count).allSatisfy(Self.punctuation.contains)
    }

    private static let punctuation = ByteSet(")].,:;!?'")

    /// Replaces a secret number by 0.
    mutating func redactNumber(_ range: Range<Int>) {
        replace(range, with: [UInt8(ascii: "0")], found: [Array(text[range])])
    }

    /// The text after the replacements.
    package var result: [UInt8] { copied == 0 ? text : output + text[copied...] }

    package var isEmpty: Bool { copied == 0 }
}
