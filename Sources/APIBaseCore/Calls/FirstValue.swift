import Basics

/// Takes the first value of a publisher, or its end without one, and ignores everything later.
@usableFromInline package final class FirstValue<Output>: Subscriber, Cancellable, Sendable {
    @usableFromInline package typealias Input = Output
    @usableFromInline package typealias Failure = any Error
    @usableFromInline package typealias Receiver = (Result<Output?, any Error>) -> Void

    private struct State {
        /// The receiver, while it waits.
        var then: Receiver?
        var upstream: (any Subscription)?
        var isCancelled = false
    }

    private let state = Locked(State())

    @usableFromInline package init() {}

    /// Subscribes, and waits for the first value. If the wait has been canceled, `then` gets `CancellationError`.
    @usableFromInline package func wait(for publisher: some Publisher<Output, any Error>, then: @escaping Receiver) {
        let isWanted = state.withLockUnchecked { state in
            if !state.isCancelled { state.then = then }
            return !state.isCancelled
        }
        if isWanted { publisher.subscribe(self) } else { then(.failure(CancellationError())) }
    }

    @usableFromInline package func receive(subscription: any Subscription) {
        let isWanted = state.withLockUnchecked { state in
            if !state.isCancelled { state.upstream = subscription }
            return !state.isCancelled
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    @usableFromInline package func receive(_ value: Output) -> Subscribers.Demand {
        take()?(.success(value))
        return .none
    }

    @usableFromInline package func receive(completion: Subscribers.Completion<any Error>) {
        let upstream = state.withLock { $0.upstream.take() }
        withExtendedLifetime(upstream) {}
        switch completion {
        case .finished: take()?(.success(nil))
        case .failure(let error): take()?(.failure(error))
        }
    }

    /// Cancels the publisher and the wait. The receiver is not called.
    @usableFromInline package func cancel() { _ = end() }

    /// Cancels the publisher, and ends the wait with this error.
    @usableFromInline package func cancel(throwing error: any Error) { end()?(.failure(error)) }

    private func end() -> Receiver? {
        let last = state.withLock { state in
            defer { state = State(isCancelled: true) }
            return state
        }
        last.upstream?.cancel()
        return last.then
    }

    private func take() -> Receiver? { state.withLock { $0.then.take() } }
}
