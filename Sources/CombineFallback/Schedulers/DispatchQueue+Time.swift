#if !canImport(Combine)
public import Dispatch

extension DispatchQueue {
    /// A time on dispatch's clock.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The time as a `DispatchTime`.
        public var dispatchTime: DispatchTime

        /// Creates the time.
        public init(_ time: DispatchTime) { dispatchTime = time }

        /// Decodes what ``encode(to:)`` wrote.
        public init(from decoder: any Decoder) throws {
            let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
            self.init(DispatchTime(uptimeNanoseconds: nanoseconds))
        }

        /// Encodes the nanoseconds since the machine started, as one number.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// The time from here to `other`; negative if `other` is earlier.
        public func distance(to other: SchedulerTimeType) -> Stride {
            let (here, there) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return here <= there
                ? .nanoseconds(Int(clamping: there - here))
                : .nanoseconds(-Int(clamping: here - there))
        }

        /// The time `n` later, at most dispatch's distant future.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(dispatchTime + n.timeInterval) }

        /// Whether both are the same time.
        public static func == (lhs: Self, rhs: Self) -> Bool { lhs.dispatchTime == rhs.dispatchTime }

        /// Feeds the time into `hasher`.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }
}

extension DispatchQueue.SchedulerTimeType {
    /// A time interval in nanoseconds. One that overflows becomes the longest interval.
    public struct Stride: CountedTimeInterval {
        /// The interval in nanoseconds.
        public var magnitude: Int

        private enum CodingKeys: String, CodingKey { case magnitude = "_nanoseconds" }

        /// The interval as a `DispatchTimeInterval`.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        init(magnitude: Int) { self.magnitude = magnitude }

        /// Creates an interval from dispatch's; the longest one for `.never`.
        public init(_ timeInterval: DispatchTimeInterval) {
            switch timeInterval {
            case .seconds(let count): self = .seconds(count)
            case .milliseconds(let count): self = .milliseconds(count)
            case .microseconds(let count): self = .microseconds(count)
            case .nanoseconds(let count): self = .nanoseconds(count)
            case .never: magnitude = .max
            @unknown default: magnitude = .max
            }
        }

        /// Creates an interval of seconds.
        public init(floatLiteral value: Double) { self = .seconds(value) }

        /// Creates an interval of seconds.
        public init(integerLiteral value: Int) { self = .seconds(value) }

        /// An interval of seconds, rounded to nanoseconds.
        public static func seconds(_ s: Double) -> Self {
            let count = (s * 1_000_000_000).rounded()
            return Self(magnitude: Int(exactly: count) ?? (count < 0 ? .min : .max))
        }

        static func units(_ count: Int, perSecond: Int) -> Self {
            let (magnitude, overflow) = count.multipliedReportingOverflow(by: nanoseconds / perSecond)
            return Self(magnitude: overflow ? (count < 0 ? .min : .max) : magnitude)
        }

        private static let nanoseconds = 1_000_000_000

        /// The product of both numbers of seconds, truncated to nanoseconds.
        public static func * (lhs: Self, rhs: Self) -> Self {
            let (high, low) = lhs.magnitude.multipliedFullWidth(by: rhs.magnitude)
            let isNegative = (lhs.magnitude < 0) != (rhs.magnitude < 0)
            guard abs(high) < nanoseconds / 2 else { return Self(magnitude: isNegative ? .min : .max) }
            return Self(magnitude: nanoseconds.dividingFullWidth((high, low)).quotient)
        }
    }
}
#endif
