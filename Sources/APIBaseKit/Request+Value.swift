import Basics

extension Request {
    /// The call, awaited: starts it and returns its first value.
    ///
    /// Cancelling the task cancels the exchange and throws at once. A task that is already cancelled sends nothing.
    ///
    /// - Returns: The first value; what would come after it is cancelled.
    /// - Throws: The ``Failure`` of the call, `CancellationError`, or ``RequestError/noValue`` if the call ended without
    ///   a value.
    nonisolated(nonsending) public func value() async throws -> ModelType {
        try Task.checkCancellation()
        return try await start().firstValue()
    }
}

extension Publisher {
    /// The first value, awaited; what would come after it is cancelled.
    nonisolated(nonsending) func firstValue() async throws -> Output {
        let first = FirstValue<Output, Failure>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if first.waits(continuation) { subscribe(first) }
            }
        } onCancel: {
            first.cancel()
        }
    }
}

/// The first value of a publisher, for one continuation, which is resumed exactly once.
private final class FirstValue<Value, Failure: Error>: Subscriber, Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>, (any Subscription)?)
        case done
    }

    private let state = Locked(State.idle)

    /// Takes the continuation; false if the task was cancelled before, and the continuation has been resumed.
    func waits(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isIdle = state.withLock { state in
            guard case .idle = state else { return false }
            state = .waiting(continuation, nil)
            return true
        }
        if !isIdle { continuation.resume(throwing: CancellationError()) }
        return isIdle
    }

    func receive(subscription: any Subscription) {
        let isWanted = state.withLock { state in
            guard case .waiting(let continuation, nil) = state else { return false }
            state = .waiting(continuation, subscription)
            return true
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    func receive(_ input: Value) -> Subscribers.Demand {
        end(with: .success(input), cancels: true)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: end(with: .failure(RequestError.noValue), cancels: false)
        case .failure(let error): end(with: .failure(error), cancels: false)
        }
    }

    /// The task has been cancelled.
    func cancel() {
        end(with: .failure(CancellationError()), cancels: true)
    }

    private func end(with result: Result<Value, any Error>, cancels: Bool) {
        let last = state.withLock { state in
            defer { state = .done }
            return state
        }
        guard case .waiting(let continuation, let subscription) = last else { return }
        // Unchecked: whatever made the value has let go of it, as a publisher does with what it delivers.
        continuation.resume(with: UncheckedSendable(result).value)
        if cancels { subscription?.cancel() }
    }
}
