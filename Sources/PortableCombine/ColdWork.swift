import Basics

/// A publisher of one value at most, the result of some work. The work begins with the first demand of each subscriber,
/// and is canceled with its subscription.
package struct ColdWork<Output>: Publisher {
    package typealias Failure = any Error

    /// Ends the work with a value, without one, or with an error. Only the first call counts.
    package typealias End = @Sendable (Result<Output?, any Error>) -> Void

    /// Begins the work, and returns a closure that cancels it; `nil` if it cannot be canceled.
    let begin: @Sendable (@escaping End) -> (@Sendable () -> Void)?

    package init(begin: @escaping @Sendable (@escaping End) -> (@Sendable () -> Void)?) { self.begin = begin }

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RunningWork(self, for: AnySubscriber(subscriber)))
    }
}

private final class RunningWork<Output>: Subscription, Sendable {
    private struct State {
        var downstream: AnySubscriber<Output, any Error>?
        var hasBegun = false
        var cancel: (@Sendable () -> Void)?
    }

    private let begin: @Sendable (@escaping ColdWork<Output>.End) -> (@Sendable () -> Void)?
    private let state: Locked<State>

    init(_ work: ColdWork<Output>, for downstream: AnySubscriber<Output, any Error>) {
        begin = work.begin
        state = Locked(uncheckedState: State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        // A publisher without values needs no demand.
        guard demand > .none || Output.self == Never.self else { return }
        let begins = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && state.downstream != nil
        }
        guard begins else { return }
        let cancel = begin { self.end($0) }
        let isOver = state.withLock { state in
            if state.downstream != nil { state.cancel = cancel }
            return state.downstream == nil
        }
        if isOver { cancel?() }
    }

    func cancel() { take().cancel?() }

    private func end(_ result: Result<Output?, any Error>) {
        guard let downstream = take().downstream else { return }
        switch result {
        case .success(let value):
            if let value { _ = downstream.receive(value) }
            downstream.receive(completion: .finished)
        case .failure(let error): downstream.receive(completion: .failure(error))
        }
    }

    /// Ends the work, and returns the last state, which is released outside the lock.
    private func take() -> State {
        state.withLock { state in
            defer { state = State(hasBegun: true) }
            return state
        }
    }
}
