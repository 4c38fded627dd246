package import PortableCombine

/// A reader of one exchange, in the place of a subscriber. It asks for events by ``ExchangeSubscription/request(_:)``.
package protocol ExchangeReader: AnyObject {
    /// Takes an event, and says how many more it wants than it has asked for.
    func receive(_ event: ExchangeEvent) -> Subscribers.Demand

    /// Takes the end.
    func receive(completion: Subscribers.Completion<TransportError>)
}

/// The reader for a subscriber.
final class SubscribedReader: ExchangeReader {
    private let subscriber: AnySubscriber<ExchangeEvent, TransportError>

    init(_ subscriber: AnySubscriber<ExchangeEvent, TransportError>) {
        self.subscriber = subscriber
    }

    func receive(_ event: ExchangeEvent) -> Subscribers.Demand { subscriber.receive(event) }
    func receive(completion: Subscribers.Completion<TransportError>) { subscriber.receive(completion: completion) }
}
