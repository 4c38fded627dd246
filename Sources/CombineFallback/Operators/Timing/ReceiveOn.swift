extension Publishers {
    /// A publisher that delivers on a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The scheduler that delivers values and completion.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
        }

        @inlinable func receive(erased downstream: Downstream) {
            Outlet(downstream, name: "ReceiveOn", isPulled: false)
                .schedulingInlet(
                    inBatches: true,
                    by: { [scheduler, options] in scheduler.schedule(options: options, $0) }
                )
                .attach(to: upstream)
        }
    }

    /// A publisher that delivers everything later.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The delay.
        public let interval: Context.SchedulerTimeType.Stride
        /// The time by which the scheduler may be late.
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

        @inlinable func receive(erased downstream: Downstream) {
            Outlet(downstream, name: "Delay", isPulled: false)
                .schedulingInlet(inBatches: false) { [scheduler, interval, tolerance, options] in
                    let due = scheduler.now.advanced(by: interval)
                    scheduler.schedule(after: due, tolerance: tolerance, options: options, $0)
                }
                .attach(to: upstream)
        }
    }
}

extension Publisher {
    /// Delivers values and completion on `scheduler`, in order, even if the scheduler is concurrent.
    ///
    /// The subscription is delivered on upstream's thread. One scheduled closure delivers all values that wait when it
    /// starts.
    @inlinable public func receive<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }

    /// Delivers values and completion `interval` later, on `scheduler`, in order.
    ///
    /// The subscription is not delayed. By default the tolerance is the scheduler's minimum.
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

extension Publishers {
    /// A publisher that subscribes, requests and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The scheduler for subscribing, requests and cancellation.
        public let scheduler: Context
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            let (scheduler, options, upstream) = (scheduler, options, upstream)
            let tap = Tap(Events(), downstream, name: "SubscribeOn") { scheduler.schedule(options: options, $0) }
            scheduler.schedule(options: options) { upstream.attach(tap) }
        }
    }
}

extension Publisher {
    /// Subscribes to upstream, requests values and cancels on `scheduler`. Values arrive on upstream's thread.
    public func subscribe<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.SubscribeOn<Self, S> {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}
