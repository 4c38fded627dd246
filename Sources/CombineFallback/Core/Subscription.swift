/// The connection between one publisher and one subscriber.
///
/// Both methods may be called on any thread, and from inside any call of the publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Allows the publisher to deliver `demand` values in addition to all earlier demand.
    ///
    /// Asking for `.none` is a programmer error.
    func request(_ demand: Subscribers.Demand)
}

/// Subscriptions without a publisher.
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
