package import PortableCombine

/// One hop on an engine, once for each subscriber.
package struct ExchangePublisher: Publisher {
    package typealias Output = ExchangeEvent
    package typealias Failure = TransportError

    private let session: any HTTPSession
    private let engine: any ExchangeEngine
    private let request: ExchangeRequest

    /// - Parameters:
    ///   - session: Whose engine it is; kept alive as long as one of the exchanges.
    ///   - engine: What carries the exchanges.
    ///   - request: What to send.
    package init(session: any HTTPSession, engine: any ExchangeEngine, request: ExchangeRequest) {
        self.session = session
        self.engine = engine
        self.request = request
    }

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = ExchangeSubscription(request, of: session, on: engine, for: AnySubscriber(subscriber))
        subscriber.receive(subscription: subscription)
    }
}
