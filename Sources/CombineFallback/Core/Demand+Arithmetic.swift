extension Subscribers.Demand {
    /// The sum; unlimited if either is, or if it is too large to count.
    @inlinable public static func + (lhs: Self, rhs: Self) -> Self {
        // Two unlimited ones would be one more than fits.
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

    /// The product with a count, which must not be negative; unlimited if the demand is, or if it is too large to count.
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
