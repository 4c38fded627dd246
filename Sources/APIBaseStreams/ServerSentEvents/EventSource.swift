import Basics
import HTTPTransport

extension APIBase {
    /// The events of an event stream, `text/event-stream`, with automatic reconnection (HTML standard, section 9.2).
    ///
    /// For a loop, there is ``eachEvent(after:)``.
    ///
    /// When a connection ends or is lost, a new one resumes the stream after the last event, with `Last-Event-ID`. The
    /// wait before it is what the server asks for with `retry`, from a tenth of a second to an hour, or three seconds.
    /// It doubles after each further connection without an event, up to a minute. ``retry`` limits the attempts for one
    /// connection: with a policy of three, the publisher fails when three in a row have failed. Without one it
    /// continues until it is canceled.
    ///
    /// The method must be `GET`, since it is repeated. ``replyEvents(endMark:)`` and ``EventRequest`` read the events
    /// of one response, to `POST` or another method.
    ///
    /// Each connection is a call like that of ``sendStream()``, with credentials, stubs and everything else. The waits
    /// use the clock of the stubs. Stubs that answer every time make an endless stream; `.status(204)` ends it.
    /// `Accept` is `text/event-stream`, whatever ``headers`` say, and `Cache-Control` is `no-store`.
    ///
    /// An ID of more than 4,096 bytes, or with control characters, is not sent: servers refuse such a header, and would
    /// do so for ever. The next connection is then a new stream, which may lack the events in between; the ID is in
    /// ``ServerSentEvent/lastEventID``.
    ///
    /// - Parameter lastEventID: The ID after which the stream is resumed. Empty for a new one.
    /// - Returns: A publisher that finishes when the server answers with 204. It fails with
    ///   ``RequestError/httpFailure(_:)`` for every other status than 200, with
    ///   ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another media type, and with the errors of
    ///   the request; before anything is sent, with ``RequestError/invalidRequest(_:)`` for another method than `GET`.
    ///   Events are read on demand.
    public func serverSentEvents(after lastEventID: String = "") -> AnyPublisher<ServerSentEvent, any Error> {
        StreamCalls(of: self).deliver { calls in
            Pulled(in: CancelableSeries(of: calls.api, in: calls.scope)) { EventSource(calls, after: lastEventID) }
                .eraseToAnyPublisher()
        }
    }
}

extension APIBase {
    /// The events of an event stream, with automatic reconnection, as ``serverSentEvents(after:)`` delivers them:
    ///
    /// ```swift
    /// for try await event in request.eachEvent() { show(event.data) }
    /// ```
    ///
    /// - Parameter lastEventID: The ID after which the stream is resumed. Empty for a new one.
    /// - Returns: A sequence that ends when the server answers with 204, and throws the errors of
    ///   ``serverSentEvents(after:)``.
    public func eachEvent(after lastEventID: String = "") -> CallSequence<ServerSentEvent> {
        CallSequence(serverSentEvents(after: lastEventID))
    }
}

/// One subscription to the events of a source: its connections, one after another, each when an event is wanted.
private final class EventSource: PullWork {
    typealias Stage = PullStage<ServerSentEvent>

    private enum Phase {
        /// No connection, or one that waits until it may begin, or that waits for its response.
        case none, waiting, calling
        case reading
    }

    /// The reconnection times that the server can ask for. Without a minimum, a server that says `retry: 0` and closes
    /// would get thousands of requests a second.
    private static let reconnectionTimes = Duration.milliseconds(100)...Duration.seconds(3_600)
    /// The maximum length of an event, in bytes.
    private static let limit = 1 << 24

    private let calls: StreamCalls
    private let clock: any CallClock
    private var phase = Phase.none
    private var lastEventID: String
    /// The reconnection time.
    private var wait = Duration.seconds(3)
    private var hasConnected = false
    /// The number of connections in a row without an event.
    private var connectionsWithoutEvents = 0
    private var events = EventReader(limit: limit)
    /// The next event of the connection, and the completion of that or of the source.
    private var next: ServerSentEvent?
    private var end: Stage.Completion?

    init(_ calls: StreamCalls, after lastEventID: String) {
        (self.calls, self.lastEventID) = (calls, lastEventID)
        clock = calls.makeClock()
    }

    /// The wait before the next connection: at most a minute, unless the server has asked for more.
    private var delay: Duration {
        min(wait * (1 << max(0, min(connectionsWithoutEvents, 16) - 1)), max(wait, .seconds(60)))
    }

