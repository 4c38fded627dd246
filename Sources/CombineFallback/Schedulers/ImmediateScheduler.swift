/// A scheduler that runs everything at once, where it is. It cannot wait: dates are not looked at.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// Nothing can be asked of it.
    public typealias SchedulerOptions = Never

    /// The only one there is.
    public static let shared = ImmediateScheduler()

    /// A moment on a clock that stands still.
    public struct SchedulerTimeType: Strideable, Sendable {
        let position: Int

        /// The distance between the moments.
        public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.position - position) }

        /// The moment `n` later.
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(position: position + n.magnitude) }
    }

    /// The moment it always is.
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

    /// Runs `action` now, and only once.
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
    /// A distance between moments, which takes no time; a fraction of a unit is left out.
    public struct Stride: CountedSpan {
        /// The distance.
        public var magnitude: Int

        init(magnitude: Int) { self.magnitude = magnitude }

        /// Creates a distance.
        public init(_ value: Int) { magnitude = value }

        /// Creates a distance.
        public init(integerLiteral value: Int) { magnitude = value }

        /// Creates a distance of whole units.
        public init(floatLiteral value: Double) { magnitude = Int(value) }

        /// No distance: nothing takes time here.
        public static func seconds(_ s: Double) -> Self { 0 }

        static func parts(_ count: Int, perSecond: Int) -> Self { 0 }
    }
}
