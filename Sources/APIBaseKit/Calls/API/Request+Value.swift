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

extension AnyPublisher {
    /// The first value, awaited; what would come after it is cancelled.
    ///
    /// Where nothing but the kit's own work stands around the reply, that work is done by the task that awaits it, unless an actor
    /// would have to.
    ///
    /// Inlined, so that it is compiled for the type of the value: what is generic at run time takes a tenth of a call.
    @inlinable nonisolated(nonsending) func firstValue() async throws -> Output {
        let actor = #isolation
        if actor == nil, let call = madeOf as? MappedCall<Output> {
            return try call.value(of: try await call.source.reply())
        }
        let publisher = mapError { $0 as any Error }
        let first = FirstValue<Output>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                first.wait(for: publisher) { result in
                    // Unsafe: whatever made the value has let go of it, as a publisher does with what it delivers.
                    nonisolated(unsafe) let value = result.unwrapped()
                    continuation.resume(with: value)
                    first.cancel()
                }
            }
        } onCancel: {
            first.cancel(throwing: CancellationError())
        }
    }
}

extension CallSource {
    /// The reply, awaited.
    @usableFromInline nonisolated(nonsending) func reply() async throws -> CallReply {
        let first = FirstValue<CallReply>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if first.waits({ continuation.resume(with: $0.unwrapped()) }) { start(.mapping(for: first) { $0 }) }
            }
        } onCancel: {
            first.cancel(throwing: CancellationError())
        }
    }
}

extension Result where Failure == any Error {
    /// The value, or that there is none.
    @inlinable func unwrapped<Value>() -> Result<Value, any Error> where Success == Value? {
        flatMap { $0.map { .success($0) } ?? .failure(RequestError.noValue) }
    }
}
