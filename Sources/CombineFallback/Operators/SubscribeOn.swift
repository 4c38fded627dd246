extension Publishers {
    /// A publisher that subscribes, asks and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Where upstream is subscribed to, asked and cancelled.
        public let scheduler: Context

        /// What is asked of the scheduler.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        @inlinable
        func serve(_ downstream: Downstream) {
            let schedule = { [scheduler, options] in scheduler.schedule(options: options, $0) }
            schedule { [upstream] in
                Outlet(downstream, name: "SubscribeOn")
                    .follow(Remote(upstream: upstream, schedule: schedule), begins: true)
            }
        }
    }
}

extension Publisher {
    /// Subscribes to upstream, asks it and cancels it on `scheduler`. Values arrive where upstream delivers them.
    @inlinable
    public func subscribe<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.SubscribeOn<Self, S> {
        .init(upstream: self, scheduler: scheduler, options: options)
    }
}

/// A publisher whose subscription says elsewhere what it has to say.
@usableFromInline
struct Remote<Upstream: Publisher>: ValuePassing, FailurePassing {
    @usableFromInline let upstream: Upstream
    @usableFromInline let schedule: (@escaping () -> Void) -> Void

    @inlinable
    init(upstream: Upstream, schedule: @escaping (@escaping () -> Void) -> Void) {
        self.upstream = upstream
        self.schedule = schedule
    }

    @inlinable
    func serve(_ downstream: Downstream) {
        upstream.receive(
            subscriber: AnySubscriber(
                receiveSubscription: { [schedule] in
                    downstream.receive(subscription: RemoteSubscription(subscription: $0, schedule: schedule))
                },
                receiveValue: downstream.receive(_:),
                receiveCompletion: downstream.receive(completion:)
            )
        )
    }
}

@usableFromInline
struct RemoteSubscription: Subscription {
    @usableFromInline let subscription: any Subscription
    @usableFromInline let schedule: (@escaping () -> Void) -> Void
    @usableFromInline var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

    @inlinable
    init(subscription: any Subscription, schedule: @escaping (@escaping () -> Void) -> Void) {
        self.subscription = subscription
        self.schedule = schedule
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        schedule { subscription.request(demand) }
    }

    @usableFromInline
    func cancel() { schedule(subscription.cancel) }
}
