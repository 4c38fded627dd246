import Basics

/// A flaw by which a path leads elsewhere than it shows.
package enum PathFlaw: Equatable {
    /// This control character, the first one.
    case control(UInt8)
    /// A `.` or `..` that stands alone between slashes or backslashes.
    case dotSegment
}

extension UnsafeBufferPointer<UInt8> {
    /// The flaw in these bytes of a path; nil if there is none. A control character comes before dots. Escapes can count as the
    /// bytes they stand for, as servers decode before they resolve.
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
    /// The flaw in the text as a path; see the function of this name for bytes.
    package func pathFlaw(resolvingEscapes resolvesEscapes: Bool) -> PathFlaw? {
        withBytes { $0.pathFlaw(resolvingEscapes: resolvesEscapes) }
    }
}
