import Basics
import HTTPTransport

/// Publishers one after another: each is made when the one before has ended, and when a value is asked for.
///
/// However many there are, none stands around another, and nothing is read ahead.
struct Rounds<Output>: Publisher {
    typealias Failure = any Error

    /// Makes the round with this number, from 0; `nil` ends it all.
    let round: (Int) -> AnyPublisher<Output, any Error>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RoundsSubscription(round, for: subscriber))
    }
}

/// One subscription to rounds.
private final class RoundsSubscription<Output>: Subscription {
    fileprivate struct State {
        var downstream: (any Subscriber<Output, any Error>)?
        var demand = Subscribers.Demand.none
        /// The number of the next round.
        var next = 0
        /// Whether a round is under way, and its subscription.
        var isBusy = false
        var upstream: (any Subscription)?
        /// Whether a thread is starting rounds.
        var isStarting = false
    }

    private let round: (Int) -> AnyPublisher<Output, any Error>?
    private let state: Locked<State>

    init(
        _ round: @escaping (Int) -> AnyPublisher<Output, any Error>?,
        for downstream: any Subscriber<Output, any Error>
    ) {
        self.round = round
        state = Locked(State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLock { state in
            state.demand += demand
            return state.upstream
        }
        upstream?.request(demand)
        start()
    }

    func cancel() {
        let (downstream, upstream) = state.withLock { state in
            defer { (state.downstream, state.upstream) = (nil, nil) }
            return (state.downstream, state.upstream)
        }
        upstream?.cancel()
        withExtendedLifetime(downstream) {}
    }

    /// Starts rounds for as long as each ends at once and more is asked for. So many in a row need no deep stack.
    private func start() {
        let isFree = state.withLock { state in
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isFree else { return }
        while let number = state.withLock({ $0.beginRound() }) {
            guard let round = round(number) else { return end(.finished) }
            round.subscribe(Reader(rounds: self))
        }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let downstream = state.withLock { $0.downstream.take() }
        downstream?.receive(completion: completion)
    }

    /// Reads one round.
    private struct Reader: Subscriber {
        typealias Input = Output
        typealias Failure = any Error

        let rounds: RoundsSubscription
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { rounds.receive(subscription) }
        func receive(_ input: Output) -> Subscribers.Demand { rounds.receive(input) }
        func receive(completion: Subscribers.Completion<any Error>) { rounds.receive(completion) }
    }

    private func receive(_ subscription: any Subscription) {
        let demand = state.withLock { state -> Subscribers.Demand? in
            guard state.downstream != nil else { return nil }
            state.upstream = subscription
            return state.demand
        }
        if let demand { subscription.request(demand) } else { subscription.cancel() }
    }

    private func receive(_ value: Output) -> Subscribers.Demand {
        let downstream = state.withLock { state in
            if state.demand > .none { state.demand -= 1 }
            return state.downstream
        }
        let more = downstream?.receive(value) ?? .none
        state.withLock { $0.demand += more }
        return more
    }

    private func receive(_ completion: Subscribers.Completion<any Error>) {
        state.withLock { ($0.isBusy, $0.upstream) = (false, nil) }
        if case .failure = completion { end(completion) } else { start() }
    }
}

extension RoundsSubscription.State {
    /// The number of a round to start; `nil` if none is wanted now, and then no thread is starting any.
    fileprivate mutating func beginRound() -> Int? {
        guard downstream != nil, demand > .none, !isBusy else {
            isStarting = false
            return nil
        }
        isBusy = true
        defer { next += 1 }
        return next
    }
}
