import Basics
import PortableCombine

/// A subscriber that writes down what it gets, and asks for what it is told to.
final class TrackingSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    enum Event {
        case subscription(String)
        case value(Input)
        case finished
        case failure(String)
    }

    struct State {
        var events: [Event] = []
        var subscription: (any Subscription)?
        var callsUnderWay = 0
        var overlaps = 0
        var onSubscription: ((any Subscription) -> Void)?
        var onValue: ((Input) -> Subscribers.Demand)?
        var onEnd: (() -> Void)?
    }

    let state: Locked<State>

    init(
        onSubscription: ((any Subscription) -> Void)? = nil,
        onValue: ((Input) -> Subscribers.Demand)? = nil,
        onEnd: (() -> Void)? = nil
    ) {
        state = Locked(uncheckedState: State(onSubscription: onSubscription, onValue: onValue, onEnd: onEnd))
    }

    /// Asks for `initial` when it is subscribed, and for `more` with each value.
    convenience init(initial: Subscribers.Demand, more: Subscribers.Demand = .none) {
        self.init(
            onSubscription: { if initial > .none { $0.request(initial) } },
            onValue: { _ in more }
        )
    }

    var events: [Event] { state.withLock { $0.events } }
    var values: [Input] {
        events.compactMap { event in
            guard case .value(let value) = event else { return nil }
            return value
        }
    }
    var endings: Int {
        events.filter { event in
            switch event {
            case .finished, .failure: true
            case .subscription, .value: false
            }
        }.count
    }
    var overlaps: Int { state.withLock { $0.overlaps } }
    var subscription: (any Subscription)? { state.withLock { $0.subscription } }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
    func cancel() { subscription?.cancel() }

    /// Lets go of the subscription, for tests of lifetime.
    func release() {
        _ = state.withLock { state in
            defer { state.subscription = nil }
            return state.subscription
        }
    }

    func receive(subscription: any Subscription) {
        enter(.subscription(String(describing: subscription)))
        state.withLockUnchecked { $0.subscription = subscription }
        state.withLock { $0.onSubscription }?(subscription)
        leave()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        enter(.value(input))
        defer { leave() }
        return state.withLock { $0.onValue }?(input) ?? .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: enter(.finished)
        case .failure(let error): enter(.failure(String(describing: error)))
        }
        state.withLock { $0.onEnd }?()
        leave()
    }

    private func enter(_ event: Event) {
        state.withLockUnchecked { state in
            state.events.append(event)
            state.callsUnderWay += 1
            if state.callsUnderWay > 1 { state.overlaps += 1 }
        }
    }

    private func leave() {
        state.withLock { $0.callsUnderWay -= 1 }
    }
}

extension TrackingSubscriber.Event: Equatable where Input: Equatable {}
