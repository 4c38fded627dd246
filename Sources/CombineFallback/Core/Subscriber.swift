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
