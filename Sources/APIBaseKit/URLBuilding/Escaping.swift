extension String {
    /// The text with every byte escaped that is not unreserved (RFC 3986, section 2.3).
    var escapedUnlessUnreserved: String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte.isUnreserved { escaped.append(byte) } else { escaped.append(escaping: byte) }
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
    var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }

    /// `pchar` or a slash (RFC 3986, section 3.3), without the percent sign.
    var isPathCharacter: Bool { isUnreserved || "!$&'()*+,;=:@/".utf8.contains(self) }

    /// RFC 3986, section 3.1.
    var isSchemeCharacter: Bool { isAlphanumeric || "+-.".utf8.contains(self) }

    /// The digit for this value, which is below 16.
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }
}

extension [UInt8] {
    /// Appends this byte as an escape, with the upper-case digits RFC 3986, section 2.1 asks for.
    mutating func append(escaping byte: UInt8) {
        append(UInt8(ascii: "%"))
        append((byte >> 4).hexadecimalDigit)
        append((byte & 0x0F).hexadecimalDigit)
    }
}
