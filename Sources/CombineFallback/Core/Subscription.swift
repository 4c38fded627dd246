/// The connection between one publisher and one subscriber.
///
/// Both calls may come from any thread, and from inside any call the publisher makes.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Tells the publisher that it may deliver `demand` more values, in addition to all demand made before.
    ///
    /// Asking for `.none` is a programmer error.
    func request(_ demand: Subscribers.Demand)
}

/// The subscriptions that need no publisher.
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
