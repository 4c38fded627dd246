/// A subject that has a value, and delivers it to each new subscriber before what is sent later.
///
/// Whoever has no demand when a value is sent gets the latest one with its next demand. A value sent from inside a
/// delivery follows that delivery. A subject lives as long as it has a subscriber that has neither cancelled nor got the
/// end.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let first: Output
    @usableFromInline let broadcast: Broadcast<Output, Failure>

    /// Creates a subject with its first value.
    public init(_ value: Output) {
        first = value
        broadcast = Broadcast(memory: .current, current: value)
    }

    deinit { broadcast.abandon() }

    /// The current value. Setting it sends it; after the end it is just kept.
    @inlinable public var value: Output {
        get { broadcast.state.withLock { $0.current } ?? first }
        set { broadcast.send(newValue, keepingIt: true) }
    }

    /// Makes `value` the current one and delivers it; after the end, does nothing.
    @inlinable public func send(_ value: Output) { broadcast.send(value) }

    /// Ends the stream of every subscriber, present and future; a second end does nothing.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.finish(completion) }

    /// Keeps the subscription and asks it for everything.
    public func send(subscription: any Subscription) { broadcast.attach(subscription) }

    /// Attaches `subscriber`; after the end it gets just the completion.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.admit(subscriber, name: "CurrentValueSubject", of: self)
    }
}
