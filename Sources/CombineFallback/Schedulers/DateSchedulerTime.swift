#if !canImport(Combine)
public import Foundation

/// A moment on the clock of run loops or operation queues.
public struct DateSchedulerTime<Context>: Strideable, Codable, Hashable, Sendable {
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
    public struct Stride: Span {
        /// The span in seconds.
        public var magnitude: TimeInterval

        /// The span in seconds.
        public var timeInterval: TimeInterval { magnitude }

        init(magnitude: TimeInterval) { self.magnitude = magnitude }

        /// So many seconds.
        public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }

        /// So many seconds.
        public init(integerLiteral value: TimeInterval) { magnitude = value }

        /// So many seconds.
        public init(floatLiteral value: TimeInterval) { magnitude = value }

        /// So many seconds.
        public static func seconds(_ s: Double) -> Self { Self(s) }

        static func parts(_ count: Int, perSecond: Int) -> Self { Self(TimeInterval(count) / TimeInterval(perSecond)) }

        /// Both spans together.
        public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

        /// The difference between the spans.
        public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

        /// The product of both magnitudes.
        public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
    }
}
#endif
