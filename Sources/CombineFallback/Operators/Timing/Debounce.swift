extension Publishers {
    /// A publisher of the values that no other value follows for a time.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The time in which no other value may follow.
        public let dueTime: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time, and delivers values and completion.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        public init(
            upstream: Upstream,
            dueTime: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            (self.upstream, self.dueTime, self.scheduler, self.options) = (upstream, dueTime, scheduler, options)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Debounce")
            var latest: Upstream.Output?
            let timer = RestartableTimer(of: dueTime, on: scheduler, options, for: outlet) { state in
                state.offer(&latest)
                let lost = latest.take()
                return { withExtendedLifetime(lost) {} }
            }
            Inlet(
                outlet,
                .all,
                startsDownstream: true,
                schedule: { [scheduler, options] in scheduler.schedule(options: options, $0) },
                take: { _, value, _ in
                    swap(&latest, &value)
                    timer.due = nil
                    return timer.restart
                },
                end: { [scheduler, options] _, completion in
                    { scheduler.schedule(options: options) { outlet.act { $0.end(completion) } } }
                }
            )
            .attach(to: upstream)
        }
    }
}

extension Publisher {
    /// Publishes a value once nothing has followed it for `dueTime`.
    ///
    /// A value that is still waiting when upstream ends is dropped, as is one without demand.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride,
        scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}
