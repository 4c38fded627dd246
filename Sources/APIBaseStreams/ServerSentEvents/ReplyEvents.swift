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
            calls.call(ReplyEventReader(endMark: endMark))
                .continued(by: \.eventsOrNone)
                .eraseToAnyPublisher()
        }
    }
}

extension StreamedReply {
    /// The events, none if the body has not been read as such.
    var eventsOrNone: AnyPublisher<ServerSentEvent, any Error> { events ?? Empty().eraseToAnyPublisher() }
}

/// Calls whose response is read as events: an event stream, or JSON in its place.
struct ReplyEventReader: CallVariant {
    typealias Events = AnyPublisher<ServerSentEvent, any Error>

    private static let types = [ServerSentEvent.mediaType, "application/json"]
    private static let jsonRanges = ["application/json", "application/*+json"].map(MediaRange.init)
    /// The longest event, in bytes.
    private static let limit = 1 << 24

    let endMark: String?

    func request(_ build: () throws -> URLRequest) throws -> URLRequest { try build().askingForReplyEvents }

    func step(in call: Call) -> (any CallStep)? { FirstEventStep(call, reader: self) }

    /// The events, and the data of the event that must end them; `nil` if they end with the body.
    ///
    /// - Throws: The error of the attempt, if the response has no events.
    func events(of reply: StreamedReply, to call: Call) throws -> (events: Events, endMark: String?) {
        guard reply.head.statusCode != 204 else { return (Empty().eraseToAnyPublisher(), nil) }
        let received = reply.head.headers["Content-Type"]
        let type = received.map(MediaType.init)
        if type == MediaType(ServerSentEvent.mediaType) { return (events(in: reply.body), endMark) }
        if let type, Self.jsonRanges.contains(where: { $0.contains(type) }) { return (json(of: reply, to: call), nil) }
        throw RequestError.contentTypeMismatch(
            expected: Self.types.joined(separator: ", "),
            received: received,
            reply: HTTPFailure((Data(), reply.response))
        )
    }

    private func events(in body: AnyPublisher<Data, any Error>) -> Events {
        let parser = Locked(EventStreamParser(limit: Self.limit))
        let events = body.serverSentEvents(limit: Self.limit, by: parser, parsesRest: endMark != nil) { event in
            guard !event.isEnd(endMark), event.isFailure else { return }
            throw RequestError.failureEvent(event)
        }
        guard let endMark else { return events }
        // Any other event without a blank line may be half of one, and is dropped.
        let end = Deferred {
            let rest = parser.withLock { $0.takeRest() }
            return (rest?.isEnd(endMark) == true ? rest : nil).publisher.setFailureType(to: (any Error).self)
        }
        return events.append(end).eraseToAnyPublisher()
    }

    /// One event with the whole body.
    private func json(of reply: StreamedReply, to call: Call) -> Events {
        let body = Locked(Data())
        return reply.body
            .tryCompactMap { chunk -> ServerSentEvent? in
                let count = body.withLock { body in
                    body.append(chunk)
                    return body.count
                }
                guard count <= Self.limit else { throw RequestError.eventTooLong(limit: Self.limit) }
                return nil
            }
            .append(
                Deferred { () -> Events in
                    let data = body.withLock { $0 }
                    if data.hasError {
                        let failure = HTTPFailure((data, reply.response)).removing(call.secrets)
                        return Fail(error: call.api.refusal(failure)).eraseToAnyPublisher()
                    }
                    let event = data.isEmpty ? nil : ServerSentEvent(data: String(decoding: data, as: UTF8.self))
                    return event.publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
                }
            )
            .eraseToAnyPublisher()
    }
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
