extension Publishers {
    /// A publisher that subscribes, asks and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The scheduler on which upstream is subscribed to, asked and cancelled.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
        }

        @usableFromInline func serve(_ downstream: Downstream) {
            let (scheduler, options, upstream) = (scheduler, options, upstream)
            let tap = Tap(Events(), downstream, name: "SubscribeOn") { scheduler.schedule(options: options, $0) }
            scheduler.schedule(options: options) { upstream.attach(tap) }
        }
    }
}

extension Publisher {
    /// Subscribes to upstream, asks it and cancels it on `scheduler`. Values arrive where upstream delivers them.
    public func subscribe<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.SubscribeOn<Self, S> {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}
