/// Something that can receive values from a publisher.
///
/// A publisher calls ``receive(subscription:)`` once and first, ``receive(_:)`` as often as was asked for, and
/// ``receive(completion:)`` at most once and last. The calls never overlap.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The kind of values received.
    associatedtype Input

    /// The kind of error that may end the stream; `Never` if none can.
    associatedtype Failure: Error

    /// Tells the subscriber that it has been attached; nothing arrives until it asks `subscription` for values.
    func receive(subscription: any Subscription)

    /// Delivers one value. Returns how many more values are wanted in addition to all demand made before.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Tells the subscriber that nothing more will come, and whether that is for an error.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Delivers one empty value. Returns how many more are wanted.
    @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}

/// The types that have to do with subscribers.
public enum Subscribers {}
