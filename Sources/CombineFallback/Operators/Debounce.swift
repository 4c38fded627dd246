extension Publishers {
    /// A publisher of the values after which nothing came for a time.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// How long nothing must come.
        public let dueTime: Context.SchedulerTimeType.Stride

        /// What measures the time, and where values and completion are delivered.
        public let scheduler: Context

        /// What is asked of the scheduler.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher.
        public init(
            upstream: Upstream,
            dueTime: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Settler(AnySubscriber(subscriber), schedule: schedule))
        }

        private func schedule(_ delays: Bool, _ action: @escaping () -> Void) {
            guard delays else { return scheduler.schedule(options: options, action) }
            scheduler.schedule(
                after: scheduler.now.advanced(by: dueTime),
                tolerance: scheduler.minimumTolerance,
                options: options,
                action
            )
        }
    }
}

extension Publisher {
    /// Publishes a value once nothing has followed it for `dueTime`.
    ///
    /// A value that is still waiting when upstream ends is lost, and so is one for which there is no demand.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride,
        scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}

/// The subscriber of `debounce`: keeps the latest value until it is due.
private struct Settler<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    struct State {
        let downstream: Downstream
        let schedule: (_ delays: Bool, @escaping () -> Void) -> Void
        var upstream: (any Subscription)?
        var hasEnded = false
        var latest: Input?
        /// How many values there have been: what is due belongs to one of them.
        var count = 0
    }

    let outlet: Outlet<Downstream>
    /// Nil once cancelled.
    let state: Guarded<State?>

    init(_ downstream: Downstream, schedule: @escaping (_ delays: Bool, @escaping () -> Void) -> Void) {
        outlet = Outlet(downstream)
        state = Guarded(State(downstream: downstream, schedule: schedule))
    }

    var combineIdentifier: CombineIdentifier { state.identifier }
    var description: String { "Debounce" }

    func receive(subscription: any Subscription) {
        let downstream: Downstream? = state.withLock { state in
            guard state?.upstream == nil, state?.hasEnded == false else { return nil }
            state?.upstream = subscription
            return state?.downstream
        }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
        let isOpen = state.withLock { $0 != nil }
        if isOpen { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let last: State? = state.withLock { state in
            guard state?.hasEnded == false else { return nil }
            let last = state
            state?.latest = input
            state?.count += 1
            return last
        }
        if let last { last.schedule(true) { settle(count: last.count + 1) } }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let last: State? = state.withLock { state in
            guard state?.hasEnded == false else { return nil }
            defer {
                state?.hasEnded = true
                state?.upstream = nil
                state?.latest = nil
            }
            return state
        }
        last?.schedule(false) {
            outlet.finish(completion)
            _ = take()
        }
    }

    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        outlet.request(demand)
    }

    func cancel() {
        outlet.close()
        take()?.upstream?.cancel()
    }

    private func settle(count: Int) {
        let value: Input? = state.withLock { state in
            guard state?.count == count else { return nil }
            return state?.latest.take()
        }
        if let value { outlet.offer { value } }
    }

    private func take() -> State? {
        state.withLock { $0.take() }
    }
}
