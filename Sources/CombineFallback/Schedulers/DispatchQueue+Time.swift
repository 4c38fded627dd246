#if !canImport(Combine)
public import Dispatch

extension DispatchQueue {
    /// A moment on dispatch's clock.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The moment, as dispatch has it.
        public var dispatchTime: DispatchTime

        /// Creates the moment.
        public init(_ time: DispatchTime) { dispatchTime = time }

        /// Decodes what ``encode(to:)`` wrote.
        public init(from decoder: any Decoder) throws {
            let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
            self.init(DispatchTime(uptimeNanoseconds: nanoseconds))
        }

        /// Encodes the nanoseconds since the machine was started, as one number.
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

        /// The moment `n` later; dispatch's distant future if there is none that late.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(dispatchTime + n.timeInterval) }

        /// Whether both are the same moment.
        public static func == (lhs: Self, rhs: Self) -> Bool { lhs.dispatchTime == rhs.dispatchTime }

        /// Feeds the moment into `hasher`.
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }
}

extension DispatchQueue.SchedulerTimeType {
    /// A span of time in nanoseconds.
    ///
    /// What is too long to count is the longest span there is.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
        Codable, Hashable, Sendable
    {
        /// The span in nanoseconds.
        public var magnitude: Int

        /// The span, as dispatch has it.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        /// Creates the span dispatch knows as `timeInterval`; for `.never` the longest there is.
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

        /// So many seconds.
        public init(floatLiteral value: Double) { self = .seconds(value) }

        /// So many seconds.
        public init(integerLiteral value: Int) { self = .seconds(value) }

        /// So many nanoseconds; nil if they cannot be counted.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let count = Int(exactly: source) else { return nil }
            magnitude = count
        }

        init(nanoseconds: Int) { magnitude = nanoseconds }

        private init(_ count: Int, times unit: Int) {
            let (product, overflow) = count.multipliedReportingOverflow(by: unit)
            magnitude = overflow ? (count < 0 ? .min : .max) : product
        }

        /// So many seconds.
        public static func seconds(_ s: Int) -> Self { Self(s, times: 1_000_000_000) }

        /// So many seconds, to the nanosecond.
        public static func seconds(_ s: Double) -> Self {
            let count = (s * 1_000_000_000).rounded()
            return Self(nanoseconds: Int(exactly: count) ?? (count < 0 ? .min : .max))
        }

        /// So many milliseconds.
        public static func milliseconds(_ ms: Int) -> Self { Self(ms, times: 1_000_000) }

        /// So many microseconds.
        public static func microseconds(_ us: Int) -> Self { Self(us, times: 1000) }

        /// So many nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }

        /// Whether `lhs` is shorter.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

        /// Both spans together.
        public static func + (lhs: Self, rhs: Self) -> Self {
            let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
            return Self(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : sum)
        }

        /// Lengthens the span by `rhs`.
        public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

        /// The difference between the spans.
        public static func - (lhs: Self, rhs: Self) -> Self {
            let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
            return Self(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : difference)
        }

        /// Shortens the span by `rhs`.
        public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

        /// The product of both numbers of nanoseconds.
        public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude, times: rhs.magnitude) }

        /// Multiplies by the number of nanoseconds in `rhs`.
        public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    }
}
#endif
