/// A span of time on a scheduler's clock: what the strides of all schedulers share.
protocol Span: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable,
    Hashable, Sendable
where IntegerLiteralType == Magnitude {
    init(magnitude: Magnitude)
    /// `count` parts of a second of which there are so many.
    static func parts(_ count: Int, perSecond: Int) -> Self
}

extension Span {
    /// So many seconds.
    public static func seconds(_ s: Int) -> Self { parts(s, perSecond: 1) }

    /// So many milliseconds.
    public static func milliseconds(_ ms: Int) -> Self { parts(ms, perSecond: 1000) }

    /// So many microseconds.
    public static func microseconds(_ us: Int) -> Self { parts(us, perSecond: 1_000_000) }

    /// So many nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { parts(ns, perSecond: 1_000_000_000) }

    /// The span that a literal of this number stands for; nil if it cannot be held exactly.
    public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Magnitude(exactly: source) else { return nil }
        self.init(integerLiteral: value)
    }

    /// Whether `lhs` is shorter.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

    /// Lengthens the span by `rhs`.
    public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

    /// Shortens the span by `rhs`.
    public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

    /// Multiplies by `rhs`.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

/// A span that counts units. What is too long to count is the longest span there is.
protocol CountedSpan: Span where Magnitude == Int {}

extension CountedSpan {
    /// Both spans together.
    public static func + (lhs: Self, rhs: Self) -> Self {
        Self(lhs.magnitude.addingReportingOverflow(rhs.magnitude), isNegative: lhs.magnitude < 0)
    }

    /// The difference between the spans.
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
