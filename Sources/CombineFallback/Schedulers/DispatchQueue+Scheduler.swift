#if !canImport(Combine)
import Basics
public import Dispatch

extension DispatchQueue: Scheduler {
    /// The options for one piece of work on a queue.
    public struct SchedulerOptions {
        /// The quality of service; the queue's own by default.
        public var qos: DispatchQoS

        /// The flags for the work; none by default.
        public var flags: DispatchWorkItemFlags

        /// The group that is told when the work is done.
        public var group: DispatchGroup?

        /// Creates options.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            (self.qos, self.flags, self.group) = (qos, flags, group)
        }
    }

    /// The current time.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    /// No delay at all.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

    /// Runs `action` on the queue. A serial queue first runs what was added before.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UncheckedSendable(action)
        guard let options else { return async { work.value() } }
        async(group: options.group, qos: options.qos, flags: options.flags) { work.value() }
    }

    /// Runs `action` on the queue at `date`. The tolerance is ignored: dispatch has none for work that runs once.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = UncheckedSendable(action)
        let group = options?.group
        group?.enter()
        asyncAfter(
            deadline: date.dispatchTime,
            qos: options?.qos ?? .unspecified,
            flags: options?.flags ?? []
        ) {
            work.value()
            group?.leave()
        }
    }

    /// Runs `action` on the queue at `date` and then every `interval`, until the result is cancelled or released.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.schedule(
            deadline: date.dispatchTime,
            repeating: interval.timeInterval,
            leeway: max(tolerance, minimumTolerance).timeInterval
        )
        let work = UncheckedSendable(action)
        timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
        timer.resume()
        return AnyCancellable(timer.cancel)
    }
}
#endif
