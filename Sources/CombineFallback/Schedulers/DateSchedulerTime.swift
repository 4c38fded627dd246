#if !canImport(Combine)
public import Foundation

/// A moment on the clock of run loops and operation queues.
public struct DateSchedulerTime: Strideable, Codable, Hashable, Sendable {
    /// The moment as a date.
    public var date: Date

    /// Creates the moment.
    public init(_ date: Date) { self.date = date }

    /// The time from here to `other`; negative if `other` is earlier.
    public func distance(to other: DateSchedulerTime) -> Stride { Stride(other.date.timeIntervalSince(date)) }

    /// The moment `n` later.
    public func advanced(by n: Stride) -> DateSchedulerTime {
        DateSchedulerTime(date.addingTimeInterval(n.timeInterval))
    }
}

extension DateSchedulerTime {
    /// A span of time in seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Codable, Hashable, Sendable
    {
        /// The span in seconds.
        public var magnitude: TimeInterval

        /// The span in seconds.
        public var timeInterval: TimeInterval { magnitude }

        /// So many seconds.
        public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }

        /// So many seconds.
        public init(integerLiteral value: TimeInterval) { magnitude = value }

        /// So many seconds.
        public init(floatLiteral value: TimeInterval) { magnitude = value }

        /// So many seconds; nil if a `TimeInterval` cannot hold them exactly.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let seconds = TimeInterval(exactly: source) else { return nil }
            magnitude = seconds
        }

        /// So many seconds.
        public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

        /// So many seconds.
        public static func seconds(_ s: Double) -> Self { Self(s) }

        /// So many milliseconds.
        public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1000) }

        /// So many microseconds.
        public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1_000_000) }

        /// So many nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1_000_000_000) }

        /// Whether `lhs` is shorter.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

        /// The sum.
        public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

        /// Adds `rhs`.
        public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

        /// The difference.
        public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

        /// Takes `rhs` away.
        public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

        /// The product of both numbers of seconds.
        public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

        /// Multiplies by the number of seconds in `rhs`.
        public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    }
}
#endif
