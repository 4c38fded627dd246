import Basics

extension Future where Failure == Never {
    /// Waits for the future's value. Cancelling the task does not end the wait, as there is no other value to return.
    public final var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                subscribe(
                    ClosureSubscriber(
                        // unchecked: the future's value is used by the task alone if it is not shared otherwise
                        receiveValue: { continuation.resume(returning: UncheckedSendable($0)) },
                        receiveCompletion: { _ in }
                    )
                )
            }.value
        }
    }
}

extension Future {
    /// Waits for the future's value. Throws the future's failure, or `CancellationError` if the task is cancelled
    /// before there is a result.
    public final var value: Output {
        get async throws {
            let subscriber = AsyncSubscriber<Output, Failure>()
            subscribe(subscriber)
            guard let value = try await subscriber.next().get() else { throw CancellationError() }
            return value
        }
    }
}
