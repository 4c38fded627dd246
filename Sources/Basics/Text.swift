// ASCII text as protocols compare it: letters without case, other bytes as they are.

extension StringProtocol {
    /// Whether both are equal except for the case of ASCII letters. Does not allocate.
    @inlinable package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension String {
    /// The text with ASCII letters in lower case.
    package func lowercasedASCII() -> String {
        withBytes { bytes in
            guard bytes.contains(where: { $0 != $0.lowercasedASCII }) else { return self }
            return String(decoding: bytes.map(\.lowercasedASCII), as: UTF8.self)
        }
    }

    /// Calls `body` with the text's bytes, without a copy if possible.
    @inlinable package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = self
        return text.withUTF8(body)
    }

    /// This URL with the scheme of the handshake if it has that of a WebSocket: `http` for `ws`, `https` for `wss` (RFC
    /// 6455, section 3).
    package var withHTTPScheme: String {
        let scheme = prefix { $0 != ":" }
        guard scheme.equalsIgnoringCase("ws") || scheme.equalsIgnoringCase("wss") else { return self }
        return "http" + dropFirst(2)
    }

    /// Whether this is a token (RFC 9110, section 5.6.2), as methods and header names are.
    package var isToken: Bool { !isEmpty && withBytes { $0.allSatisfy(\.isToken) } }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the lower-case text is at that index, in any case.
    @inlinable package func matches(_ text: StaticString, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { text in
            text.indices.allSatisfy { self[index + $0].lowercasedASCII == text[$0] }
        }
    }

    /// Whether these bytes are the lower-case text, in any case.
    @inlinable package func equalsIgnoringCase(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && matches(text, at: 0)
    }

    /// Whether the lower-case text is anywhere in these bytes, in any case.
    @inlinable package func contains(ignoringCase text: StaticString) -> Bool {
        let first = text.withUTF8Buffer { $0.first }
        return indices.contains { self[$0].lowercasedASCII == first && matches(text, at: $0) }
    }

    /// The bytes without the spaces and tabs at both ends.
    @inlinable package var trimmed: UnsafeBufferPointer<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return UnsafeBufferPointer(rebasing: self[..<0])
        }
        return UnsafeBufferPointer(rebasing: self[first...last])
    }
}

extension UInt8 {
    /// The byte, in lower case if it is a letter.
    @inlinable package var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// Whether this is a space or a tab.
    @inlinable package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether this is a control character.
    @inlinable package var isControl: Bool { self < 0x20 || self == 0x7F }

    /// Whether this is one of `0` to `9`.
    @inlinable package var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    /// Whether this is a hexadecimal digit, in either case.
    @inlinable package var isASCIIHexDigit: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercasedASCII)
    }

    /// Whether this is a letter, in either case.
    @inlinable package var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercasedASCII)
    }

    /// Whether the byte is allowed in a token.
    @inlinable package var isToken: Bool {
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

extension String {
    /// The text of these bytes; nil if they are not UTF-8.
    package init?(valid bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            let text = String(decoding: bytes, as: UTF8.self)
            // Invalid bytes have become replacement characters.
            guard text.utf8.elementsEqual(bytes) else { return nil }
            self = text
        }
    }
}

extension BidirectionalCollection<UInt8> {
    /// The UTF-8 without an incomplete character at its end.
    package var withoutCutCharacter: SubSequence {
        // A character has at most four bytes. All but the first begin with the bits 10.
        let start = suffix(4).lastIndex { $0 & 0xC0 != 0x80 }
        guard let first = start, self[first] >= 0x80 else { return self[...] }
        let length = self[first] >= 0xF0 ? 4 : self[first] >= 0xE0 ? 3 : 2
        return distance(from: first, to: endIndex) < length ? self[..<first] : self[...]
    }
}
