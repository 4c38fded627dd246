#if !canImport(Combine)
import Dispatch
public import Foundation

extension RunLoop: Scheduler {
    /// A moment on the run loop's clock.
    public typealias SchedulerTimeType = DateSchedulerTime<RunLoop>

    /// Nothing can be asked of a run loop.
    public struct SchedulerOptions {}

    /// The moment it is.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    /// No delay at all.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs `action` on the next turn of the run loop in the default mode.
    ///
    /// What is given to the main run loop runs on the main queue: the run loop serves that too, and where the main
    /// thread has none that runs, as below `dispatchMain()` and an `async` `main`, the queue is served all the same.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        if let mainQueue { return mainQueue.schedule(options: nil, action) }
        let work = Handoff(action)
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
            mainQueue.schedule(after: time(on: mainQueue, at: date), tolerance: tolerance, options: nil, action)
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
                after: time(on: mainQueue, at: date),
                interval: .seconds(interval.timeInterval),
                tolerance: .seconds(tolerance.timeInterval),
                options: nil,
                action
            )
        )
    }

    /// The main queue, if this is the main run loop.
    private var mainQueue: DispatchQueue? { self === RunLoop.main ? .main : nil }

    private func time(on queue: DispatchQueue, at date: SchedulerTimeType) -> DispatchQueue.SchedulerTimeType {
        queue.now.advanced(by: .seconds(now.distance(to: date).timeInterval))
    }

    private func start(
        at date: SchedulerTimeType,
        repeating interval: SchedulerTimeType.Stride?,
        tolerance: SchedulerTimeType.Stride,
        mode: Mode,
        _ action: @escaping () -> Void
    ) -> Timer {
        let work = Handoff(action)
        let timer = Timer(fire: date.date, interval: interval?.timeInterval ?? 0, repeats: interval != nil) { _ in
            work.value()
        }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: mode)
        return timer
    }
}
#endif
