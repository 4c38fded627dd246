/// A publisher without values, which finishes at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
    /// Whether it finishes.
    public let completeImmediately: Bool

    /// Creates a publisher that finishes at once or never.
    @inlinable public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    /// Creates a publisher of the given types that finishes at once or never.
    @inlinable public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

/// A publisher that fails at once.
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
