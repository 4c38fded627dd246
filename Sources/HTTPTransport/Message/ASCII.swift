/// Text compared as protocols compare it: the 26 letters without case, every other byte as it is.
extension StringProtocol {
    /// Whether both are the same but for the case of ASCII letters. No allocation, no Unicode rules.
    @inlinable package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// The text with ASCII letters in lower case.
    func lowercasedASCII() -> String {
        guard utf8.contains(where: { $0 != $0.lowercasedASCII }) else { return String(self) }
        return String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self)
    }
}

extension String {
    /// Calls `body` with the text's bytes, which are its own and not a copy of them if that can be.
    @inlinable package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = self
        return text.withUTF8(body)
    }

    /// Whether this is a token (RFC 9110, section 5.6.2): what a method is, and the name of a header.
    var isToken: Bool { !isEmpty && withBytes { $0.allSatisfy(\.isToken) } }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether this text, in lower case here, stands at that place in whatever case.
    func matches(_ text: StaticString, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { text in
            text.indices.allSatisfy { self[index + $0].lowercasedASCII == text[$0] }
        }
    }
}

extension UInt8 {
    @inlinable package var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    var isASCIIHexDigit: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercasedASCII)
    }

    var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercasedASCII)
    }

    /// Whether the byte may stand in a token.
    var isToken: Bool {
        if isASCIILetter || isASCIIDigit { return true }
        return switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"),
            UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "|"):
            true
        default: false
        }
    }
}
