internal import Foundation

extension Value {
    /// The value as a truth value. Null is of another type here, as Foundation has it.
    @inline(__always) func bool() throws -> Bool {
        switch content.kind {
        case .yes: return true
        case .no: return false
        default: throw notBool()
        }
    }

    private func notBool() -> DecodingError {
        guard content.kind == .null else { return mismatch(Bool.self) }
        let text = "Expected to decode Bool but found null instead."
        return .typeMismatch(Bool.self, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }

    /// The value as a string.
    @inline(__always) func string() throws -> String {
        let token = content
        guard token.kind == .string else { throw mismatch(String.self) }
        return document.string(token)
    }

    /// The value as an integer of the usual size, without the generic code that is slow in debug builds.
    @inline(__always) func int() throws -> Int {
        let token = content
        guard token.kind == .number else { throw mismatch(Int.self) }
        // Eighteen digits fit, whatever they are.
        guard !token.flags.contains(.fractional), token.length <= 18 else { return try integer() }
        guard let value = Int(exactly: document.bytes.smallInteger(token)) else { throw unrepresentable(Int.self) }
        return value
    }

    /// As ``int()``.
    @inline(__always) func int64() throws -> Int64 {
        let token = content
        guard token.kind == .number else { throw mismatch(Int64.self) }
        guard !token.flags.contains(.fractional), token.length <= 18 else { return try integer() }
        return document.bytes.smallInteger(token)
    }

    /// The value as an integer: also one that is written with a fraction or an exponent.
    func integer<Integer: FixedWidthInteger>() throws -> Integer {
        let token = content
        guard token.kind == .number else { throw mismatch(Integer.self) }
        if !token.flags.contains(.fractional) {
            if token.length <= 18 {
                if let value = Integer(exactly: document.bytes.smallInteger(token)) { return value }
            } else if let value = Integer(document.string(token), radix: 10) {
                return value
            }
        }
        guard let value: Integer = wholeNumber() else { throw unrepresentable(Integer.self) }
        return value
    }

    /// The number, if it is whole: from a double where those are exact, else from a decimal, whose digits behind the point
    /// are dropped, as Foundation does it.
    private func wholeNumber<Integer: FixedWidthInteger>() -> Integer? {
        guard let double = Double(document.string(content)), let value = Integer(exactly: double) else { return nil }
        if double.magnitude < 0x1p53 { return value }
        guard let decimal = Decimal(string: document.string(content)) else { return nil }
        return Integer(truncating: decimal)
    }
}

extension Bytes {
    /// The value of an integer of at most eighteen digits.
    @inline(__always) func smallInteger(_ token: Token) -> Int64 {
        let start = Int(token.start)
        let end = start &+ Int(token.length)
        let isNegative = self[start] == Byte.minus
        let value = Int64(truncatingIfNeeded: digits(0, isNegative ? start &+ 1 : start, end).value)
        return isNegative ? 0 &- value : value
    }
}

extension FixedWidthInteger {
    /// The decimal without its fraction; nil if it does not fit, or if its digits do not fit in 64 bits.
    fileprivate init?(truncating decimal: Decimal) {
        guard var magnitude = UInt64(decimal.significand.magnitude.description) else { return nil }
        for _ in 0..<abs(decimal.exponent) {
            if decimal.exponent < 0 {
                magnitude /= 10
            } else {
                let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
                guard !overflows else { return nil }
                magnitude = product
            }
        }
        guard let value = Self(exactly: magnitude) else { return nil }
        guard decimal.isSignMinus else {
            self = value
            return
        }
        guard Self.isSigned else { return nil }
        self = 0 - value
    }
}
