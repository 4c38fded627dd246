extension Publishers {
    /// A publisher that delivers on a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The scheduler that delivers values and completion.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
        }

        @inlinable func serve(_ downstream: Downstream) {
            Outlet(downstream, name: "ReceiveOn", isPulled: false)
                .mover(inBatches: true, by: { [scheduler, options] in scheduler.schedule(options: options, $0) })
                .attach(to: upstream)
        }
    }

    /// A publisher that delivers everything later.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The time by which events are delivered later.
        public let interval: Context.SchedulerTimeType.Stride
        /// The time by which the scheduler may be later still.
        public let tolerance: Context.SchedulerTimeType.Stride
        /// The scheduler that delivers values and completion.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            interval: Context.SchedulerTimeType.Stride,
            tolerance: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions? = nil
        ) {
            (self.upstream, self.interval, self.tolerance, self.scheduler) = (upstream, interval, tolerance, scheduler)
            self.options = options
        }

        @inlinable func serve(_ downstream: Downstream) {
            Outlet(downstream, name: "Delay", isPulled: false)
                .mover(inBatches: false) { [scheduler, interval, tolerance, options] in
                    let due = scheduler.now.advanced(by: interval)
                    scheduler.schedule(after: due, tolerance: tolerance, options: options, $0)
                }
                .attach(to: upstream)
        }
    }
}

extension Publisher {
    /// Delivers values and completion on `scheduler`, in order, also if it runs several things at a time.
    ///
    /// The subscription itself is delivered where it comes from. Values that are waiting when the scheduler's turn comes
    /// are delivered in one turn.
    @inlinable public func receive<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }

    /// Delivers values and completion `interval` later, on `scheduler`, in order.
    ///
    /// The subscription is not delayed. The tolerance is the scheduler's least, if it is not given.
    @inlinable public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride,
        tolerance: S.SchedulerTimeType.Stride? = nil,
        scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        .init(
            upstream: self,
            interval: interval,
            tolerance: tolerance ?? scheduler.minimumTolerance,
            scheduler: scheduler,
            options: options
        )
    }
}
