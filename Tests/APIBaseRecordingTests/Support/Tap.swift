import APIBaseRecording
import Basics

/// A session that uses another one and logs the responses.
final class Tap: HTTPSession {
    struct Reply: Equatable {
        var status = 0
        var headers: [[String]] = []
        var body = Data()
    }

    private let session: any HTTPSession
    private let log = Locked<[Reply]>([])

    init(_ session: any HTTPSession) {
        self.session = session
    }

    /// The responses, in the order of subscription.
    var replies: [Reply] { log.withLock { $0 } }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        Deferred { [session, log] in
            let index = log.withLock { log in
                log.append(Reply())
                return log.count - 1
            }
            return session.exchange(request).handleEvents(receiveOutput: { event in
                log.withLock { log in
                    switch event {
                    case .sent: break
                    case .head(let head):
                        log[index].status = head.statusCode
                        log[index].headers = head.headers.map { [$0.name, $0.value] }
                    case .body(let data): log[index].body += data
                    }
                }
            })
        }.eraseToAnyPublisher()
    }
}
