#if !canImport(Combine)
import Dispatch
public import Foundation

/// A time on the clock of run loops and operation queues.
public struct DateSchedulerTime<Context>: Strideable, Codable, Hashable, Sendable {
    /// The time as a date.
    public var date: Date

    /// Creates the time.
    public init(_ date: Date) { self.date = date }

    /// The same time on dispatch's clock.
    var dispatchTime: DispatchQueue.SchedulerTimeType {
        DispatchQueue.SchedulerTimeType(.now()).advanced(by: .seconds(date.timeIntervalSinceNow))
    }

    /// The time from here to `other`; negative if `other` is earlier.
    public func distance(to other: DateSchedulerTime) -> Stride { Stride(other.date.timeIntervalSince(date)) }

    /// The time `n` later.
    public func advanced(by n: Stride) -> DateSchedulerTime {
        DateSchedulerTime(date.addingTimeInterval(n.timeInterval))
    }
}

extension DateSchedulerTime {
    /// A time interval in seconds.
    public struct Stride: SchedulerTimeInterval {
        /// The interval in seconds.
        public var magnitude: TimeInterval

        /// The interval in seconds.
        public var timeInterval: TimeInterval { magnitude }

        init(magnitude: TimeInterval) { self.magnitude = magnitude }

        /// Creates an interval of seconds.
        public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }

        /// Creates an interval of seconds.
        public init(integerLiteral value: TimeInterval) { magnitude = value }

        /// Creates an interval of seconds.
        public init(floatLiteral value: TimeInterval) { magnitude = value }

        /// An interval of seconds.
        public static func seconds(_ s: Double) -> Self { Self(s) }

        static func units(_ count: Int, perSecond: Int) -> Self { Self(TimeInterval(count) / TimeInterval(perSecond)) }

        /// The sum of the intervals.
        public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

        /// The difference between the intervals.
        public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

        /// The product of both magnitudes.
        public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
    }
}
#endif
