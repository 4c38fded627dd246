public import Basics

extension Outlet {
    /// Creates an inlet whose values are delivered on a scheduler, one at a time and in order.
    ///
    /// The outlet does not count downstream's demand. Each scheduled closure allows one value to be delivered or, in
    /// batches, all that are in the queue when it starts.
    @inlinable func schedulingInlet(
        inBatches: Bool,
        by schedule: @escaping (@escaping () -> Void) -> Void,
        onValue: (() -> Void)? = nil
    ) -> Inlet<Output, Failure, Output, Failure> {
        var isScheduled = false
        let deliver = {
            onValue?()
            schedule {
                act { state in
                    isScheduled = false
                    if inBatches { state.demand = .max(state.queue.count) } else { state.demand += 1 }
                }
            }
        }
        return Inlet(
            self,
            .asDemanded,
            startsDownstream: true,
            schedule: schedule,
            take: { state, value, _ in
                state.enqueue(&value)
                if inBatches, isScheduled { return onValue }
                isScheduled = true
                return deliver
            },
            end: { _, completion in
                { schedule { act { $0.finish(completion) } } }
            }
        )
    }

    /// Calls `cancel` when the stream ends.
    @inlinable func onEnd(cancel: @escaping () -> Void) {
        let inlet = AnyInlet(.limited(.none))
        state.withLock { $0.add(inlet) }
        accept(ErasedSubscription { if case .cancel = $0 { cancel() } }, for: inlet)
    }
}

/// A timer that can be restarted. It does nothing once it is released.
///
/// At most one closure is scheduled at a time. The outlet's lock protects the variables.
@usableFromInline final class RestartableTimer<Context: Scheduler, Output, Failure: Error> {
    @usableFromInline typealias Time = Context.SchedulerTimeType
    /// Runs under the lock. The result runs after the lock has been released.
    @usableFromInline typealias Action = (inout Outlet<Output, Failure>.State) -> (() -> Void)?

    let outlet: Outlet<Output, Failure>
    let scheduler: Context
    let interval: Time.Stride
    let options: Context.SchedulerOptions?
    let action: Action
    /// Nil while the time is computed, or if the timer is not set.
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

    /// Sets the timer to now plus the interval.
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
