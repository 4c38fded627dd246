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

/// A subject with a current value, which each new subscriber receives first.
///
/// A subscriber without demand receives the latest value when it asks for one. A value sent during a delivery follows
/// it. A subject is kept alive by subscribers that have neither cancelled nor received the end.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let first: Output
    @usableFromInline let broadcast: Broadcast<Output, Failure>

    /// Creates a subject with its first value.
    public init(_ value: Output) {
        first = value
        broadcast = Broadcast(memory: .current, current: value)
    }

    deinit { broadcast.cancelUpstreams() }

    /// The current value. Setting it sends it; after the end it is only stored.
    @inlinable public var value: Output {
        get { broadcast.state.withLock { $0.current } ?? first }
        set { broadcast.send(newValue, keepingIt: true) }
    }

    /// Makes `value` the current one and delivers it; after the end, does nothing.
    @inlinable public func send(_ value: Output) { broadcast.send(value) }

    /// Ends the stream of all present and future subscribers; a second end does nothing.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.finish(completion) }

    /// Keeps the subscription and asks it for everything.
    public func send(subscription: any Subscription) { broadcast.attach(subscription) }

    /// Attaches `subscriber`; after the end it gets only the completion.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.subscribe(subscriber, name: "CurrentValueSubject", of: self)
    }
}
