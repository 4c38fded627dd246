import Basics

/// A call that is answered with events in one response, as by language models. Only leaf classes conform to it.
///
/// ```swift
/// final class ChatRequest: ChatAPI, EventRequest {
///     typealias EventType = ChatDelta
///     let endMark = "[DONE]"
///     init(_ messages: [ChatMessage]) {
///         super.init(.post("/chat/completions", json: Chat(messages: messages, stream: true)))
///     }
/// }
///
/// for try await delta in ChatRequest(messages).eachValue() { print(delta.text, terminator: "") }
/// ```
///
/// It is sent as by ``APIBase/replyEvents(endMark:)``: the events are those of one response, and what fails before the
/// first of them is tried again as the policy allows.
public protocol EventRequest where Self: JSONAPI {
    /// The value of an event.
    associatedtype EventType: Decodable & Sendable

    /// The type of ``endMark``: `String`, or `String?`.
    associatedtype EndMark: EventEndMark = String?

    /// The data of the event that ends the others, such as `[DONE]`; by default `nil`, for events that end with the
    /// response. A response that ends without it fails with ``RequestError/streamCutOff``. Blanks around it, and a
    /// missing line end or blank line after it, make no difference.
    var endMark: EndMark { get }

    /// The value of an event; `nil` for events to skip. By default ``ServerSentEvent/data``, decoded by
    /// ``JSONAPI/decode(_:from:)``, and `nil` if that is empty or white space: such events only carry an ID, or keep the
    /// connection open. It is called on the thread that delivers the event.
    ///
    /// - Throws: `DecodingError`, with which the call fails as ``RequestError/undecodableEvent(_:)``, or any other
    ///   error, with which it fails as it is.
    func decode(_ event: ServerSentEvent) throws -> EventType?
}

extension EventRequest {
    /// No end mark.
    public var endMark: String? { nil }

    /// The data of the event, decoded by ``JSONAPI/decode(_:from:)``; `nil` if it is empty or white space.
    public func decode(_ event: ServerSentEvent) throws -> EventType? {
        guard event.data.utf8.contains(where: { !$0.isJSONSpace }) else { return nil }
        return try decode(EventType.self, from: Data(event.data.utf8))
    }

    /// The values of the events in the response, each as soon as it has come and is requested.
    ///
    /// For a loop, there is ``eachValue()``.
    ///
    /// - Returns: A publisher with the errors of ``APIBase/replyEvents(endMark:)`` and ``EventRequest/decode(_:)``.
    public func events() -> AnyPublisher<EventType, any Error> {
        let endMark = endMark.endMarkText
        return StreamCalls(of: self).deliver { calls in
            Pulled {
                var number = 0
                return ReplyEvents(calls, endMark: endMark) { event in
                    number += 1
                    do {
                        return try self.decode(event)
                    } catch let error as DecodingError {
                        let line = Data(event.data.utf8)
                        throw RequestError.undecodableEvent(
                            UndecodableLine(error, as: EventType.self, number: number, line)
                        )
                    }
                }
            }
            .eraseToAnyPublisher()
        }
    }

    /// The values of the events in the response:
    ///
    /// ```swift
    /// for try await delta in ChatRequest(messages).eachValue() { print(delta.text, terminator: "") }
    /// ```
    ///
    /// - Returns: A sequence that throws the errors of ``events()``. Leaving the loop closes the connection.
    public func eachValue() -> CallSequence<EventType> { CallSequence(events()) }
}

/// A type of ``EventRequest/endMark``: `String`, or `String?`.
public protocol EventEndMark {
    /// The data of the event that ends the others; `nil` for none.
    var endMarkText: String? { get }
}

extension String: EventEndMark {
    /// The text itself.
    public var endMarkText: String? { self }
}

extension Optional: EventEndMark where Wrapped == String {
    /// The text, if there is one.
    public var endMarkText: String? { self }
}
