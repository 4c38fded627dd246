/// A time interval on a scheduler's clock. The strides of all schedulers conform to it.
protocol SchedulerTimeInterval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Codable,
    Hashable, Sendable
where IntegerLiteralType == Magnitude {
    init(magnitude: Magnitude)
    /// An interval of `count` units, of which a second has `perSecond`.
    static func units(_ count: Int, perSecond: Int) -> Self
}

extension SchedulerTimeInterval {
    /// An interval of whole seconds.
    public static func seconds(_ s: Int) -> Self { units(s, perSecond: 1) }

    /// An interval of whole milliseconds.
    public static func milliseconds(_ ms: Int) -> Self { units(ms, perSecond: 1000) }

    /// An interval of whole microseconds.
    public static func microseconds(_ us: Int) -> Self { units(us, perSecond: 1_000_000) }

    /// An interval of whole nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { units(ns, perSecond: 1_000_000_000) }

    /// The interval that a literal of this number stands for; nil if it cannot be represented exactly.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Magnitude(exactly: source) else { return nil }
        self.init(integerLiteral: value)
    }

    /// Whether `lhs` is shorter.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

    /// Adds `rhs`.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

    /// Subtracts `rhs`.
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// Multiplies by `rhs`.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

/// An interval that counts units. One that overflows becomes the longest interval.
protocol CountedTimeInterval: SchedulerTimeInterval where Magnitude == Int {}

extension CountedTimeInterval {
    /// The sum of the intervals.
    public static func + (lhs: Self, rhs: Self) -> Self {
        Self(lhs.magnitude.addingReportingOverflow(rhs.magnitude), isNegative: lhs.magnitude < 0)
    }

    /// The difference between the intervals.
    public static func - (lhs: Self, rhs: Self) -> Self {
        Self(lhs.magnitude.subtractingReportingOverflow(rhs.magnitude), isNegative: lhs.magnitude < 0)
    }

    /// The product of both magnitudes.
    public static func * (lhs: Self, rhs: Self) -> Self {
        let isNegative = (lhs.magnitude < 0) != (rhs.magnitude < 0)
        return Self(lhs.magnitude.multipliedReportingOverflow(by: rhs.magnitude), isNegative: isNegative)
    }

    private init(_ result: (partialValue: Int, overflow: Bool), isNegative: Bool) {
        self.init(magnitude: result.overflow ? (isNegative ? .min : .max) : result.partialValue)
    }
}
