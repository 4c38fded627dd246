/// A publisher of nothing: finishes as soon as it is subscribed to, or never does.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
    /// Whether it finishes.
    public let completeImmediately: Bool

    /// Creates a publisher that finishes at once or, if told not to, never.
    @inlinable public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    /// The same, with the types spelled out.
    @inlinable public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.completeImmediately = completeImmediately
    }

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}
