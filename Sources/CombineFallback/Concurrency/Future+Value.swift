extension Future where Failure == Never {
    /// Waits for the future's value. Cancelling the task does not end the wait: there is nothing to return in its place.
    public final var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                subscribe(
                    ClosureSubscriber(
                        receiveValue: { continuation.resume(returning: Handoff($0)) },
                        receiveCompletion: { _ in }
                    )
                )
            }.value
        }
    }
}

extension Future {
    /// Waits for the future's value. Throws the future's failure, or `CancellationError` if the task is cancelled before
    /// there is a result.
    public final var value: Output {
        get async throws {
            let subscriber = AsyncSubscriber<Output, Failure>()
            subscribe(subscriber)
            guard let value = try await subscriber.next().get() else { throw CancellationError() }
            return value
        }
    }
}
