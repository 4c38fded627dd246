/// A type that delivers a sequence of values over time to subscribers.
///
/// In ``receive(subscriber:)`` a publisher gives the subscriber one ``Subscription``. It then delivers at most as many
/// values as the subscriber has asked for, and after them at most one ``Subscribers/Completion``.
public protocol Publisher<Output, Failure> {
    /// The kind of values published.
    associatedtype Output

    /// The kind of error the publisher may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber. Call ``subscribe(_:)->()`` instead; this one is for the implementation.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    /// Attaches `subscriber`, which then receives a subscription, values and a completion.
    @inlinable public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }
}

/// The publishers of the operators, each with the name of its operator.
public enum Publishers {}

/// A publisher that delivers nothing until ``connect()`` is called, so that all subscribers can be attached first.
///
/// Keep what `connect()` returns: cancelling it stops upstream, and releasing it may.
/// Source: Apple's documentation of `ConnectablePublisher`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts upstream. Cancelling the result stops it.
    func connect() -> any Cancellable
}
