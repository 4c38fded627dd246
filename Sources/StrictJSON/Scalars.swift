internal import Foundation

/// A type that JSON has a notation for: containers read it without a decoder of its own.
protocol Scalar: Decodable {
    static func read(_ value: Value) throws -> Self
}

extension Bool: Scalar {
    @inline(__always) static func read(_ value: Value) throws -> Bool {
        switch value.content.kind {
        case .yes: true
        case .no: false
        default: throw value.mismatch(Bool.self)
        }
    }
}

extension String: Scalar {
    @inline(__always) static func read(_ value: Value) throws -> String {
        let token = value.content
        guard token.kind == .string else { throw value.mismatch(String.self) }
        return value.document.bytes.string(token)
    }
}

extension Scalar where Self: FixedWidthInteger {
    @inline(__always) static func read(_ value: Value) throws -> Self { try value.integer() }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}

extension Double: Scalar {
    /// The nearest double there is.
    @inline(__always) static func read(_ value: Value) throws -> Double {
        let token = value.content
        if token.kind == .number, let double = DecimalDigits(value.document.bytes, token).double { return double }
        return try value.parsed()
    }
}

extension Float: Scalar {
    /// The nearest float there is.
    static func read(_ value: Value) throws -> Float {
        let token = value.content
        // Whole numbers and halves, quarters and so on of this size are floats: rounding to a double first harms none.
        if token.kind == .number, let double = DecimalDigits(value.document.bytes, token).double,
            let float = Float(exactly: double)
        {
            return float
        }
        return try value.parsed()
    }
}

extension Value {
    /// The value, if it is written as an integer of at most eighteen digits, which fit whatever they are.
    @inline(__always) func smallInteger(_ type: Any.Type) throws -> Int64? {
        let token = content
        guard token.kind == .number else { throw mismatch(type) }
        guard !token.flags.contains(.fractional), token.length <= 18 else { return nil }
        let start = Int(token.start)
        let end = start &+ Int(token.length)
        let isNegative = document.bytes[start] == Byte.minus
        let digits = document.bytes.digits(0, isNegative ? start &+ 1 : start, end).value
        return isNegative ? 0 &- Int64(truncatingIfNeeded: digits) : Int64(truncatingIfNeeded: digits)
    }

    /// The value as an integer.
    @inline(__always) func integer<Integer: FixedWidthInteger>() throws -> Integer {
        if let small = try smallInteger(Integer.self), let value = Integer(exactly: small) { return value }
        return try longInteger()
    }

    /// The value as an integer that has many digits, or is written with a fraction or an exponent.
    @inline(never) private func longInteger<Integer: FixedWidthInteger>() throws -> Integer {
        let text = document.bytes.string(content)
        let value = Integer.bitWidth > 64 ? Integer.whole(text) : Integer.narrow(text)
        guard let value else { throw unrepresentable(Integer.self) }
        return value
    }

    /// The number by the standard library. It is refused if it is too large or, not being zero, too small.
    @inline(never) func parsed<Number: LosslessStringConvertible & BinaryFloatingPoint>() throws -> Number {
        guard content.kind == .number else { return try nonConforming() }
        let text = document.bytes.string(content)
        var isZero: Bool { text.prefix { $0 != "e" && $0 != "E" }.allSatisfy { "-0.".contains($0) } }
        guard let value = Number(text), value.isFinite, value != 0 || isZero else { throw unrepresentable(Number.self) }
        return value
    }

    /// The number that the strategy has for such a string.
    private func nonConforming<Number: BinaryFloatingPoint>() throws -> Number {
        let token = content
        if token.kind == .string, !token.flags.contains(.escaped),
            case .convertFromString(let infinity, let negativeInfinity, let notANumber) = document.settings.floats
        {
            // By their bytes, not as characters.
            let text = document.bytes.string(token).utf8
            if text.elementsEqual(infinity.utf8) { return .infinity }
            if text.elementsEqual(negativeInfinity.utf8) { return -.infinity }
            if text.elementsEqual(notANumber.utf8) { return .nan }
        }
        throw mismatch(Number.self)
    }
}

extension FixedWidthInteger {
    /// A whole number of at most 64 bits. By way of the largest types: the library's code would be compiled for ten of them.
    fileprivate static func narrow(_ text: String) -> Self? {
        Int64.whole(text).flatMap { Self(exactly: $0) } ?? UInt64.whole(text).flatMap { Self(exactly: $0) }
    }

    /// A whole number. One with a fraction or an exponent is made from a double where those are exact, else from a decimal,
    /// whose digits behind the point are dropped. Nil as well if its digits do not fit in 64 bits. All as Foundation does it.
    @inline(never) fileprivate static func whole(_ text: String) -> Self? {
        if let value = Self(text, radix: 10) { return value }
        guard let double = Double(text), let value = Self(exactly: double) else { return nil }
        if double.magnitude < 0x1p53 { return value }
        guard var exact = Decimal(string: text)?.magnitude, UInt64("\(exact.significand)") != nil else { return nil }
        var truncated = Decimal()
        NSDecimalRound(&truncated, &exact, 0, .down)
        guard let bits = UInt64("\(truncated)"), let magnitude = Self(exactly: bits) else { return nil }
        return double < 0 ? 0 - magnitude : magnitude
    }
}
