import APIBaseKit
import Basics

/// A session that hands its exchanges on to another and notes how each of them went.
final class ExchangeLog: HTTPSession {
    /// One exchange with a server.
    struct Entry {
        let method: String
        let path: String
        let statusCode: Int?
        let duration: Duration
    }

    private let session: any HTTPSession
    private let state = Locked<[Entry]>([])

    init(_ session: any HTTPSession = DefaultSession.shared) {
        self.session = session
    }

    /// Takes the entries noted since the last call of this method.
    func take() -> [Entry] {
        state.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        Deferred { [session, state] in
            let started = ContinuousClock.now
            var statusCode: Int?
            return session.exchange(request).handleEvents(
                receiveOutput: { event in
                    if case .head(let head) = event { statusCode = head.statusCode }
                },
                receiveCompletion: { _ in
                    let entry = Entry(
                        method: request.urlRequest.httpMethod ?? "GET",
                        path: request.urlRequest.url.map(\.pathAndQuery) ?? "",
                        statusCode: statusCode,
                        duration: ContinuousClock.now - started
                    )
                    state.withLock { $0.append(entry) }
                }
            )
        }.eraseToAnyPublisher()
    }
}

extension URL {
    fileprivate var pathAndQuery: String {
        path(percentEncoded: true) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }
}
