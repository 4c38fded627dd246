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
