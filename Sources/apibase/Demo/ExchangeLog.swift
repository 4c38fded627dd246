import APIBaseKit
import Basics

/// A session that logs the exchanges of another session.
final class ExchangeLog: HTTPSession {
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

    /// Returns and removes the entries.
    func take() -> [Entry] {
        state.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        Deferred { [session, state] in
            let started = ContinuousClock.now
            var statusCode: Int?
            return session.exchange(request).handleEvents(
                receiveOutput: { event in
                    if case .head(let head) = event { statusCode = head.statusCode }
                },
                receiveCompletion: { _ in
                    let url = request.urlRequest.url
                    let query = url?.query(percentEncoded: true).map { "?\($0)" } ?? ""
                    let entry = Entry(
                        method: request.urlRequest.httpMethod ?? "GET",
                        path: (url?.path(percentEncoded: true) ?? "") + query,
                        statusCode: statusCode,
                        duration: ContinuousClock.now - started
                    )
                    state.withLock { $0.append(entry) }
                }
            )
        }.eraseToAnyPublisher()
    }
}

extension ExchangeLog.Entry {
    /// Method, path, status and duration in columns. On a terminal, a long path is shortened, and a bar shows the
    /// duration: an eighth of a column for a millisecond.
    func line(for channel: Channel) -> String {
        let time = String(format: "%8.1f ms", duration / .milliseconds(1))
        guard let terminal = channel.terminal else { return row(path.padded(to: 66), "---", time) }
        let width = min(66, max(16, terminal.columns() - 60))
        let bar = Format.bar(to: duration / .milliseconds(64), width: 8).padded(to: 8)
        let noStatus = channel.style.text("---", as: .bad)
        return row(
            path.shortened(to: width).padded(to: width),
            noStatus,
            "\(time) \(channel.style.text(bar, as: .bar))"
        )
    }

    private func row(_ path: String, _ noStatus: String, _ time: String) -> String {
        "  " + [method.padded(to: 6), path, statusCode.map(String.init) ?? noStatus, time].joined(separator: " ")
    }
}
