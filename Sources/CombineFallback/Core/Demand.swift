extension Subscribers {
    /// The number of values that a subscriber asks for.
    ///
    /// Unlimited demand stays unlimited whatever is added or subtracted. A sum that overflows is unlimited; a
    /// difference below zero is zero.
    public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// The count, or one more than `Int.max` for unlimited demand.
        @usableFromInline let rawValue: UInt

        @inlinable init(rawValue: UInt) { self.rawValue = Swift.min(rawValue, UInt(Int.max) + 1) }

        /// All values of the publisher.
        public static var unlimited: Demand { @inlinable get { Demand(rawValue: UInt(Int.max) + 1) } }

        /// No values.
        public static var none: Demand { @inlinable get { Demand(rawValue: 0) } }

        /// At most `value` values. A negative `value` is a programmer error.
        @inlinable public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "demand cannot be negative")
            return Demand(rawValue: UInt(value))
        }

        /// The count; nil if the demand is unlimited.
        @inlinable public var max: Int? { Int(exactly: rawValue) }

        /// Decodes what ``encode(to:)`` wrote; a number too large to count is unlimited demand.
        public init(from decoder: any Decoder) throws {
            self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
        }

        /// Encodes the count as one number.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// `unlimited` or `max(count)`.
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
    }
}

extension Subscribers.Demand {
    /// The sum; unlimited if either is, or on overflow.
    @inlinable public static func + (lhs: Self, rhs: Self) -> Self {
        // The sum of two unlimited ones would overflow.
        lhs == .unlimited ? .unlimited : Self(rawValue: lhs.rawValue + rhs.rawValue)
    }

    /// Adds `rhs`.
    @inlinable public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

    /// The sum with a count, which must not be negative enough to bring it below zero.
    @inlinable public static func + (lhs: Self, rhs: Int) -> Self {
        rhs < 0 ? lhs - Self(rawValue: rhs.magnitude) : lhs + .max(rhs)
    }

    /// Adds a count.
    @inlinable public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

    /// The product with a count, which must not be negative; unlimited if the demand is, or on overflow.
    @inlinable public static func * (lhs: Self, rhs: Int) -> Self {
        if lhs == .unlimited { return .unlimited }
        let (product, overflow) = lhs.rawValue.multipliedReportingOverflow(by: Self.max(rhs).rawValue)
        return overflow ? .unlimited : Self(rawValue: product)
    }

    /// Multiplies by a count.
    @inlinable public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }

    /// The difference, not below zero; unlimited if `lhs` is.
    @inlinable public static func - (lhs: Self, rhs: Self) -> Self {
        if lhs == .unlimited { return .unlimited }
        return lhs.rawValue > rhs.rawValue ? Self(rawValue: lhs.rawValue - rhs.rawValue) : .none
    }

    /// Takes `rhs` away, down to zero.
    @inlinable public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// The difference with a count, not below zero.
    @inlinable public static func - (lhs: Self, rhs: Int) -> Self {
        rhs < 0 ? lhs + Self(rawValue: rhs.magnitude) : lhs - .max(rhs)
    }

    /// Takes a count away, down to zero.
    @inlinable public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }
}

extension Subscribers.Demand {
    /// Whether `lhs` is less; unlimited demand is more than any count and not less than itself.
    @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Whether the demand is less than a count.
    @inlinable public static func < (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs < .max(rhs) }

    /// Whether the demand is at most a count.
    @inlinable public static func <= (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs <= .max(rhs) }

    /// Whether the demand is more than a count.
    @inlinable public static func > (lhs: Self, rhs: Int) -> Bool { !(lhs <= rhs) }

    /// Whether the demand is at least a count.
    @inlinable public static func >= (lhs: Self, rhs: Int) -> Bool { !(lhs < rhs) }

    /// Whether a count is less than the demand.
    @inlinable public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }

    /// Whether a count is at most the demand.
    @inlinable public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }

    /// Whether a count is more than the demand.
    @inlinable public static func > (lhs: Int, rhs: Self) -> Bool { rhs < lhs }

    /// Whether a count is at least the demand.
    @inlinable public static func >= (lhs: Int, rhs: Self) -> Bool { rhs <= lhs }

    /// Whether the demand is exactly a count.
    @inlinable public static func == (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs == .max(rhs) }

    /// Whether the demand is not exactly a count.
    @inlinable public static func != (lhs: Self, rhs: Int) -> Bool { !(lhs == rhs) }

    /// Whether a count is exactly the demand.
    @inlinable public static func == (lhs: Int, rhs: Self) -> Bool { rhs == lhs }

    /// Whether a count is not exactly the demand.
    @inlinable public static func != (lhs: Int, rhs: Self) -> Bool { !(rhs == lhs) }
}
