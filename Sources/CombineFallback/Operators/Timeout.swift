import Basics

extension Publishers {
    /// A publisher that ends when upstream delivers nothing for a time.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream

        /// How long nothing may come.
        public let interval: Context.SchedulerTimeType.Stride

        /// What measures the time, and where values and completion are delivered.
        public let scheduler: Context

        /// What is asked of the scheduler.
        public let options: Context.SchedulerOptions?

        /// Makes the error with which it fails then; if nil, it finishes.
        public let customError: (() -> Upstream.Failure)?

        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            interval: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?,
            customError: (() -> Upstream.Failure)?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.options = options
            self.customError = customError
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Timeout", isPulled: false)
            let alarm = Alarm(scheduler, interval, options) { [customError] in
                guard outlet.state.withLock({ !$0.lines.isEmpty }) else { return }
                let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
                outlet.act { $0.finish(completion) }
            }
            outlet
                .mover(
                    inBatches: true,
                    by: { [scheduler, options] in scheduler.schedule(options: options, $0) },
                    onValue: alarm.postpone
                )
                .attach(to: upstream)
            alarm.set()
        }
    }
}

extension Publisher {
    /// If upstream delivers nothing for `interval`, cancels it, and finishes or fails with what `customError` makes.
    ///
    /// The time is counted from the subscription, and from each value. Values and completion are delivered on `scheduler`.
    @inlinable public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride,
        scheduler: S,
        options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}

/// Rings when it has not been postponed since it was set, unless it has been released.
@usableFromInline final class Alarm<Context: Scheduler> {
    let scheduler: Context
    let interval: Context.SchedulerTimeType.Stride
    let options: Context.SchedulerOptions?
    /// The time to which it has been postponed.
    let postponed = Locked<Context.SchedulerTimeType?>(nil)
    let ring: () -> Void

    @usableFromInline init(
        _ scheduler: Context,
        _ interval: Context.SchedulerTimeType.Stride,
        _ options: Context.SchedulerOptions?,
        ring: @escaping () -> Void
    ) {
        self.scheduler = scheduler
        self.interval = interval
        self.options = options
        self.ring = ring
    }

    @usableFromInline func postpone() {
        let next = scheduler.now.advanced(by: interval)
        postponed.withLock { $0 = next }
    }

    @usableFromInline func set() { set(for: scheduler.now.advanced(by: interval)) }

    private func set(for time: Context.SchedulerTimeType) {
        scheduler.schedule(after: time, tolerance: scheduler.minimumTolerance, options: options) { [weak self] in
            guard let self else { return }
            if let next = postponed.withLock({ $0.take() }) { set(for: next) } else { ring() }
        }
    }
}
