import Basics
import HTTPTransport

/// The error of a call that failed before it reached the network, or after its response arrived.
///
/// A failure of the network itself is a ``/HTTPTransport/TransportError``.
public enum RequestError: Error, LocalizedError, Sendable, Hashable {
    /// The URL cannot be built. Nothing was sent.
    case invalidURL(InvalidURL)
    /// The method, a header or the body must not be sent. Nothing was sent.
    case invalidRequest(TransportError.InvalidRequest)
    /// The response is not an HTTP response.
    case nonHTTPResponse
    /// The API class does not accept the status of the response.
    ///
    /// `case .httpFailure(404)` matches one status, `case .httpFailure(500..<600)` a range of them. The API's own error
    /// is in ``HTTPFailure/detail(as:)``, and its text, if it has one, is that of this error.
    case httpFailure(HTTPFailure)
    /// The body has another media type than expected. `received` is `nil` if the response names none; `reply` has the
    /// status and the body, which is often the page of a proxy.
    case contentTypeMismatch(expected: String, received: String?, reply: HTTPFailure)
    /// The body of an accepted response cannot be decoded.
    case undecodable(UndecodableReply)
    /// A line of a stream cannot be decoded.
    case undecodableLine(UndecodableLine)
    /// A line of a stream has more than `limit` bytes.
    case lineTooLong(limit: Int)
    /// An event of a stream has more than `limit` bytes.
    case eventTooLong(limit: Int)
    /// The server has reported a failure in an event: one of type `error`, or one whose data is an object with `error`.
    /// The API's own error is in ``ServerSentEvent/detail(as:)``, and its text, if it has one, is that of this error.
    case failureEvent(ServerSentEvent)
    /// An event cannot be decoded. Its number counts the events of the response, from 1.
    case undecodableEvent(UndecodableLine)
    /// The events of a response have ended without the ``EventRequest/endMark``.
    case streamCutOff
    /// The resource has no `ETag`, or a weak one that `update` was not allowed to send, so that it cannot be changed on
    /// condition. Nothing was written.
    case missingETag
    /// The next page of a list has another scheme, host or port than the first. It is not fetched, so the list is
    /// incomplete. The URL is without user-info and query values.
    case foreignPage(URL?)
    /// A response of a list seems to name a next page, which cannot be read, so the list is incomplete. The text is the
    /// reason.
    case unreadablePage(String)
    /// The operation of a ``PolledRequest`` is not over after this time. It may go on at the server. `polls` says how
    /// many polls there were, and what the last one has brought.
    case notDone(within: Duration, polls: Polls = Polls())
    /// The call has finished without a value.
    case noValue
    /// The body of a ``StreamedReply`` has had a subscriber before.
    case bodyAlreadyConsumed
    /// The ``CallGate`` refuses the attempt, because too many calls have failed. This attempt was not sent; an earlier
    /// one of the call may have been. The gate lets a call pass after `retryAfter` at the earliest.
    case circuitOpen(retryAfter: Duration)
    /// The refresh of a ``TokenSource`` has timed out. The attempt was not sent, or was refused with status 401; an
    /// earlier one may have been sent. The call is not tried again; the next call starts another refresh.
    case refreshTimedOut(after: Duration)
    /// The attempt has waited at the ``CallGate`` for longer than the gate allows. It was not sent; an earlier one of
    /// the call may have been. The call is not tried again.
    case gateTimedOut(after: Duration)

    /// The time for all calls of ``CallScope/withDeadline(_:isolation:_:)`` has passed. The call may have been sent.
    case deadlineExceeded(after: Duration)

    /// A sentence. Control characters that a server has sent are escaped.
    public var errorDescription: String? { sentence?.withoutControls }

    private var sentence: String? {
        switch self {
        case .invalidURL(let invalid): invalid.errorDescription
        case .invalidRequest(let invalid): invalid.errorDescription
        case .nonHTTPResponse: "The response is not an HTTP response."
        case .httpFailure(let failure): failure.sentence
        case .contentTypeMismatch(let expected, let received?, let reply):
            "\(reply.subject) is of type “\(received)” where “\(expected)” was expected."
        case .contentTypeMismatch(let expected, nil, let reply):
            "\(reply.subject) names no content type where “\(expected)” was expected."
        case .undecodable(let undecodable): undecodable.description
        case .undecodableLine(let undecodable): undecodable.description
        case .lineTooLong(let limit): "A line of the stream has more than \(limit) bytes."
        case .eventTooLong(let limit): "An event of the stream has more than \(limit) bytes."
        case .failureEvent(let event):
            event.detail.text(without: event.secrets)
                ?? "The server has reported a failure in an event of type “\(event.shownType)”."
        case .undecodableEvent(let undecodable): undecodable.sentence(about: "Event")
        case .streamCutOff: "The events of the response have ended without their end mark."
        case .missingETag:
            "The resource has no strong ETag, so that it cannot be changed on condition; update(allowingWeakTags:) sends weak ones."
        case .foreignPage(let url):
            "The next page of the list is at another origin\(url.map { ", \($0.absoluteString)," } ?? "")"
                + " and is not fetched."
        case .unreadablePage(let reason): "The next page of the list cannot be read. \(reason)"
        case .notDone(let limit, let polls):
            "The operation was not done within \(limit.inSeconds) s.\(polls.sentence)"
        case .noValue: "The call ended without a value."
        case .bodyAlreadyConsumed: "The body of the response has been read already."
        case .circuitOpen: "The attempt was not sent, because too many calls before it have failed."
        case .refreshTimedOut(let limit):
            """
            The refresh of the token took longer than \(limit). If it calls an API with the same source of tokens from \
            a detached task or another queue, that call waits for the refresh itself.
            """
        case .gateTimedOut(let limit):
            "The attempt was not sent, because the gate has not let it pass within \(limit.inSeconds) s: the calls "
                + "before it take too long, or one of them waits for this one from a detached task or a queue."
        case .deadlineExceeded(let limit): "The calls of this scope were not done within \(limit.inSeconds) s."
        }
    }
}

extension Error {
    /// True if the network or the server has failed in a way that may not happen again.
    package var isTransient: Bool {
        switch self {
        case let error as TransportError: error.reason.isTransient
        case let error as RequestError: error == .streamCutOff
        case let error as URLError: error.code.isTransient
        default: false
        }
    }

    /// Whether a limit of time was exceeded.
    var isTimeout: Bool {
        if case .timedOut = (self as? TransportError)?.reason { return true }
        return (self as? URLError)?.code == .timedOut
    }
}

extension TransportError.Reason {
    fileprivate var isTransient: Bool {
        switch self {
        case .hostNotFound, .cannotConnect, .connectionLost, .timedOut: true
        default: false
        }
    }
}

extension URLError.Code {
    /// For stubs and sessions that fail with Foundation's errors.
    fileprivate var isTransient: Bool {
        switch self {
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet:
            true
        default: false
        }
    }
}
