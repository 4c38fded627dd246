// Escapes of URLs: RFC 3986, section 2.1.

extension String {
    /// The text with every byte escaped except unreserved ones (RFC 3986, section 2.3).
    package var escapedUnlessUnreserved: String {
        withBytes { bytes in bytes.escaped { bytes[$0].isUnreserved } } ?? self
    }

    /// The text as it stands in a form: as URLs have it, but for a space, which is a plus sign, and for what is escaped
    /// (URL standard, section 5.2).
    package var escapedForForm: String {
        let escaped = withBytes { bytes in
            bytes.escaped { bytes[$0].isUnescapedInForms || bytes[$0] == UInt8(ascii: " ") }
        }
        return (escaped ?? self).replacing(" ", with: "+")
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The text of these bytes, with bytes that are not allowed escaped in upper case.
    ///
    /// - Parameter isAllowed: Whether the byte at an index is allowed.
    /// - Returns: The text; nil if no byte has to be escaped.
    package func escaped(unless isAllowed: (Int) -> Bool) -> String? {
        guard let first = indices.first(where: { !isAllowed($0) }) else { return nil }
        var escaped = Array(self[..<first])
        escaped.reserveCapacity(count + 2 * (count - first))
        for index in first..<count {
            guard !isAllowed(index) else {
                escaped.append(self[index])
                continue
            }
            escaped.append(UInt8(ascii: "%"))
            escaped.append((self[index] >> 4).hexadecimalDigit)
            escaped.append((self[index] & 0x0F).hexadecimalDigit)
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// The byte of the escape at this index, or nil.
    package func escape(at index: Int) -> UInt8? {
        guard self[index] == UInt8(ascii: "%"), index + 2 < count,
            let high = self[index + 1].hexadecimalValue, let low = self[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

extension UInt8 {
    /// RFC 3986, section 2.3.
    @inlinable package var isUnreserved: Bool {
        if isASCIILetter || isASCIIDigit { return true }
        return switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// URL standard, section 1.3: outside the `application/x-www-form-urlencoded` percent-encode set.
    fileprivate var isUnescapedInForms: Bool { isASCIILetter || isASCIIDigit || "*-._".utf8.contains(self) }

    /// `pchar` or a slash (RFC 3986, section 3.3), without the percent sign.
    @inlinable package var isPathCharacter: Bool {
        if isUnreserved { return true }
        return switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: "/"),
            UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// RFC 3986, section 3.1.
    @inlinable package var isSchemeCharacter: Bool {
        isASCIILetter || isASCIIDigit || "+-.".utf8.contains(self)
    }

    /// The digit for this value, which is below 16.
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }

    /// The value of this byte as a hexadecimal digit.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
