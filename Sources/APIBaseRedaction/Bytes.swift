import Basics

/// A set of bytes that a text is searched for.
struct ByteSet {
    /// The bytes of numbers in JSON and GraphQL.
    static let number = ByteSet("0123456789+-.eE")

    private var contained = [Bool](repeating: false, count: 256)

    init(_ bytes: String) {
        for byte in bytes.utf8 { contained[Int(byte)] = true }
    }

    func contains(_ byte: UInt8) -> Bool { contained[Int(byte)] }

    /// The index of the first of these bytes from `start` on, or the end of the text.
    func firstIndex(in text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count, !contained[Int(text[index])] { index += 1 }
        return index
    }

    /// The index of the first other byte from `start` on, or the end of the text.
    func firstIndexOutside(in text: [UInt8], from start: Int) -> Int {
        var index = start
        while index < text.count, contained[Int(text[index])] { index += 1 }
        return index
    }
}

extension UInt8 {
    var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

    /// True for the white space of JSON (RFC 8259, section 2).
    package var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B && self != 0x0C }

    /// True for the bytes of names in XML, GraphQL and programs.
    package var isPartOfName: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }
}

extension [UInt8] {
    /// The index of the first such byte from `start` on, or the end of the text.
    func index(of byte: UInt8, from start: Int) -> Int {
        var index = start
        while index < count, self[index] != byte { index += 1 }
        return index
    }

    /// The index of the closing quote of the string whose content begins at `start`, or the end of the text. Quotes
    /// after a backslash belong to the string.
    func endOfString(_ quote: UInt8 = UInt8(ascii: "\""), from start: Int) -> Int {
        var index = start
        while index < count, self[index] != quote { index += self[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return Swift.min(index, count)
    }

    /// True if these bytes are at an index.
    func begins(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { text in text.indices.allSatisfy { self[index + $0] == text[$0] } }
    }

    /// True if these bytes are directly before an index.
    func ends(_ text: StaticString, at index: Int) -> Bool { begins(text, at: index - text.utf8CodeUnitCount) }
}
