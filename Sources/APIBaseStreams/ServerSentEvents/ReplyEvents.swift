import Basics
import HTTPTransport
import StrictJSON

extension APIBase {
    /// The events of one response, `text/event-stream` (HTML standard, section 9.2), as language models send them to a
    /// `POST`.
    ///
    /// For values in place of events, a leaf conforms to ``EventRequest``.
    ///
    /// The request is sent as by ``sendStream()``, with any method and body, and once: there is no reconnection.
    /// Credentials and ``retry`` apply until the first event has come, and the ``gate`` until the head has. A response
    /// that is lost before its first event is a failed attempt, which is tried again as the policy allows: a `POST` only
    /// with an ``idempotencyKey``. After the first event, nothing is sent again. Canceling closes the connection.
    ///
    /// `Accept` is `text/event-stream, application/json`, and `Cache-Control` is `no-store`, whatever ``headers`` say.
    /// When the first event has come, ``response`` has the head, and ``CallTimings/firstEvent`` the time.
    ///
    /// An API may answer with JSON in place of events. If that is an object with `error`, the call fails as if its
    /// status were refused: with ``RequestError/httpFailure(_:)``, or the error of ``JSONAPI/error(for:)``. Otherwise
    /// the JSON is the data of one event, without an end mark.
    ///
    /// - Parameter endMark: The data of the event that ends the others, such as `[DONE]`. It is not delivered. What
    ///   comes after it is dropped. Blanks around it, and a missing line end or blank line after it, make no difference.
    ///   With `nil` the events end with the body.
    /// - Returns: A publisher that reads events on demand, and fails with the errors of ``sendStream()``, and with:
    ///   - ``RequestError/failureEvent(_:)`` for an event of type `error`, or with an object in its data that has an
    ///     `error` other than null and false;
    ///   - ``RequestError/streamCutOff`` if the response ends without the `endMark`;
    ///   - ``RequestError/contentTypeMismatch(expected:received:reply:)`` for neither events nor JSON;
    ///   - ``RequestError/eventTooLong(limit:)`` for more than 16 MiB.
    public func replyEvents(endMark: String? = nil) -> AnyPublisher<ServerSentEvent, any Error> {
        StreamCalls(of: self).deliver { calls in
            Pulled { ReplyEvents(calls, endMark: endMark) { $0 } }.eraseToAnyPublisher()
        }
    }
}

/// One subscription to the events of one response: an event stream, or JSON in its place.
///
/// The first event is awaited before the call delivers the response, so that its attempt can be repeated. Then each is
/// delivered when it is wanted. One is read ahead, so that the end is seen without demand. A failure waits until that
/// one has been delivered. After the end mark, the rest of the body is read for a moment, so that the connection can be
/// used again.
final class ReplyEvents<Value>: PullWork, @unchecked Sendable {  // unchecked: one thread at a time runs its stage
    typealias Stage = PullStage<Value>
    /// Takes true if there is an event.
    typealias Receiver = (Result<Bool, any Error>) -> Void

    private let calls: StreamCalls
    private let endMark: String?
    private let decode: (ServerSentEvent) throws -> Value?

    private var hasStarted = false
    /// The body of the last attempt.
    private var body: ReplyEventBody?
    /// Waits for the first event, or the end.
    private var then: Receiver?
    /// Whether the call has delivered the response.
    private var isOpen = false
    /// The next event, until it is wanted.
    private var next: ServerSentEvent?
    private var isComplete = false
    /// The wait for the end of the body, after the end mark.
    private var rest: CallWait?
    private var end: Stage.Completion?

    /// Reads events up to the one with the end mark, if there is one. `decode` makes the value of an event; `nil` for none.
    init(_ calls: StreamCalls, endMark: String?, _ decode: @escaping (ServerSentEvent) throws -> Value?) {
        (self.calls, self.endMark, self.decode) = (calls, endMark, decode)
    }

    func nextStep(in stage: Stage) throws -> PullStep {
        if !hasStarted { start(stage) }
        while true {
            if next == nil, end == nil, !isComplete { readAhead(stage) }
            if then != nil, next != nil || end != nil {
                announce()
                return .parts(.none)
            }
            guard next != nil || end != nil else { return .parts(isComplete ? .unlimited : .max(1)) }
            guard isOpen else { return .parts(.none) }
            guard let event = next else { return .end(end ?? .finished) }
            guard stage.isWanted else { return .parts(.none) }
            next = nil
            if let value = try decode(event) {
                stage.deliver(value)
                return .delivered
            }
        }
    }

