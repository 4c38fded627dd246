/// A moment that can be put off, and what is done when it comes, unless this has been released before.
///
/// At most one piece of work waits for it. The outlet's lock guards what changes.
@usableFromInline final class Countdown<Context: Scheduler, Output, Failure: Error> {
    @usableFromInline typealias Time = Context.SchedulerTimeType
    /// Runs under the lock; what is returned is done when the lock has been given back.
    @usableFromInline typealias Action = (inout Outlet<Output, Failure>.State) -> (() -> Void)?

    let outlet: Outlet<Output, Failure>
    let scheduler: Context
    let interval: Time.Stride
    let options: Context.SchedulerOptions?
    let action: Action
    /// Nil while the moment is being worked out, or if nothing is to be done.
    @usableFromInline var due: Time?
    var isWaiting = false

    @usableFromInline init(
        of interval: Time.Stride,
        on scheduler: Context,
        _ options: Context.SchedulerOptions?,
        for outlet: Outlet<Output, Failure>,
        action: @escaping Action
    ) {
        (self.outlet, self.scheduler, self.interval) = (outlet, scheduler, interval)
        (self.options, self.action) = (options, action)
    }

    /// Puts the moment off until the interval has passed from now.
    @usableFromInline func restart() {
        let time = scheduler.now.advanced(by: interval)
        let mustWait = outlet.state.withLock { _ in
            defer { (due, isWaiting) = (time, true) }
            return !isWaiting
        }
        if mustWait { wait(until: time) }
    }

    private func wait(until time: Time) {
        scheduler.schedule(after: time, tolerance: scheduler.minimumTolerance, options: options) { [weak self] in
            guard let self else { return }
            let (next, work): (Time?, (() -> Void)?) = outlet.act { state in
                if let due = self.due, due > time { return (due, nil) }
                self.isWaiting = false
                return (nil, self.due.take() == nil ? nil : self.action(&state))
            }
            work?()
            if let next { wait(until: next) }
        }
    }
}
