import Basics
import HTTPTransport

/// One subscription to the events of a source: its connections, one after another.
final class EventSource {
    typealias Events = AnyPublisher<ServerSentEvent, any Error>

    fileprivate struct State {
        var lastEventID: String
        /// The time to wait before the next connection.
        var wait = Duration.seconds(3)
        /// The number of connections in a row that have brought no event.
        var barren = 0
        var isOver = false
    }

    /// The shortest wait that the server can ask for. Without one, a server that says `retry: 0` and closes would be asked
    /// thousands of times a second.
    private static let shortestAsked = Duration.milliseconds(100)
    /// The longest wait that the server can ask for.
    private static let longestAsked = Duration.seconds(3_600)
    /// The longest wait that follows from connections without events.
    private static let longestWait = Duration.seconds(60)
    /// The maximum length of an event, in bytes.
    private static let limit = 1 << 24

    private let calls: StreamCalls
    private let clock: any CallClock
    private let state: Locked<State>

    init(_ calls: StreamCalls, after lastEventID: String) {
        self.calls = calls
        clock = calls.makeClock()
        state = Locked(State(lastEventID: lastEventID))
    }

    /// The events of one connection, after a wait for all but the first; `nil` if there is to be none.
    func round(_ number: Int) -> Events? {
        let (delay, isOver) = state.withLock { ($0.delay(atMost: Self.longestWait), $0.isOver) }
        guard !isOver else { return nil }
        guard number > 0 else { return connection() }
        return clock.pause(delay)
            .map { _ -> ServerSentEvent in }
            .append(Deferred { self.connection() })
            .eraseToAnyPublisher()
    }

    private func connection() -> Events {
        let lastEventID = state.withLock { state in
            state.barren += 1
            return state.lastEventID
        }
        return calls.call(CallOverrides(change: { try $0.askingForEvents(after: lastEventID) }))
            .catch { error -> AnyPublisher<StreamedReply, any Error> in
                // The attempts for one connection are those of the policy; without one there is always another.
                let goesOn = self.calls.api.retry.attempts <= 1 && error.allowsAnotherConnection
                return goesOn ? Empty().eraseToAnyPublisher() : Fail(error: error).eraseToAnyPublisher()
            }
            .flatMap { self.events(of: $0, after: lastEventID) }
            .eraseToAnyPublisher()
    }

    private func events(of reply: StreamedReply, after lastEventID: String) -> Events {
        let response = reply.response
        guard response.statusCode != 204 else {
            state.withLock { $0.isOver = true }
            return Empty().eraseToAnyPublisher()
        }
        if let error = refusal(of: response) { return Fail(error: error).eraseToAnyPublisher() }
        let parser = Locked(EventStreamParser(lastEventID: lastEventID, limit: Self.limit))
        return reply.body.serverSentEvents(limit: Self.limit, by: parser)
            .handleEvents(
                receiveOutput: { _ in self.state.withLock { $0.barren = 0 } },
                receiveCompletion: { _ in
                    let (id, wait) = parser.withLock { ($0.lastEventID, $0.retry) }
                    let asked = wait.map { max(Self.shortestAsked, min($0, Self.longestAsked)) }
                    self.state.withLock { ($0.lastEventID, $0.wait) = (id, asked ?? $0.wait) }
                }
            )
            .catch { error -> Events in
                error.allowsAnotherConnection ? Empty().eraseToAnyPublisher() : Fail(error: error).eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }

    private func refusal(of response: HTTPURLResponse) -> (any Error)? {
        let failure = HTTPFailure((Data(), response))
        guard response.statusCode == 200 else { return calls.api.refusal(failure) }
        let received = response.value(forHTTPHeaderField: "Content-Type")
        guard received.map(MediaType.init) != MediaType(ServerSentEvent.mediaType) else { return nil }
        return RequestError.contentTypeMismatch(
            expected: ServerSentEvent.mediaType,
            received: received,
            reply: failure
        )
    }
}

extension EventSource.State {
    fileprivate func delay(atMost longest: Duration) -> Duration {
        min(wait * (1 << max(0, min(barren, 16) - 1)), max(wait, longest))
    }
}

extension ServerSentEvent {
    static let mediaType = "text/event-stream"

    /// Whether a header can carry the ID: it goes out as UTF-8, and has no control characters.
    package static func canSend(lastEventID: String) -> Bool {
        lastEventID.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}

extension Error {
    /// Whether an event source goes on after it.
    fileprivate var allowsAnotherConnection: Bool {
        switch self as? RequestError {
        case .circuitOpen, .gateTimedOut, .refreshTimedOut: true
        default: isTransient
        }
    }
}

extension URLRequest {
    /// The request as an event source makes it. An ID that no header can carry is left out.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for another method than `GET`: what is not safe must not be sent again
    ///   whenever a connection ends.
    fileprivate func askingForEvents(after lastEventID: String) throws -> URLRequest {
        guard httpMethod ?? "GET" == "GET" else { throw RequestError.invalidRequest(InvalidRequest(.method, .notGET)) }
        var request = self
        request.setValue(ServerSentEvent.mediaType, forHTTPHeaderField: "Accept")
        request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        let id = lastEventID.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        if !id.isEmpty, ServerSentEvent.canSend(lastEventID: id) {
            request.setValue(id, forHTTPHeaderField: "Last-Event-ID")
        }
        return request
    }
}
