#if !canImport(Combine)
extension Result {
    /// A publisher of the value, or of the failure.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher that delivers a result's value on the first demand and finishes, or fails at once.
    public struct Publisher: CombineFallback.Publisher {
        /// The result's value.
        public typealias Output = Success

        /// The result.
        public let result: Result<Success, Failure>

        /// Creates a publisher of `result`.
        @inlinable public init(_ result: Result<Success, Failure>) { self.result = result }

        /// Creates a publisher of `output`.
        @inlinable public init(_ output: Success) { self.init(.success(output)) }

        /// Creates a publisher that fails with `failure`.
        @inlinable public init(_ failure: Failure) { self.init(.failure(failure)) }

        /// Attaches `subscriber`.
        @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
            switch result {
            case .success(let value):
                subscriber.receive(only: value, of: "Once")
            case .failure(let error):
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .failure(error))
            }
        }
    }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
#endif
