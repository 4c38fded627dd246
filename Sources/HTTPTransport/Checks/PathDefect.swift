import Basics

/// A defect by which servers may read another path than the one that is written.
package enum PathDefect: Equatable {
    /// The first control character.
    case control(UInt8)
    /// A `.` or `..` alone between slashes or backslashes.
    case dotSegment
}

extension UnsafeBufferPointer<UInt8> {
    /// The defect of a path; nil without one. A control character comes before dots. With `resolvingEscapes`, escapes
    /// count as their bytes, since servers decode before they resolve.
    package func pathDefect(resolvingEscapes resolvesEscapes: Bool) -> PathDefect? {
        var hasDotSegment = false
        // The number of dots in the segment; nil if it has any other byte.
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
    /// The defect of the text as a path; see the function for bytes.
    package func pathDefect(resolvingEscapes resolvesEscapes: Bool) -> PathDefect? {
        withBytes { $0.pathDefect(resolvingEscapes: resolvesEscapes) }
    }
}
