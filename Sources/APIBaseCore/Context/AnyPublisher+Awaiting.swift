extension AnyPublisher where Failure == any Error {
    /// Publishes the result of an `async` function, for example in an ``APIBase/intercept(_:next:)``.
    ///
    /// ```swift
    /// AnyPublisher.awaiting { try await signer.signed(request) }.flatMap(next).eraseToAnyPublisher()
    /// ```
    ///
    /// - Parameter work: Called once for each subscription, in a task that is canceled with it. In an attempt, it has
    ///   the task locals of the code that started the call.
    /// - Returns: A publisher of one value, which fails with the errors of `work`.
    public static func awaiting(_ work: @escaping @Sendable () async throws -> Output) -> AnyPublisher {
        let context = CallerTaskLocals()
        return ColdWork { end in
            let task = context.run {
                Task {
                    do { end(.success(try await work())) } catch { end(.failure(error)) }
                }
            }
            return { task.cancel() }
        }
        .eraseToAnyPublisher()
    }
}
