/// A scheduler that runs every closure immediately, on the caller's thread. It ignores dates.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// There are no options.
    public typealias SchedulerOptions = Never

    /// The shared scheduler.
    public static let shared = ImmediateScheduler()

    /// A time on a clock that stands still.
    public struct SchedulerTimeType: Strideable, Sendable {
        let position: Int

        /// The distance to `other`.
        public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.position - position) }

        /// The time `n` later.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(position: position + n.magnitude) }
    }

    /// The current time, which is always the same.
    public var now: SchedulerTimeType { SchedulerTimeType(position: 0) }

    /// No delay at all.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` now.
    public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    /// Runs `action` now.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    /// Runs `action` now, once.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return AnyCancellable {}
    }
}

extension ImmediateScheduler.SchedulerTimeType {
    /// A distance between times, in whole units that have no length.
    public struct Stride: CountedTimeInterval {
        /// The distance.
        public var magnitude: Int

        init(magnitude: Int) { self.magnitude = magnitude }

        /// Creates a distance.
        public init(_ value: Int) { magnitude = value }

        /// Creates a distance.
        public init(integerLiteral value: Int) { magnitude = value }

        /// Creates a distance of whole units.
        public init(floatLiteral value: Double) { magnitude = Int(value) }

        /// Zero: nothing takes time on this scheduler.
        public static func seconds(_ s: Double) -> Self { 0 }

        static func units(_ count: Int, perSecond: Int) -> Self { 0 }
    }
}
