extension String {
    /// The text with every byte escaped that is not unreserved (RFC 3986, section 2.3).
    var escapedUnlessUnreserved: String {
        withBytes { bytes in bytes.escaped { bytes[$0].isUnreserved } } ?? self
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The text of these bytes with those escaped that may not stand as they are, with the upper-case digits RFC 3986,
    /// section 2.1 asks for.
    ///
    /// - Parameter isAllowed: Whether the byte at a place may.
    /// - Returns: The text; nil if it is the one of the bytes themselves.
    func escaped(unless isAllowed: (Int) -> Bool) -> String? {
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
}

extension UInt8 {
    private var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// RFC 3986, section 2.3.
    var isUnreserved: Bool {
        if isAlphanumeric { return true }
        return switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// `pchar` or a slash (RFC 3986, section 3.3), without the percent sign.
    var isPathCharacter: Bool {
        if isUnreserved { return true }
        return switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: "/"),
            UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// RFC 3986, section 3.1.
    var isSchemeCharacter: Bool {
        isAlphanumeric || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// The digit for this value, which is below 16.
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }
}
