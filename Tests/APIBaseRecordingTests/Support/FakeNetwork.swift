import APIBaseRecording
import Basics

/// A session that answers from a function and logs its requests.
final class FakeNetwork: HTTPSession {
    struct Reply {
        var status = 200
        var headers: HTTPHeaders = ["Content-Type": "text/plain"]
        var body = Data()

        init(_ body: String = "", status: Int = 200, headers: HTTPHeaders = ["Content-Type": "text/plain"]) {
            (self.status, self.headers, self.body) = (status, headers, Data(body.utf8))
        }
    }

    private let asked = Locked<[ExchangeRequest]>([])
    private let answer: @Sendable (ExchangeRequest) throws(TransportError) -> Reply

    init(_ answer: @escaping @Sendable (ExchangeRequest) throws(TransportError) -> Reply) {
        self.answer = answer
    }

    /// Creates a network that answers with these bodies, one after the other.
    convenience init(_ bodies: String...) {
        let rest = Locked(bodies)
        self.init { _ in Reply(rest.withLock { $0.isEmpty ? "nothing left" : $0.removeFirst() }) }
    }

    var requests: [ExchangeRequest] { asked.withLock { $0 } }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        Deferred { [asked, answer] () -> AnyPublisher<ExchangeRequest.Event, TransportError> in
            asked.withLock { $0.append(request) }
            do throws(TransportError) {
                let reply = try answer(request)
                let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
                let head = ResponseHead(
                    statusCode: reply.status,
                    headers: reply.headers,
                    url: url,
                    httpVersion: "HTTP/1.1"
                )
                let pieces: [ExchangeRequest.Event] = reply.body.isEmpty ? [] : [.body(reply.body)]
                return ([.head(head)] + pieces).publisher.setFailureType(to: TransportError.self).eraseToAnyPublisher()
            } catch {
                return Fail(error: error).eraseToAnyPublisher()
            }
        }.eraseToAnyPublisher()
    }
}
