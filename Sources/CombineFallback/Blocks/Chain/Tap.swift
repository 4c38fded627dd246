/// Optional closures that are called for the events of a stream.
struct Events<Input, Failure: Error> {
    var subscription: ((any Subscription) -> Void)?
    var value: ((Input) -> Void)?
    var completion: ((Subscribers.Completion<Failure>) -> Void)?
    var cancel: (() -> Void)?
    /// The second argument is whether the demand was returned for a value.
    var request: ((Subscribers.Demand, Bool) -> Void)?
}

/// The subscriber of operators that change nothing, but call closures for events, or request and cancel on a scheduler.
struct Tap<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    struct State {
        let name: StaticString
        var upstream: (any Subscription)?
        /// Nil once the stream has ended, as is `downstream`.
        var events: Events<Input, Failure>?
        var downstream: Downstream?
    }

    let state: IdentifiedLock<State>
    /// Runs the closures that request from upstream and cancel it.
    let schedule: (@escaping () -> Void) -> Void

    init(
        _ events: Events<Input, Failure>,
        _ downstream: Downstream,
        name: StaticString,
        schedule: @escaping (@escaping () -> Void) -> Void = { $0() }
    ) {
        state = IdentifiedLock(State(name: name, events: events, downstream: downstream))
        self.schedule = schedule
    }

    var combineIdentifier: CombineIdentifier { state.identifier }
    var description: String { state.withLock { "\($0.name)" } }

    func receive(subscription: any Subscription) {
        let events: Events<Input, Failure>? = state.withLock { state in
            guard state.upstream == nil else { return nil }
            if state.events != nil { state.upstream = subscription }
            return state.events
        }
        guard let events else { return subscription.cancel() }
        events.subscription?(subscription)
        state.withLock { $0.downstream }?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let open = state.withLock { ($0.events, $0.downstream) }
        guard let events = open.0, let downstream = open.1 else { return .none }
        events.value?(input)
        let more = downstream.receive(input)
        // A subscriber that has cancelled meanwhile requests nothing.
        guard more > .none, state.withLock({ $0.events != nil }) else { return .none }
        events.request?(more, true)
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let last = take()
        last.events?.completion?(completion)
        last.downstream?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        state.withLock { $0.events }?.request?(demand, false)
        schedule { state.withLock { $0.upstream }?.request(demand) }
    }

    func cancel() {
        let last = take()
        last.events?.cancel?()
        if let upstream = last.upstream { schedule(upstream.cancel) }
    }

    private func take() -> State {
        state.withLock { state in
            defer { (state.upstream, state.events, state.downstream) = (nil, nil, nil) }
            return state
        }
    }
}
