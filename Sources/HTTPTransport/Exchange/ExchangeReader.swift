package import Foundation
package import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A reader of one exchange (a request with its redirects) by events. It demands them by ``Exchange/request(_:)``.
package protocol ExchangeReader: AnyObject {
    /// Takes an event. Returns additional demand.
    func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand

    /// Takes the end.
    func receive(completion: Subscribers.Completion<TransportError>)
}

/// A reader of one exchange as a whole.
package protocol WholeReader: AnyObject {
    /// Takes the head as soon as it has arrived.
    func receive(_ head: ResponseHead)

    /// Takes the newest count of bytes, if it wants counts.
    func receive(_ progress: ExchangeRequest.Progress)

    /// Takes the whole body. The end follows.
    func receive(whole data: Data, after head: ResponseHead)

    /// Takes the end.
    func receive(completion: Subscribers.Completion<TransportError>)
}

final class SubscribedReader: ExchangeReader {
    typealias Downstream = AnySubscriber<ExchangeRequest.Event, TransportError>

    private let subscriber: Downstream

    init(_ subscriber: Downstream) {
        self.subscriber = subscriber
    }

    func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand { subscriber.receive(event) }
    func receive(completion: Subscribers.Completion<TransportError>) { subscriber.receive(completion: completion) }
}

final class ResponseReader: WholeReader {
    typealias Downstream = AnySubscriber<(data: Data, response: HTTPURLResponse), TransportError>

    private let subscriber: Downstream
    private let progress: (@Sendable (ExchangeRequest.Progress) -> Void)?

    init(_ subscriber: Downstream, progress: (@Sendable (ExchangeRequest.Progress) -> Void)?) {
        self.subscriber = subscriber
        self.progress = progress
    }

    func receive(_ head: ResponseHead) {}
    func receive(_ progress: ExchangeRequest.Progress) { self.progress?(progress) }
    func receive(whole data: Data, after head: ResponseHead) {
        _ = subscriber.receive((data, head.httpURLResponse))
    }
    func receive(completion: Subscribers.Completion<TransportError>) { subscriber.receive(completion: completion) }
}
