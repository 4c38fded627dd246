/// Why a call failed before it reached the network, or after the network did its part.
///
/// What goes wrong on the network itself is a ``/HTTPTransport/TransportError``.
public enum RequestError: Error, LocalizedError, Sendable, Hashable {
    /// The URL cannot be built. Nothing was sent.
    case invalidURL(InvalidURL)
    /// The method, a header or the body must not be sent. Nothing was sent.
    case invalidRequest(InvalidRequest)
    /// The reply is not an HTTP response.
    case nonHTTPResponse
    /// The reply has a status that ``APIBase`` or its subclass does not accept.
    ///
    /// `case .httpFailure(404)` matches one status, `case .httpFailure(500..<600)` a range of them.
    case httpFailure(HTTPFailure)
    /// The reply's body is not of the type that was asked for. `received` is `nil` if the reply names none; `reply` has
    /// the status and the body, which is often the page of a proxy.
    case contentTypeMismatch(expected: String, received: String?, reply: HTTPFailure)
    /// The body of an accepted reply cannot be read as the value that was asked for.
    case undecodable(UndecodableReply)
    /// A line of a stream cannot be read as the value that was asked for.
    case undecodableLine(UndecodableLine)
    /// A line of a stream has more than `limit` bytes.
    case lineTooLong(limit: Int)
    /// An event of a stream has more than `limit` bytes.
    case eventTooLong(limit: Int)
    /// The next page of a list is at another scheme, host or port than the first one, where it is not fetched, so that the list
    /// is not complete. The URL is without user-info and query values.
    case foreignPage(URL?)
    /// The call ended well, but without a value.
    case noValue
    /// The body of a ``StreamedReply`` has been subscribed to before.
    case bodyTaken
    /// The ``CallGate`` refuses the call, because too many before it have failed. Nothing was sent. A call is tried after
    /// `retryAfter` at the earliest.
    case circuitOpen(retryAfter: Duration)
    /// The refresh of a ``TokenSource`` took longer than it may. Nothing was sent, or what was sent was refused with status 401.
    /// Such a call is not tried again; the next one starts another refresh.
    case refreshTimedOut(after: Duration)
    /// The ``CallGate`` has not let the call pass in the longest time that a call may wait there. Nothing was sent. It is not tried
    /// again.
    case gateTimedOut(after: Duration)

    /// The error as a sentence, with escapes for control characters that a server has sent.
    public var errorDescription: String? { sentence?.withoutControls }

    private var sentence: String? {
        switch self {
        case .invalidURL(let invalid): invalid.errorDescription
        case .invalidRequest(let invalid): invalid.errorDescription
        case .nonHTTPResponse: "The reply is not an HTTP response."
        case .httpFailure(let failure): failure.description
        case .contentTypeMismatch(let expected, let received?, let reply):
            "\(reply.subject) is of type “\(received)” where “\(expected)” was expected."
        case .contentTypeMismatch(let expected, nil, let reply):
            "\(reply.subject) names no content type where “\(expected)” was expected."
        case .undecodable(let undecodable): undecodable.description
        case .undecodableLine(let undecodable): undecodable.description
        case .lineTooLong(let limit): "A line of the stream has more than \(limit) bytes."
        case .eventTooLong(let limit): "An event of the stream has more than \(limit) bytes."
        case .foreignPage(let url):
            "The next page of the list is at another origin\(url.map { ", \($0.absoluteString)," } ?? "") and is not fetched."
        case .noValue: "The call ended without a value."
        case .bodyTaken: "The body of the reply has been read already."
        case .circuitOpen: "The call is not sent, because too many before it have failed."
        case .refreshTimedOut(let limit):
            """
            The refresh of the token took longer than \(limit). If it calls an API with the same source of tokens from a \
            detached task or another queue, that call waits for the refresh itself.
            """
        case .gateTimedOut(let limit):
            "The call is not sent, because the gate has not let it pass within \(limit.inSeconds) s: the calls before it take "
                + "too long, or one of them waits for this one from a detached task or a queue."
        }
    }
}
