#if !canImport(Combine)
import Dispatch
public import Foundation

extension OperationQueue: Scheduler {
    /// A moment on the queue's clock.
    public typealias SchedulerTimeType = DateSchedulerTime

    /// Nothing can be asked of an operation queue.
    public struct SchedulerOptions {}

    /// The moment it is.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    /// No delay at all.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` as an operation of the queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Handoff(action)
        addOperation { work.value() }
    }

    /// Adds `action` to the queue at `date`. The tolerance is not used.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = Handoff(action)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) {
            self.addOperation { work.value() }
        }
    }

    /// Adds `action` to the queue at `date` and then every `interval`, until the result is cancelled or released.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = Handoff(action)
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(
            deadline: .now() + max(0, date.date.timeIntervalSinceNow),
            repeating: interval.timeInterval,
            leeway: .nanoseconds(Int(clamping: Int64(max(0, min(tolerance.timeInterval, 3600)) * 1e9)))
        )
        timer.setEventHandler { self.addOperation { work.value() } }
        timer.resume()
        return AnyCancellable(timer.cancel)
    }
}
#endif
