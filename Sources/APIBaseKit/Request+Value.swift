import Basics

extension Request {
    /// The call, awaited: starts it and returns its first value.
    ///
    /// Cancelling the task cancels the exchange and throws at once. A task that is already cancelled sends nothing.
    ///
    /// - Returns: The first value; what would come after it is cancelled.
    /// - Throws: The ``Failure`` of the call, `CancellationError`, or ``RequestError/noValue`` if the call ended without
    ///   a value.
    @inlinable nonisolated(nonsending) public func value() async throws -> ModelType {
        try Task.checkCancellation()
        return try await start().firstValue()
    }
}

extension Publisher {
    /// The first value, awaited; what would come after it is cancelled.
    ///
    /// Inlined, so that it is compiled for the type of the value: what is generic at run time takes a tenth of a call.
    @inlinable nonisolated(nonsending) func firstValue() async throws -> Output {
        let first = FirstValue()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard first.waits(orFails: { continuation.resume(throwing: $0) }) else { return }
                subscribe(
                    AnySubscriber<Output, Failure>(
                        receiveSubscription: { first.receive($0) },
                        receiveValue: { value in
                            // Unsafe: whatever made the value has let go of it, as a publisher does with what it delivers.
                            nonisolated(unsafe) let value = value
                            first.end { continuation.resume(returning: value) }
                            return .none
                        },
                        receiveCompletion: { completion in
                            switch completion {
                            case .finished: first.fail(RequestError.noValue)
                            case .failure(let error): first.fail(error)
                            }
                        }
                    )
                )
            }
        } onCancel: {
            first.cancel()
        }
    }
}

/// The wait for the first value of a publisher, which ends exactly once.
@usableFromInline final class FirstValue: Sendable {
    private enum State {
        case idle
        case waiting(fail: (any Error) -> Void, (any Subscription)?)
        case done
    }

    private let state = Locked(State.idle)

    @usableFromInline init() {}

    /// Begins to wait; false if the task was cancelled before, and the wait has failed.
    @usableFromInline func waits(orFails fail: @escaping (any Error) -> Void) -> Bool {
        let isIdle = state.withLock { state in
            guard case .idle = state else { return false }
            state = .waiting(fail: fail, nil)
            return true
        }
        if !isIdle { fail(CancellationError()) }
        return isIdle
    }

    @usableFromInline func receive(_ subscription: any Subscription) {
        let isWanted = state.withLock { state in
            guard case .waiting(let fail, nil) = state else { return false }
            state = .waiting(fail: fail, subscription)
            return true
        }
        if isWanted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    /// Ends the wait with the value that `resume` hands on, and cancels the rest.
    @usableFromInline func end(_ resume: () -> Void) {
        guard case .waiting(_, let subscription) = finish() else { return }
        resume()
        subscription?.cancel()
    }

    /// The publisher has ended without a value.
    @usableFromInline func fail(_ error: any Error) {
        if case .waiting(let fail, _) = finish() { fail(error) }
    }

    /// The task has been cancelled.
    @usableFromInline func cancel() {
        guard case .waiting(let fail, let subscription) = finish() else { return }
        fail(CancellationError())
        subscription?.cancel()
    }

    private func finish() -> State {
        state.withLock { state in
            defer { state = .done }
            return state
        }
    }
}
