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

/// What makes a path lead elsewhere than it shows.
package enum PathFlaw: Equatable {
    /// This control character, the first one.
    case control(UInt8)
    /// A `.` or `..` that stands alone between slashes or backslashes.
    case dotSegment
}

extension UnsafeBufferPointer<UInt8> {
    /// The byte that an escape at this place stands for (RFC 3986, section 2.1); nil if there is none.
    package func escape(at index: Int) -> UInt8? {
        guard self[index] == UInt8(ascii: "%"), index + 2 < count else { return nil }
        return UInt8(escapedAs: self[index + 1], self[index + 2])
    }

    /// What is wrong with these bytes of a path; nil if nothing is. A control character comes before dots. Escapes can
    /// count as the bytes they stand for, as servers decode before they resolve.
    package func pathFlaw(resolvingEscapes resolvesEscapes: Bool) -> PathFlaw? {
        var hasDotSegment = false
        // How many dots the segment has if there is nothing else in it; nil if there is.
        var dots: Int? = 0
        var index = 0
        while index < count {
            var byte = self[index]
            index += 1
            if resolvesEscapes, byte == UInt8(ascii: "%"), let escape = escape(at: index - 1) {
                byte = escape
                index += 2
            }
            switch byte {
            case _ where byte.isControl: return .control(byte)
            case UInt8(ascii: "."): dots = dots.map { $0 + 1 }
            case UInt8(ascii: "/"), UInt8(ascii: "\\"):
                if dots == 1 || dots == 2 { hasDotSegment = true }
                dots = 0
            default: dots = nil
            }
        }
        return hasDotSegment || dots == 1 || dots == 2 ? .dotSegment : nil
    }
}

extension String {
    /// What is wrong with the text as a path; see the function of this name for bytes.
    package func pathFlaw(resolvingEscapes resolvesEscapes: Bool) -> PathFlaw? {
        withBytes { $0.pathFlaw(resolvingEscapes: resolvesEscapes) }
    }
}
