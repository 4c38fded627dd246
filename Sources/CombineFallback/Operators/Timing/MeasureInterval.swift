extension Publishers {
    /// A publisher of the times between upstream's values.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: FailurePassing {
        /// A time interval on the scheduler's clock.
        public typealias Output = Context.SchedulerTimeType.Stride

        /// The upstream publisher.
        public let upstream: Upstream
        /// The scheduler whose clock is used.
        public let scheduler: Context
        /// Creates the publisher.
        public init(upstream: Upstream, scheduler: Context) { (self.upstream, self.scheduler) = (upstream, scheduler) }

        @usableFromInline func receive(erased downstream: Downstream) {
            var last = scheduler.now
            let intervals = Relay(to: downstream) { [scheduler] (_: Upstream.Output) -> Output? in
                let now = scheduler.now
                defer { last = now }
                return last.distance(to: now)
            } completion: {
                $0
            }
            let restart = Events<Upstream.Output, Failure>(subscription: { [scheduler] _ in last = scheduler.now })
            upstream.attach(Tap(restart, intervals, name: "MeasureInterval"))
        }
    }
}

extension Publisher {
    /// Publishes, instead of each value, the time since the previous one or, first, since the subscription arrived.
    ///
    /// Only the scheduler's clock is used. Nothing is scheduled, and `options` are ignored.
    public func measureInterval<Context: Scheduler>(
        using scheduler: Context,
        options: Context.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, Context> {
        Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
    }
}
