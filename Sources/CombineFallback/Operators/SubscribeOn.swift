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
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        @usableFromInline func serve(_ downstream: Downstream) {
            let (scheduler, options, upstream) = (scheduler, options, upstream)
            let errand = Errand(downstream) { scheduler.schedule(options: options, $0) }
            scheduler.schedule(options: options) { upstream.attach(errand) }
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

/// The subscriber of `subscribe(on:)`: what it has to say to upstream it says elsewhere.
private struct Errand<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    struct State {
        var upstream: (any Subscription)?
        /// Nil once the stream is over.
        var downstream: Downstream?
    }

    let state: Guarded<State>
    let schedule: (@escaping () -> Void) -> Void

    init(_ downstream: Downstream, schedule: @escaping (@escaping () -> Void) -> Void) {
        state = Guarded(State(downstream: downstream))
        self.schedule = schedule
    }

    var combineIdentifier: CombineIdentifier { state.identifier }
    var description: String { "SubscribeOn" }

    func receive(subscription: any Subscription) {
        let downstream: Downstream? = state.withLock { state in
            guard state.upstream == nil else { return nil }
            if state.downstream != nil { state.upstream = subscription }
            return state.downstream
        }
        if let downstream { downstream.receive(subscription: self) } else { subscription.cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand { state.withLock { $0.downstream }?.receive(input) ?? .none }

    func receive(completion: Subscribers.Completion<Failure>) { take().downstream?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        schedule { state.withLock { $0.upstream }?.request(demand) }
    }

    func cancel() { if let upstream = take().upstream { schedule(upstream.cancel) } }

    private func take() -> State {
        state.withLock { state in
            defer { (state.upstream, state.downstream) = (nil, nil) }
            return state
        }
    }
}
