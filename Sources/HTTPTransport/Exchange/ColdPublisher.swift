package import PortableCombine

/// A publisher that makes a subscription for each subscriber, and does nothing before.
package struct ColdPublisher<Output, Failure: Error>: Publisher {
    private let makeSubscription: (AnySubscriber<Output, Failure>) -> any Subscription

    /// - Parameter makeSubscription: Makes the subscription of one subscriber. It starts nothing: the first demand does.
    package init(_ makeSubscription: @escaping (AnySubscriber<Output, Failure>) -> any Subscription) {
        self.makeSubscription = makeSubscription
    }

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: makeSubscription(AnySubscriber(subscriber)))
    }
}