    func clear() {
        rest?.cancel()
        (body, then, next, rest) = (nil, nil, nil, nil)
    }

    private func start(_ stage: Stage) {
        hasStarted = true
        let variant = ReplyEventVariant { [self, weak stage] reply, call, then in
            try awaitFirst(of: reply, to: call, in: stage, then: then)
        }
        stage.attach(to: calls.call(variant)) { [self] reply in
            isOpen = true
            if body == nil { end = .finished }
            reply.follow(in: stage)
        } end: { [self] completion in
            if !isOpen { (isOpen, then, next, end) = (true, nil, nil, completion) }
        }
    }

    // MARK: The first event

    /// Reads the body of an attempt, and waits for the first event, or the end.
    ///
    /// - Returns: What cancels the wait. Once the event has been announced, the body belongs to the subscriber.
    /// - Throws: The error of the attempt, if the response has no events.
    private func awaitFirst(
        of reply: StreamedReply,
        to call: Call,
        in stage: Stage?,
        then: @escaping Receiver
    ) throws -> FirstEventWait {
        let body = try ReplyEventBody(of: reply, to: call, endMark: endMark)
        stage?.perform { [self, weak stage] in
            (self.body, self.then, next, end, isComplete) = (body, then, nil, nil, false)
            guard let stage else { return }
            reply.read(in: stage) { [self] chunk in
                if !isComplete { body.take(chunk) }
            } end: { [self] completion in
                body.end = completion
                guard isComplete, self.body === body else { return }
                rest.take()?.cancel()
                end = end ?? .finished
            }
        }
        return FirstEventWait { [weak stage] in
            stage?.perform { [self] in
                // Another attempt may have begun.
                guard self.then != nil, self.body === body else { return }
                self.then = nil
                stage?.detach()
            }
        }
    }

    private func announce() {
        let then = then.take()
        if next == nil, case .failure(let error)? = end { then?(.failure(error)) } else { then?(.success(next != nil)) }
    }

    // MARK: Reading

    private func readAhead(_ stage: Stage) {
        do {
            guard let event = try body?.next() else { return }
            switch event {
            case .event(let event): next = event
            case .end(let completion): end = completion
            case .endMark:
                isComplete = true
                if body?.end == nil { awaitEnd(stage) } else { end = .finished }
            }
        } catch {
            end = .failure(error)
            stage.detach()
        }
    }

    /// Waits for the end of the body, which follows the end mark.
    private func awaitEnd(_ stage: Stage) {
        rest = WallClock.shared.wait(.milliseconds(100)) { [weak stage] in
            stage?.perform { [self] in
                guard end == nil else { return }
                end = .finished
                stage?.detach()
            }
        }
    }
}

/// The body of a response that is read as events.
private final class ReplyEventBody {
    enum Part {
        case event(ServerSentEvent)
        case endMark
        case end(Subscribers.Completion<any Error>)
    }

    private static var types: [String] { [ServerSentEvent.mediaType, "application/json"] }
    private static let jsonRanges = ["application/json", "application/*+json"].map(MediaRange.init)
    /// The longest event, in bytes.
    private static var limit: Int { 1 << 24 }

    /// The data of the event that must end the others; `nil` if they end with the body.
    private let endMark: String?
    private var events: EventReader
    /// The JSON in place of events.
    private var json: Data?
    /// The event that JSON stands for.
    private let makeEvent: (Data) throws -> ServerSentEvent?
    /// The event that reports a failure, with the API's own error.
    private let detailed: (ServerSentEvent) -> ServerSentEvent
    /// The completion of the body; `nil` if it has not ended.
    var end: Subscribers.Completion<any Error>?

