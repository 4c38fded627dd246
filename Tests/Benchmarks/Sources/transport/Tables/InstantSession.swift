import Foundation
import HTTPTransport
import PortableCombine

/// A session that answers each request at once: what is left is what the kit itself costs.
final class InstantSession: HTTPSession {
    private let headers: HTTPHeaders

    init(_ headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        var headers = headers
        headers["Content-Type"] = "application/json"
        let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        let head = ResponseHead(statusCode: 200, headers: headers, url: url)
        let events: [ExchangeRequest.Event] = [.head(head), .body(Data(repeating: 0x20, count: 4_096))]
        return events.publisher.setFailureType(to: TransportError.self).eraseToAnyPublisher()
    }
}
