#if !canImport(Combine)
extension Result {
    /// A publisher of the value, or of the failure.
    @inlinable public var publisher: Publisher { Publisher(self) }

    /// A publisher that delivers a result's value on demand and finishes, or fails at once.
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

extension Result.Publisher: _KnownResult {
    /// The result.
    @inlinable public var _result: Result<Success, Failure> { result }

    /// The value, transformed.
    @inlinable public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map(transform))
    }

    /// Whether `predicate` accepts the value.
    public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Whether `predicate` accepts the value.
    public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// The value in an array.
    public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

    /// One.
    public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

    /// The value, or the error the closure throws when it compares it with itself.
    public func tryMin(by precedes: (Success, Success) throws -> Bool) -> Result<Success, any Error>.Publisher {
        tryRemoveDuplicates(by: precedes)
    }

    /// The value, or the error the closure throws when it compares it with itself.
    public func tryMax(by precedes: (Success, Success) throws -> Bool) -> Result<Success, any Error>.Publisher {
        tryRemoveDuplicates(by: precedes)
    }

    /// The value, or `output` in place of the failure.
    public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        .init((try? result.get()) ?? output)
    }

    /// Returns this publisher, which has a value or a failure.
    public func replaceEmpty(with output: Success) -> Self { self }
}

extension Result.Publisher where Success: Equatable {
    /// Whether the value is `output`.
    public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher { map { $0 == output } }
}
#endif
