import Basics
import HTTPTransport

/// Publishers one after another: each is made when the one before has ended, and when a value is asked for.
///
/// However many there are, none stands around another, and nothing is read ahead.
struct Rounds<Output>: Publisher {
    typealias Failure = any Error

    /// Makes the round with this number, from 0; `nil` ends it all.
    private let round: (Int) -> AnyPublisher<Output, any Error>?
    /// Whether there is none after this one, so that all ends with it; asked when a round has ended.
    private let isLast: () -> Bool

    init(
        isLast: @escaping () -> Bool = { false },
        _ round: @escaping (Int) -> AnyPublisher<Output, any Error>?
    ) {
        (self.isLast, self.round) = (isLast, round)
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RoundsSubscription(round, isLast: isLast, for: subscriber))
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
    }

    private let round: (Int) -> AnyPublisher<Output, any Error>?
    private let isLast: () -> Bool
    private let loop = Trampoline()
    private let state: Locked<State>

    init(
        _ round: @escaping (Int) -> AnyPublisher<Output, any Error>?,
        isLast: @escaping () -> Bool,
        for downstream: any Subscriber<Output, any Error>
    ) {
        (self.round, self.isLast) = (round, isLast)
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

    /// Starts the next round, if it is asked for.
    private func start() {
        loop.run { [self] in
            guard let number = state.withLock({ $0.beginRound() }) else { return }
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
        // Asked before the next round may begin.
        let goesOn = if case .finished = completion { !isLast() } else { false }
        state.withLock { ($0.isBusy, $0.upstream) = (!goesOn, nil) }
        if goesOn { start() } else { end(completion) }
    }
}

extension RoundsSubscription.State {
    /// The number of a round to start; `nil` if none is wanted now.
    fileprivate mutating func beginRound() -> Int? {
        guard downstream != nil, demand > .none, !isBusy else { return nil }
        isBusy = true
        defer { next += 1 }
        return next
    }
}
