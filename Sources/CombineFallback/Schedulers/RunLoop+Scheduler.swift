#if !canImport(Combine)
import Basics
import Dispatch
public import Foundation

extension RunLoop: Scheduler {
    /// A time on the run loop's clock.
    public typealias SchedulerTimeType = DateSchedulerTime<RunLoop>

    /// A run loop has no options.
    public struct SchedulerOptions {}

    /// The current time.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    /// No delay at all.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` on the next turn of the run loop in the default mode.
    ///
    /// Work for the main run loop runs on the main queue. The main run loop runs the queue's work as well, and the
    /// queue also works where no run loop runs, as in `dispatchMain()` and an `async` `main`.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        if let mainQueue { return mainQueue.schedule(options: nil, action) }
        let work = UncheckedSendable(action)
        perform { work.value() }
        // `perform` does not wake a run loop that sleeps on another thread; a timer does.
        add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, forMode: .default)
    }

    /// Runs `action` on the run loop at `date`, or up to `tolerance` later.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        if let mainQueue {
            let tolerance = DispatchQueue.SchedulerTimeType.Stride.seconds(tolerance.timeInterval)
            mainQueue.schedule(after: date.dispatchTime, tolerance: tolerance, options: nil, action)
        } else {
            _ = start(at: date, repeating: nil, tolerance: tolerance, mode: .default, action)
        }
    }

    /// Runs `action` on the run loop at `date` and then every `interval`, until the result is cancelled or released.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: tolerance, mode: .default, action)
    }

    /// The same, in any mode.
    func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        mode: Mode,
        _ action: @escaping () -> Void
    ) -> AnyCancellable {
        guard let mainQueue else {
            let timer = start(at: date, repeating: interval, tolerance: tolerance, mode: mode, action)
            return AnyCancellable(timer.invalidate)
        }
        return AnyCancellable(
            mainQueue.schedule(
                after: date.dispatchTime,
                interval: .seconds(interval.timeInterval),
                tolerance: .seconds(tolerance.timeInterval),
                options: nil,
                action
            )
        )
    }

    /// The main queue, if this is the main run loop.
    private var mainQueue: DispatchQueue? { self === RunLoop.main ? .main : nil }

    private func start(
        at date: SchedulerTimeType,
        repeating interval: SchedulerTimeType.Stride?,
        tolerance: SchedulerTimeType.Stride,
        mode: Mode,
        _ action: @escaping () -> Void
    ) -> Timer {
        let work = UncheckedSendable(action)
        let timer = Timer(fire: date.date, interval: interval?.timeInterval ?? 0, repeats: interval != nil) { _ in
            work.value()
        }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: mode)
        return timer
    }
}
#endif
