#if !canImport(Combine)
import Basics
import Dispatch
public import Foundation

extension OperationQueue: Scheduler {
    /// A time on the queue's clock.
    public typealias SchedulerTimeType = DateSchedulerTime<OperationQueue>

    /// An operation queue has no options.
    public struct SchedulerOptions {}

    /// The current time.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    /// No delay at all.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` as an operation of the queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UncheckedSendable(action)
        addOperation { work.value() }
    }

    /// Adds an operation that runs `action`, and is not ready before `date`. The tolerance is not used.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let work = UncheckedSendable(action)
        let operation = BlockOperation { work.value() }
        // Operations wait for other operations, not for a date. This one is in no queue, and starts at the date.
        let time = BlockOperation()
        operation.addDependency(time)
        addOperation(operation)
        DispatchQueue.global().schedule(after: date.dispatchTime, time.start)
    }

    /// Adds `action` to the queue at `date` and then every `interval`, until the result is cancelled or released.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let work = UncheckedSendable(action)
        return DispatchQueue.global().schedule(
            after: date.dispatchTime,
            interval: .seconds(interval.timeInterval),
            tolerance: .seconds(tolerance.timeInterval)
        ) { self.addOperation { work.value() } }
    }
}
#endif