    /// - Throws: The error of the attempt, if the response has no events.
    init(of reply: StreamedReply, to call: Call, endMark: String?) throws {
        let received = reply.head.headers["Content-Type"]
        let type = received.map(MediaType.init)
        let isStream = type == MediaType(ServerSentEvent.mediaType)
        let hasNone = reply.head.statusCode == 204
        self.endMark = isStream && !hasNone ? endMark : nil
        events = EventReader(limit: Self.limit, deliversRest: self.endMark != nil)
        makeEvent = { data in
            guard !data.hasError else {
                throw call.api.refusal(HTTPFailure((data, reply.response)).removing(call.secrets))
            }
            return data.isEmpty ? nil : ServerSentEvent(data: String(decoding: data, as: UTF8.self))
        }
        detailed = { $0.detailed(by: call.api, in: reply.response, without: call.secrets) }
        if hasNone { end = .finished }
        guard !hasNone, !isStream else { return }
        guard let type, Self.jsonRanges.contains(where: { $0.contains(type) }) else {
            throw RequestError.contentTypeMismatch(
                expected: Self.types.joined(separator: ", "),
                received: received,
                reply: HTTPFailure((Data(), reply.response))
            )
        }
        json = Data()
    }

    func take(_ chunk: Data) {
        if json == nil { events.take(chunk) } else { json?.append(chunk) }
    }

    /// The next part of the bytes that are there; `nil` if more are needed.
    func next() throws -> Part? {
        if let json {
            guard json.count <= Self.limit else { throw RequestError.eventTooLong(limit: Self.limit) }
            guard case .finished? = end else { return end.map(Part.end) }
            self.json = Data()
            return try makeEvent(json).map(Part.event) ?? .end(.finished)
        }
        if let event = try events.next() {
            if event.isEnd(endMark) { return .endMark }
            guard !event.isFailure else { throw RequestError.failureEvent(detailed(event)) }
            return .event(event)
        }
        guard endMark != nil, case .finished? = end else { return end.map(Part.end) }
        // Any other event without a blank line may be half of one, and is dropped.
        return try events.takeRest()?.isEnd(endMark) == true ? .endMark : .end(.failure(RequestError.streamCutOff))
    }
}

/// Calls whose response is read as events.
struct ReplyEventVariant: CallVariant {
    typealias Receiver = (Result<Bool, any Error>) -> Void
    typealias AwaitFirst = @Sendable (StreamedReply, Call, @escaping Receiver) throws -> FirstEventWait

    let awaitFirst: AwaitFirst

    func request(_ build: () throws -> URLRequest) throws -> URLRequest { try build().askingForReplyEvents }

    func step(in call: Call) -> (any CallStep)? { FirstEventStep(call, awaitFirst) }
}

/// The wait of a call for its first event.
struct FirstEventWait: Cancellable {
    let end: () -> Void

    func cancel() { end() }
}

extension URLRequest {
    fileprivate var askingForReplyEvents: URLRequest {
        var request = self
        request.setValue("\(ServerSentEvent.mediaType), application/json", forHTTPHeaderField: "Accept")
        request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        return request
    }
}

extension ServerSentEvent {
    /// Whether the data is the end mark, also with spaces and tabs around it.
    func isEnd(_ mark: String?) -> Bool {
        guard let mark else { return false }
        return data == mark || data.withBytes { $0.trimmed.elementsEqual(mark.utf8) }
    }

    /// Whether the server reports a failure.
    fileprivate var isFailure: Bool {
        type == "error" || data.withBytes { $0.mayHaveError } && Data(data.utf8).hasError
    }
}

extension Data {
    /// Whether this is a JSON object with an `error` that is neither null nor false.
    fileprivate var hasError: Bool {
        guard withUnsafeBytes({ $0.bindMemory(to: UInt8.self).mayHaveError }) else { return false }
        return (try? StrictJSONDecoder().decode(Failure.self, from: self))?.isThere ?? false
    }

    private struct Failure: Decodable {
        let isThere: Bool

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            guard members.contains(.error) else {
                isThere = false
                return
            }
            let isNull = try members.decodeNil(forKey: .error)
            isThere = !isNull && (try? members.decode(Bool.self, forKey: .error)) != false
        }

        private enum CodingKeys: CodingKey { case error }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes have `"error"` somewhere. Most events have not, and need not be decoded to know.
    fileprivate var mayHaveError: Bool {
        indices.contains { self[$0] == UInt8(ascii: "\"") && matches("\"error\"", at: $0) }
    }
}
