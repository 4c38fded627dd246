/// A subject that has a value, and delivers it to each new subscriber before what is sent later.
///
/// Whoever has no demand when a value is sent gets the latest one with its next demand. A value sent from inside a
/// delivery follows that delivery. A subject lives as long as it has a subscriber that has neither cancelled nor got the
/// end.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    @usableFromInline let first: Output
    @usableFromInline let audience: Audience<Output, Failure>

    /// Creates a subject with its first value.
    public init(_ value: Output) {
        first = value
        audience = Audience(memory: .current, current: value)
    }

    deinit { audience.abandon() }

    /// The current value. Setting it sends it; after the end it is just kept.
    @inlinable public var value: Output {
        get { audience.state.withLock { $0.current } ?? first }
        set { audience.send(newValue, keepingIt: true) }
    }

    /// Makes `value` the current one and delivers it; after the end, does nothing.
    @inlinable public func send(_ value: Output) { audience.send(value) }

    /// Ends the stream of every subscriber, present and future; a second end does nothing.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { audience.finish(completion) }

    /// Keeps the subscription and asks it for everything.
    public func send(subscription: any Subscription) { audience.attach(subscription) }

    /// Attaches `subscriber`; after the end it gets just the completion.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        audience.admit(subscriber, name: "CurrentValueSubject", of: self)
    }
}
