/// The digits of a number and the power of ten that multiplies them.
///
/// The offsets cannot overflow, so they are computed without a check.
struct DecimalDigits {
    /// The digits without the point, as one number.
    private var digits: UInt64
    /// The power of ten.
    private var exponent = 0
    /// Whether there is a minus sign.
    private let isNegative: Bool
    /// Whether the digits fit into `digits`, and the exponent into an `Int`. 19 digits always do.
    private var isComplete: Bool

    /// Reads a number that the tokenizer has checked.
    @inline(__always) init(_ bytes: Bytes, _ token: Token) {
        var at = Int(token.start)
        let end = at &+ Int(token.length)
        isNegative = bytes[at] == Byte.minus
        if isNegative { at &+= 1 }
        let integral = bytes.digits(0, at, end)
        digits = integral.value
        var count = integral.end &- at
        at = integral.end
        if at < end, bytes[at] == Byte.point {
            let fraction = bytes.digits(digits, at &+ 1, end)
            digits = fraction.value
            exponent = at &+ 1 &- fraction.end
            count &-= exponent
            at = fraction.end
        }
        isComplete = count <= 19
        if at < end { readExponent(bytes, at &+ 1, end) }
    }

    private mutating func readExponent(_ bytes: Bytes, _ start: Int, _ end: Int) {
        let sign = bytes[start]
        let first = sign == Byte.minus || sign == Byte.plus ? start &+ 1 : start
        let power = Int(truncatingIfNeeded: bytes.digits(0, first, end).value)
        exponent &+= sign == Byte.minus ? 0 &- power : power
        if end &- first > 9 { isComplete = false }
    }
}

extension DecimalDigits {
    /// The nearest double, if it can be computed quickly; nil otherwise.
    @inline(__always) var double: Double? {
        guard isComplete, let magnitude else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    @inline(__always) private var magnitude: Double? {
        // The digits and the power of ten are exact, so the result of one operation is rounded correctly (Clinger
        // 1990).
        if digits <= 1 << 53 {
            if exponent == 0 { return Double(digits) }
            if exponent < 0, exponent >= -22 { return Double(digits) / Self.powers[0 &- exponent] }
            if exponent > 0, exponent <= 22 { return Double(digits) * Self.powers[exponent] }
        }
        return digits != 0 && exponent < 0 && exponent >= -19 ? quotient : nil
    }

    /// The digits divided by a power of ten, with all bits and one rounding, to nearest or even.
    private var quotient: Double {
        var divisor: UInt64 = 1
        for _ in 0..<(0 &- exponent) { divisor &*= 10 }
        var high = digits << digits.leadingZeroBitCount
        var scale = divisor.leadingZeroBitCount - digits.leadingZeroBitCount - 64
        divisor <<= divisor.leadingZeroBitCount
        var low: UInt64 = 0
        if high >= divisor {
            low = high << 63
            high >>= 1
            scale += 1
        }
        let (quotient, remainder) = divisor.dividingFullWidth((high, low))
        var significand = quotient >> 11
        let rest = quotient & 0x7FF
        if rest > 0x400 || rest == 0x400 && (remainder != 0 || significand & 1 == 1) { significand += 1 }
        return Double(significand) * Double(bitPattern: UInt64(1023 + 11 + scale) << 52)
    }

    /// The powers of ten that a double represents exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
