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

// These two without the generic code, which is slow in debug builds.
extension Int: Scalar {
    @inline(__always) static func read(_ value: Value) throws -> Int {
        guard let small = try value.smallInteger(Int.self), let int = Int(exactly: small) else {
            return try value.integer()
        }
        return int
    }
}

extension Int64: Scalar {
    @inline(__always) static func read(_ value: Value) throws -> Int64 {
        try value.smallInteger(Int64.self) ?? value.integer()
    }
}

extension Scalar where Self: FixedWidthInteger {
    @inline(__always) static func read(_ value: Value) throws -> Self { try value.integer() }
}

extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}

extension Double: Scalar {
    /// The nearest double there is.
    @inline(__always) static func read(_ value: Value) throws -> Double {
        let token = value.content
        guard token.kind == .number else { return try value.nonConforming() }
        if let double = DecimalDigits(value.document.bytes, token).double { return double }
        return try value.parsed()
    }
}

extension Float: Scalar {
    /// The nearest float there is.
    static func read(_ value: Value) throws -> Float {
        let token = value.content
        guard token.kind == .number else { return try value.nonConforming() }
        // Whole numbers and halves, quarters and so on of this size are floats: rounding to a double first harms none.
        if let double = DecimalDigits(value.document.bytes, token).double, let float = Float(exactly: double) {
            return float
        }
        return try value.parsed()
    }
}
