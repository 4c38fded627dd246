extension Publishers {
    /// A publisher that ends if upstream delivers no value for a time.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The maximum time without a value.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time, and delivers values and completion.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Makes the error of a timeout; if nil, the stream finishes.
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

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Timeout", isPulled: false)
            let timer = RestartableTimer(of: interval, on: scheduler, options, for: outlet) { [customError] state in
                if state.inlets.isEmpty { return nil }
                return {
                    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
                    outlet.act { $0.finish(completion) }
                }
            }
            outlet
                .schedulingInlet(
                    inBatches: true,
                    by: { [scheduler, options] in scheduler.schedule(options: options, $0) },
                    onValue: timer.restart
                )
                .attach(to: upstream)
            timer.restart()
        }
    }
}

extension Publisher {
    /// If upstream delivers no value for `interval`, cancels it, and finishes or fails with the error of `customError`.
    ///
    /// The time starts at the subscription and again at each value. Values and completion are delivered on `scheduler`.
    @inlinable public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride,
        scheduler: S,
        options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}
