extension Publishers {
    /// A publisher of the times between events of another.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: FailurePassing {
        /// A span of time on the scheduler's clock.
        public typealias Output = Context.SchedulerTimeType.Stride

        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The scheduler whose clock is used.
        public let scheduler: Context
        /// Creates the publisher.
        public init(upstream: Upstream, scheduler: Context) { (self.upstream, self.scheduler) = (upstream, scheduler) }

        @usableFromInline func serve(_ downstream: Downstream) {
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
    /// Publishes, in place of each value, the time since the one before it, or since the subscription came.
    ///
    /// Only the scheduler's clock is used; nothing is scheduled, and `options` are not looked at.
    public func measureInterval<Context: Scheduler>(
        using scheduler: Context,
        options: Context.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, Context> {
        Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
    }
}
