/// Something that can deliver a sequence of values over time to subscribers.
///
/// A publisher answers ``receive(subscriber:)`` by handing the subscriber one ``Subscription``; from then on it delivers
/// no more values than the subscriber has asked for, and at most one ``Subscribers/Completion`` after them.
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

/// The operators' publishers, each under the name of its operator.
public enum Publishers {}
