extension UInt8 {
    /// Whether this is a control character of ASCII.
    package var isControl: Bool { self < 0x20 || self == 0x7F }

    /// The value of this byte as a hexadecimal digit.
    private var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    fileprivate init?(escapedAs high: UInt8, _ low: UInt8) {
        guard let high = high.hexadecimalValue, let low = low.hexadecimalValue else { return nil }
        self = high << 4 | low
    }
}

extension [UInt8] {
    /// The byte that an escape at this place stands for (RFC 3986, section 2.1); nil if there is none.
    package func escape(at index: Int) -> UInt8? {
        guard self[index] == UInt8(ascii: "%"), index + 2 < count else { return nil }
        return UInt8(escapedAs: self[index + 1], self[index + 2])
    }

    /// The bytes with every escape resolved, once.
    package func unescaped() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var index = 0
        while index < count {
            let escape = escape(at: index)
            bytes.append(escape ?? self[index])
            index += escape == nil ? 1 : 3
        }
        return bytes
    }

    /// Whether a `.` or `..` stands alone between slashes or backslashes.
    package var hasDotSegment: Bool {
        split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
