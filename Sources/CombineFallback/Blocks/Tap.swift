/// What is told of everything that passes.
protocol Taps<Input, Failure> {
    associatedtype Input
    associatedtype Failure: Error

    static var name: String { get }
    func subscribed(_ subscription: any Subscription)
    func received(_ input: Input)
    func ended(_ completion: Subscribers.Completion<Failure>)
    func cancelled()
    /// `isReturned`: whether the demand is what came back for a value.
    func requested(_ demand: Subscribers.Demand, isReturned: Bool)
}

/// The subscriber of operators that change nothing, but tell of everything that passes.
struct Tap<Hooks: Taps, Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
where Hooks.Input == Downstream.Input, Hooks.Failure == Downstream.Failure {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    struct State {
        let hooks: Hooks
        let downstream: Downstream
        var upstream: (any Subscription)?
    }

    /// Nil once the stream is over.
    let state: Guarded<State?>

    init(_ hooks: Hooks, _ downstream: Downstream) { state = Guarded(State(hooks: hooks, downstream: downstream)) }

    var combineIdentifier: CombineIdentifier { state.identifier }
    var description: String { Hooks.name }

    func receive(subscription: any Subscription) {
        let accepted: State? = state.withLock { state in
            guard state?.upstream == nil else { return nil }
            state?.upstream = subscription
            return state
        }
        guard let accepted else { return subscription.cancel() }
        accepted.hooks.subscribed(subscription)
        accepted.downstream.receive(subscription: self)
    }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard let state = state.withLock({ $0 }) else { return .none }
        state.hooks.received(input)
        let more = state.downstream.receive(input)
        if more > .none { state.hooks.requested(more, isReturned: true) }
        return more
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard let state = take() else { return }
        state.hooks.ended(completion)
        state.downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        guard let state = state.withLock({ $0 }) else { return }
        state.hooks.requested(demand, isReturned: false)
        state.upstream?.request(demand)
    }

    func cancel() {
        guard let state = take() else { return }
        state.hooks.cancelled()
        state.upstream?.cancel()
    }

    private func take() -> State? {
        state.withLock { $0.take() }
    }
}
