internal import Foundation

/// A type with a JSON notation, which containers read without a decoder.
protocol Scalar: Decodable {
    static func read(_ value: Value) throws -> Self
}

extension Bool: Scalar {
    @inline(__always) static func read(_ value: Value) throws -> Bool {
        switch value.content.kind {
        case .true: true
        case .false: false
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
    /// The nearest double.
    @inline(__always) static func read(_ value: Value) throws -> Double {
        let token = value.content
        if token.kind == .number, let double = DecimalDigits(value.document.bytes, token).double { return double }
        return try value.parsed()
    }
}

extension Float: Scalar {
    /// The nearest float.
    static func read(_ value: Value) throws -> Float {
        let token = value.content
        // A double that is exactly a float is not rounded twice.
        if token.kind == .number, let double = DecimalDigits(value.document.bytes, token).double,
            let float = Float(exactly: double)
        {
            return float
        }
        return try value.parsed()
    }
}

extension Value {
    /// The value, if it is written as an integer of at most eighteen digits, which always fit.
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

    /// The value as an integer with many digits, a fraction or an exponent.
    @inline(never) private func longInteger<Integer: FixedWidthInteger>() throws -> Integer {
        let text = document.bytes.string(content)
        let value = Integer.bitWidth > 64 ? Integer.wholeNumber(text) : Integer.upTo64Bits(text)
        guard let value else { throw unrepresentable(Integer.self) }
        return value
    }

    /// The number as the standard library parses it. One that is too large, or too small but not zero, is an error.
    @inline(never) func parsed<Number: LosslessStringConvertible & BinaryFloatingPoint>() throws -> Number {
        guard content.kind == .number else { return try nonConforming() }
        let text = document.bytes.string(content)
        var isZero: Bool { text.prefix { $0 != "e" && $0 != "E" }.allSatisfy { "-0.".contains($0) } }
        guard let value = Number(text), value.isFinite, value != 0 || isZero else { throw unrepresentable(Number.self) }
        return value
    }

    /// The number of a string, by the strategy for nonconforming floats.
    private func nonConforming<Number: BinaryFloatingPoint>() throws -> Number {
        let token = content
        if token.kind == .string, !token.flags.contains(.escaped),
            case .convertFromString(let infinity, let negativeInfinity, let notANumber) = document.settings.floats
        {
            // Compared by bytes, not by characters.
            let text = document.bytes.string(token).utf8
            if text.elementsEqual(infinity.utf8) { return .infinity }
            if text.elementsEqual(negativeInfinity.utf8) { return -.infinity }
            if text.elementsEqual(notANumber.utf8) { return .nan }
        }
        throw mismatch(Number.self)
    }
}

extension FixedWidthInteger {
    /// A whole number of at most 64 bits, parsed as the largest types, so that the parser is not compiled for ten
    /// types.
    fileprivate static func upTo64Bits(_ text: String) -> Self? {
        Int64.wholeNumber(text).flatMap { Self(exactly: $0) } ?? UInt64.wholeNumber(text).flatMap { Self(exactly: $0) }
    }

    /// A whole number, as Foundation reads it. A number with a fraction or an exponent is converted from a double if
    /// that is exact, otherwise from a truncated decimal. Nil if its digits do not fit into 64 bits.
    @inline(never) fileprivate static func wholeNumber(_ text: String) -> Self? {
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
