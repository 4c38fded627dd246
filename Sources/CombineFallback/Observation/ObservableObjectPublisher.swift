/// A publisher that an object tells of its changes.
public final class ObservableObjectPublisher: Publisher {
    /// That a change is about to happen, and no more.
    public typealias Output = Void

    /// It cannot fail.
    public typealias Failure = Never

    private let broadcast = Broadcast<Void, Never>(memory: .none)

    /// Creates a publisher without subscribers.
    public init() {}

    deinit { broadcast.abandon() }

    /// Tells the subscribers that the object is about to change.
    public func send() { broadcast.send(()) }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        broadcast.admit(subscriber, name: "ObservableObjectPublisher", of: self)
    }
}
