import PortableCombine

/// An exchange with its redirects and limits, once for each subscriber.
struct ChainPublisher: Publisher {
    typealias Output = ExchangeEvent
    typealias Failure = TransportError

    let session: any HTTPSession
    let request: ExchangeRequest

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RedirectChain(request, on: session, for: AnySubscriber(subscriber)))
    }
}
