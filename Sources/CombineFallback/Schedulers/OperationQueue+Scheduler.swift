#if !canImport(Combine)
import Dispatch
public import Foundation

extension OperationQueue: Scheduler {
    /// A moment on the queue's clock.
    public typealias SchedulerTimeType = DateSchedulerTime<OperationQueue>

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

    /// Adds an operation that runs `action`, and is not ready before `date`. The tolerance is not used.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = Handoff(action)
        let operation = BlockOperation { work.value() }
        let date = date.date
        // Operations wait for others, not for a date: this one is nobody's, and begins when it is time.
        let time = BlockOperation()
        operation.addDependency(time)
        addOperation(operation)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.timeIntervalSinceNow), execute: time.start)
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
