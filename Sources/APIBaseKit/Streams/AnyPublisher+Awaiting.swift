extension AnyPublisher where Failure == any Error {
    /// Publishes what an `async` function returns, as its one value: for what has to be awaited in an
    /// ``APIBase/intercept(_:next:)``.
    ///
    /// ```swift
    /// AnyPublisher.awaiting { try await signer.signed(request) }.flatMap(next).eraseToAnyPublisher()
    /// ```
    ///
    /// - Parameter work: Called once for each subscription, in a task that ends with it. In an attempt, the task locals of where
    ///   the call was started hold in it.
    /// - Returns: A publisher that fails with what `work` throws.
    public static func awaiting(_ work: @escaping @Sendable () async throws -> Output) -> AnyPublisher {
        let context = CallerContext()
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