    func nextStep(in stage: Stage) throws -> PullStep {
        while true {
            if phase == .reading, next == nil { next = try events.next() }
            guard next == nil else {
                guard stage.isWanted, let event = next.take() else { return .parts(.none) }
                connectionsWithoutEvents = 0
                stage.deliver(event)
                return .delivered
            }
            if let end {
                guard phase == .reading, end.allowsAnotherConnection else { return .end(end) }
                (self.end, phase) = (nil, .none)
                lastEventID = events.parser.lastEventID
                let times = Self.reconnectionTimes
                wait = events.parser.retry.map { max(times.lowerBound, min($0, times.upperBound)) } ?? wait
            }
            switch phase {
            case .none:
                guard stage.isWanted else { return .parts(.none) }
                if hasConnected { pause(in: stage) } else { connect(in: stage) }
                hasConnected = true
            case .waiting, .calling: return .parts(.max(1))
            case .reading: return .parts(stage.isWanted ? .max(1) : .none)
            }
        }
    }

    func clear() { (next, events) = (nil, EventReader(limit: Self.limit)) }

    private func pause(in stage: Stage) {
        phase = .waiting
        stage.attach(to: calls.pause(delay, on: clock)) { _ in
        } end: { [self] completion in
            if case .finished = completion { connect(in: stage) } else { end = completion }
        }
    }

    private func connect(in stage: Stage) {
        connectionsWithoutEvents += 1
        phase = .calling
        stage.attach(to: calls.call(EventSourceVariant(lastEventID: lastEventID))) { [self] reply in
            if phase == .calling { read(reply, in: stage) }
        } end: { [self] completion in
            guard phase == .calling else { return }
            phase = .none
            // A policy limits the attempts for one connection. Without one there is always another attempt.
            let continues = calls.api.retry.mostAttempts <= 1 && completion.allowsAnotherConnection
            if case .failure = completion, !continues { end = completion }
        }
    }

    private func read(_ reply: StreamedReply, in stage: Stage) {
        let response = reply.response
        phase = .none
        guard response.statusCode != 204 else {
            end = .finished
            return
        }
        if let error = error(for: response, without: reply.secrets) {
            end = .failure(error)
            return
        }
        phase = .reading
        events = EventReader(after: lastEventID, limit: Self.limit)
        reply.read(in: stage, { self.events.take($0) }, end: { self.end = $0 })
    }

    private func error(for response: HTTPURLResponse, without secrets: RequestSecrets) -> (any Error)? {
        let failure = HTTPFailure((Data(), response)).removing(secrets)
        guard response.statusCode == 200 else { return calls.api.refusal(failure) }
        let received = response.value(forHTTPHeaderField: "Content-Type")
        let expected = ServerSentEvent.mediaType
        guard received.map(MediaType.init) != MediaType(expected) else { return nil }
        return RequestError.contentTypeMismatch(expected: expected, received: received, reply: failure)
            .removing(secrets)
    }
}

extension Subscribers.Completion<any Error> {
    /// True if an event source reconnects after this end of a connection.
    fileprivate var allowsAnotherConnection: Bool {
        if case .failure(let error) = self { error.allowsAnotherConnection } else { true }
    }
}

extension Error {
    /// True if an event source reconnects after this error.
    fileprivate var allowsAnotherConnection: Bool {
        switch self as? RequestError {
        case .circuitOpen, .gateTimedOut, .refreshTimedOut: true
        default: isTransient
        }
    }
}

extension URLRequest {
    /// The request of an event source. An ID that cannot be sent in a header is left out.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for another method than `GET`: an unsafe request must not be
    ///   repeated whenever a connection ends.
    fileprivate func askingForEvents(after lastEventID: String) throws -> URLRequest {
        guard httpMethod ?? "GET" == "GET" else { throw RequestError.invalidRequest(.init(.method, .notGET)) }
        var request = self
        request.setValue(ServerSentEvent.mediaType, forHTTPHeaderField: "Accept")
        request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        let id = lastEventID.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        // It is sent as UTF-8.
        if !id.isEmpty, id.utf8.count <= Echo.limit, id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            request.setValue(id, forHTTPHeaderField: "Last-Event-ID")
        }
        return request
    }
}

/// Calls for the events after the last one.
private struct EventSourceVariant: CallVariant {
    let lastEventID: String

    func request(_ build: () throws -> URLRequest) throws -> URLRequest {
        try build().askingForEvents(after: lastEventID)
    }
}
