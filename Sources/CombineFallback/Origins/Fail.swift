/// A publisher that fails as soon as it is subscribed to.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The error with which it fails.
    public let error: Failure

    /// Creates a publisher that fails with `error`.
    @inlinable public init(error: Failure) { self.error = error }

    /// Creates a publisher of `Output` that fails with `failure`.
    @inlinable public init(outputType: Output.Type, failure: Failure) { error = failure }

    /// Attaches `subscriber` and fails.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}
