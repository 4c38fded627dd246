/// A subject that delivers each value to the subscribers with demand, in the order of subscription.
///
/// A subscriber without demand misses the value. A value sent during a delivery follows it. A subject is kept alive by
/// subscribers that have neither cancelled nor received the end.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    @usableFromInline let broadcast = Broadcast<Output, Failure>(memory: .none)

    /// Creates a subject without subscribers.
    public init() {}

    deinit { broadcast.cancelUpstreams() }

    /// Delivers `value`; after the end, does nothing.
    @inlinable public func send(_ value: Output) { broadcast.send(value) }

    /// Ends the stream of all present and future subscribers; a second end does nothing.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.finish(completion) }

    /// Keeps the subscription, and asks it for everything once a subscriber has asked for something.
    public func send(subscription: any Subscription) { broadcast.attach(subscription) }

    /// Attaches `subscriber`; after the end it gets only the completion.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.subscribe(subscriber, name: "PassthroughSubject", of: self)
    }
}
