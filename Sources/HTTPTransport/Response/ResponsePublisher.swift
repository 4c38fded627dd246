import PortableCombine
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The whole response as one value, once for each subscriber.
struct ResponsePublisher: Publisher {
    typealias Output = (data: Data, response: HTTPURLResponse)
    typealias Failure = TransportError

    let session: any HTTPSession
    let request: ExchangeRequest
    let progress: (@Sendable (ExchangeProgress) -> Void)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        var request = request
        // All of it is kept in memory anyway, so a reader that lags behind is no reason to fail.
        request.limits.queuedBytes = Swift.max(request.limits.queuedBytes, request.limits.responseBytes)
        let reader = ResponseReader(for: AnySubscriber(subscriber), progress: progress)
        subscriber.receive(subscription: reader)
        session.events(for: request).subscribe(reader)
    }
}
