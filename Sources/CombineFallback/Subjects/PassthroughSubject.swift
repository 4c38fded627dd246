/// A subject that delivers each value to those who have asked for one when it is sent, in the order of subscription.
///
/// Whoever has no demand at that moment misses the value. A value sent from inside a delivery follows that delivery. A
/// subject lives as long as it has a subscriber that has neither cancelled nor got the end.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    @usableFromInline let broadcast = Broadcast<Output, Failure>(memory: .none)

    /// Creates a subject without subscribers.
    public init() {}

    deinit { broadcast.abandon() }

    /// Delivers `value`; after the end, does nothing.
    @inlinable public func send(_ value: Output) { broadcast.send(value) }

    /// Ends the stream of every subscriber, present and future; a second end does nothing.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.finish(completion) }

    /// Keeps the subscription, and asks it for everything once a subscriber has asked for something.
    public func send(subscription: any Subscription) { broadcast.attach(subscription) }

    /// Attaches `subscriber`; after the end it gets just the completion.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.admit(subscriber, name: "PassthroughSubject", of: self)
    }
}
