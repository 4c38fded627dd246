import APIBaseRecording
import Basics

/// A session that hands its exchanges on to another and writes down what came back.
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

    /// What came back, exchange by exchange, in the order in which they were subscribed to.
    var replies: [Reply] { log.withLock { $0 } }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
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
