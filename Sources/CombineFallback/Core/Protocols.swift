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

/// A type that receives values from a publisher.
///
/// A publisher first calls ``receive(subscription:)`` once, then ``receive(_:)`` at most as often as the subscriber
/// asked for, and last ``receive(completion:)`` at most once. The calls never overlap.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The kind of values received.
    associatedtype Input

    /// The kind of error that may end the stream; `Never` if none can.
    associatedtype Failure: Error

    /// Gives the subscriber its subscription. No value arrives until it asks `subscription` for values.
    func receive(subscription: any Subscription)

    /// Delivers one value. Returns the number of values wanted in addition to all earlier demand.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Ends the stream, normally or with an error.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Delivers one empty value. Returns the number of further values wanted.
    @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}

/// The types that belong to subscribers.
public enum Subscribers {}

/// The connection between one publisher and one subscriber.
///
/// Both methods may be called on any thread, and from inside any call of the publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Allows the publisher to deliver `demand` values in addition to all earlier demand.
    ///
    /// Asking for `.none` is a programmer error.
    func request(_ demand: Subscribers.Demand)
}

/// Subscriptions without a publisher.
public enum Subscriptions {
    /// A subscription that never delivers anything.
    public static var empty: any Subscription { Nothing() }

    struct Nothing: Subscription, CustomStringConvertible {
        var combineIdentifier: CombineIdentifier { .ofNothing }
        var description: String { "Empty" }
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }
}

/// A publisher whose values are sent by calls of its methods.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Delivers `value` to the subscribers.
    func send(_ value: Output)

    /// Ends the stream of every subscriber, present and future.
    func send(completion: Subscribers.Completion<Failure>)

    /// Gives the subject a subscription to a publisher whose values it passes on.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Delivers an empty value to the subscribers.
    @inlinable public func send() { send(()) }
}
