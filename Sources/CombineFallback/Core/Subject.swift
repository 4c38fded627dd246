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
