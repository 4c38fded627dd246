import Basics

extension Publisher where Failure == any Error {
    /// The values of the publisher that is made of the first value, such as the body of a response.
    ///
    /// The demand is that of downstream, and the end follows the values, so that a value that has been published is
    /// never dropped for an error. (`flatMap` asks for a value in advance, and drops it if the publisher fails.)
    package func continued<Next: Publisher<NextOutput, any Error>, NextOutput>(
        by next: @escaping (Output) -> Next
    ) -> ContinuedPublisher<Self, Next> {
        ContinuedPublisher(upstream: self, next: next)
    }
}

/// A publisher of one value, and then the publisher that is made of it. An end without a value is the end. The value is
/// asked for at once, and the others on demand.
package struct ContinuedPublisher<Upstream: Publisher, Next: Publisher>: Publisher
where Upstream.Failure == any Error, Next.Failure == any Error {
    package typealias Output = Next.Output
    package typealias Failure = any Error

    let upstream: Upstream
    let next: (Upstream.Output) -> Next

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = ContinuedSubscription<Output>(for: subscriber)
        upstream.subscribe(FirstReader(subscription: subscription, next: next))
    }

    /// Reads the first publisher.
    private struct FirstReader: Subscriber {
        typealias Input = Upstream.Output
        typealias Failure = any Error

        let subscription: ContinuedSubscription<Next.Output>
        let next: (Upstream.Output) -> Next
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { self.subscription.begin(with: subscription) }

        func receive(_ value: Upstream.Output) -> Subscribers.Demand {
            if subscription.takeFirst() { next(value).subscribe(NextReader(subscription: subscription)) }
            return .none
        }

        func receive(completion: Subscribers.Completion<any Error>) { subscription.endFirst(completion) }
    }

    /// Reads the publisher that is made of the value.
    private struct NextReader: Subscriber {
        typealias Input = Next.Output
        typealias Failure = any Error

        let subscription: ContinuedSubscription<Next.Output>
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) { self.subscription.proceed(with: subscription) }
        func receive(_ value: Next.Output) -> Subscribers.Demand { subscription.receive(value) }
        func receive(completion: Subscribers.Completion<any Error>) { subscription.end(completion) }
    }
}

private final class ContinuedSubscription<Output>: Subscription {
    private struct State {
        /// Nil once the stream is over.
        var downstream: (any Subscriber<Output, any Error>)?
        /// The subscription to the first publisher, until that ends.
        var first: (any Subscription)?
        var hasFirst = false
        var next: (any Subscription)?
        /// The demand for the next publisher until it has been subscribed to.
        var demand = Subscribers.Demand.none
    }

    private let state: Locked<State>

    init(for downstream: any Subscriber<Output, any Error>) {
        state = Locked(uncheckedState: State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let next = state.withLockUnchecked { state in
            if state.next == nil { state.demand += demand }
            return state.next
        }
        next?.request(demand)
    }

    func cancel() {
        let last = close()
        last.first?.cancel()
        last.next?.cancel()
    }

    /// Ends the stream, and returns its last state, to be released outside the lock.
    private func close() -> State {
        state.withLockUnchecked { state in
            defer { (state.downstream, state.first, state.next) = (nil, nil, nil) }
            return state
        }
    }

    // MARK: The first publisher

    func begin(with subscription: any Subscription) {
        let downstream = state.withLockUnchecked { state in
            state.first = subscription
            return state.downstream
        }
        downstream?.receive(subscription: self)
        state.withLockUnchecked { $0.first }?.request(.max(1))
    }

    /// True if the value is the first, and wanted.
    func takeFirst() -> Bool {
        state.withLock { state in
            defer { state.hasFirst = true }
            return state.downstream != nil && !state.hasFirst
        }
    }

    func endFirst(_ completion: Subscribers.Completion<any Error>) {
        let (first, hasFirst) = state.withLockUnchecked { ($0.first.take(), $0.hasFirst) }
        if !hasFirst { end(completion) }
        withExtendedLifetime(first) {}
    }

    // MARK: The next publisher

    func proceed(with subscription: any Subscription) {
        let demand = state.withLockUnchecked { state -> Subscribers.Demand? in
            guard state.downstream != nil, state.next == nil else { return nil }
            state.next = subscription
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ value: Output) -> Subscribers.Demand {
        state.withLockUnchecked { $0.downstream }?.receive(value) ?? .none
    }

    func end(_ completion: Subscribers.Completion<any Error>) {
        let last = close()
        last.first?.cancel()
        last.downstream?.receive(completion: completion)
    }
}
