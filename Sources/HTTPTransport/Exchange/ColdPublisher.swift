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

extension HTTPSession {
    /// One hop for each subscriber, carried by a task that `makeTask` makes for it and that starts nothing yet. The session
    /// is kept alive as long as the hop.
    package func hop(
        _ request: ExchangeRequest,
        by makeTask: @escaping () -> any EngineTask
    ) -> AnyPublisher<ExchangeEvent, TransportError> {
        ColdPublisher { HopSubscription(request, by: makeTask(), of: self, for: $0) }.eraseToAnyPublisher()
    }
}
