extension Publishers {
    /// A publisher that ends when upstream delivers nothing for a time.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The longest time for which no value may come.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time, and delivers values and completion.
        public let scheduler: Context
        /// The options for the scheduler's work.
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
            (self.upstream, self.interval, self.scheduler, self.options) = (upstream, interval, scheduler, options)
            self.customError = customError
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Timeout", isPulled: false)
            let countdown = Countdown(of: interval, on: scheduler, options, for: outlet) { [customError] state in
                if state.inlets.isEmpty { return nil }
                return {
                    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
                    outlet.act { $0.finish(completion) }
                }
            }
            outlet
                .mover(
                    inBatches: true,
                    by: { [scheduler, options] in scheduler.schedule(options: options, $0) },
                    onValue: countdown.restart
                )
                .attach(to: upstream)
            countdown.restart()
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
