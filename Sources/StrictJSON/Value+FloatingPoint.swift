internal import Foundation

extension Value {
    /// The value as a double, the nearest there is.
    @inline(__always) func double() throws -> Double {
        let token = content
        guard token.kind == .number else { return try nonConforming(Double.self) }
        if let value = DecimalDigits(document.bytes, token).double { return value }
        return try parsed(Double.self)
    }

    /// The value as a float, the nearest there is.
    func float() throws -> Float {
        let token = content
        guard token.kind == .number else { return try nonConforming(Float.self) }
        // Whole numbers and halves, quarters and so on of this size are floats: rounding to a double first harms none.
        if let double = DecimalDigits(document.bytes, token).double, let value = Float(exactly: double) {
            return value
        }
        return try parsed(Float.self)
    }

    /// The number by the standard library. It is refused if it is too large or, not being zero, too small.
    @inline(never) private func parsed<Number: LosslessStringConvertible & BinaryFloatingPoint>(
        _ type: Number.Type
    ) throws -> Number {
        guard let value = Number(document.string(content)), value.isFinite, value != 0 || isZero else {
            throw unrepresentable(type)
        }
        return value
    }

    /// Whether no digit before the exponent is another than zero.
    private var isZero: Bool {
        document.bytes.withSlice(Int(content.start), Int(content.length)) { bytes in
            bytes.prefix { $0 | 0x20 != Byte.lowerE }
                .allSatisfy { !(Byte.one...Byte.nine).contains($0) }
        }
    }

    /// Reads a string as a number by the strategy for such strings.
    @inline(never) private func nonConforming<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
        let token = content
        if token.kind == .string, !token.flags.contains(.escaped),
            case .convertFromString(let infinity, let negativeInfinity, let notANumber) = document.settings.floats
        {
            // By their bytes, not as characters.
            let text = Array(document.string(token).utf8)
            if text == Array(infinity.utf8) { return .infinity }
            if text == Array(negativeInfinity.utf8) { return -.infinity }
            if text == Array(notANumber.utf8) { return .nan }
        }
        throw mismatch(type)
    }
}
