import PortableCombine

/// One hop on an engine, once for each subscriber.
struct ExchangePublisher: Publisher {
    typealias Output = ExchangeEvent
    typealias Failure = TransportError

    let session: any HTTPSession
    let engine: any ExchangeEngine
    let request: ExchangeRequest

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = ExchangeSubscription(request, of: session, on: engine, for: subscriber)
        subscriber.receive(subscription: subscription)
    }
}
