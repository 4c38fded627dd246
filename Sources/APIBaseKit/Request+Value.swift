import Basics

extension Request {
    /// The call, awaited: starts it and returns its first value.
    ///
    /// Cancelling the task cancels the exchange and throws at once. A task that is already cancelled sends nothing.
    ///
    /// - Throws: The ``Failure`` of the call, `CancellationError`, or ``RequestError/noValue`` if the call ended without
    ///   a value.
    nonisolated(nonsending) public func value() async throws -> ModelType {
        try Task.checkCancellation()
        let first = FirstValue<ModelType>()
        let publisher = start()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                first.await(publisher, continuation)
            }
        } onCancel: {
            first.cancel()
        }
    }
}

/// The first value of a publisher, for one continuation, which is resumed exactly once.
private final class FirstValue<Value>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>, AnyCancellable?)
        case done
    }

    private let state = Locked(State.idle)

    func await<P: Publisher>(_ publisher: P, _ continuation: CheckedContinuation<Value, any Error>)
    where P.Output == Value {
        let cancelled = state.withLock { state in
            guard case .idle = state else { return true }
            state = .waiting(continuation, nil)
            return false
        }
        guard !cancelled else { return continuation.resume(throwing: CancellationError()) }
        let subscription = publisher.sink { completion in
            switch completion {
            case .finished: self.resume(with: .failure(RequestError.noValue))
            case .failure(let error): self.resume(with: .failure(error))
            }
        } receiveValue: { value in
            self.resume(with: .success(value))
        }
        // Kept for as long as the call runs; if it has ended by now, it is dropped here, outside the lock.
        state.withLock { state in
            if case .waiting(let continuation, nil) = state { state = .waiting(continuation, subscription) }
        }
    }

    func cancel() {
        resume(with: .failure(CancellationError()))
    }

    private func resume(with result: Result<Value, any Error>) {
        let ended = state.withLock { state in
            defer { state = .done }
            return state
        }
        guard case .waiting(let continuation, let subscription) = ended else { return }
        subscription?.cancel()
        let handover = Handover(result: result)
        continuation.resume(with: handover.result)
    }
}

/// A result on its way from the publisher's queue to the task.
///
/// Unchecked: whoever made the value has let go of it, as a publisher does with what it delivers.
private struct Handover<Value>: @unchecked Sendable {
    let result: Result<Value, any Error>
}
