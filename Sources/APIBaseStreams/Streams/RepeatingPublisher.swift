import Basics
import HTTPTransport

/// Publishers one after another. Each is made when the previous one has ended and a value is requested.
///
/// Their number does not add to the stack, and nothing is read ahead.
struct RepeatingPublisher<Output>: Publisher {
    typealias Failure = any Error

    /// Makes the publisher with this number, from 0; `nil` ends the sequence.
    private let make: (Int) -> AnyPublisher<Output, any Error>?
    /// Returns true if the publisher that has ended is the last one. Then the sequence ends without further demand.
    private let isLast: () -> Bool

    init(
        isLast: @escaping () -> Bool = { false },
        _ make: @escaping (Int) -> AnyPublisher<Output, any Error>?
    ) {
        (self.isLast, self.make) = (isLast, make)
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RepeatingSubscription(make, isLast: isLast, for: subscriber))
    }
}

private final class RepeatingSubscription<Output>: Subscription {
    private struct State {
        var downstream: (any Subscriber<Output, any Error>)?
        var demand = Subscribers.Demand.none
        /// The number of the next publisher.
        var next = 0
        /// True while a publisher is being read. Its subscription follows.
        var isBusy = false
        var upstream: (any Subscription)?
    }

    private let make: (Int) -> AnyPublisher<Output, any Error>?
    private let isLast: () -> Bool
    private let loop = Trampoline()
    private let state: Locked<State>

    init(
        _ make: @escaping (Int) -> AnyPublisher<Output, any Error>?,
        isLast: @escaping () -> Bool,
        for downstream: any Subscriber<Output, any Error>
    ) {
        (self.make, self.isLast) = (make, isLast)
        state = Locked(uncheckedState: State(downstream: downstream))
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

    /// Subscribes to the next publisher, if there is demand for it.
    private func start() {
        loop.run { [self] in
            let number = state.withLock { state -> Int? in
                guard state.downstream != nil, state.demand > .none, !state.isBusy else { return nil }
                state.isBusy = true
                defer { state.next += 1 }
                return state.next
            }
            guard let number else { return }
            guard let publisher = make(number) else { return end(.finished) }
            publisher.subscribe(Reader(subscription: self))
        }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let downstream = state.withLock { $0.downstream.take() }
        downstream?.receive(completion: completion)
    }

    /// Reads one publisher.
    private struct Reader: Subscriber {
        typealias Input = Output
        typealias Failure = any Error

        let subscription: RepeatingSubscription
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { self.subscription.receive(subscription) }
        func receive(_ input: Output) -> Subscribers.Demand { subscription.receive(input) }
        func receive(completion: Subscribers.Completion<any Error>) { subscription.receive(completion) }
    }

    private func receive(_ subscription: any Subscription) {
        let demand = state.withLockUnchecked { state -> Subscribers.Demand? in
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
        // Asked before the next publisher may begin.
        let continues = if case .finished = completion { !isLast() } else { false }
        state.withLock { ($0.isBusy, $0.upstream) = (!continues, nil) }
        if continues { start() } else { end(completion) }
    }
}
