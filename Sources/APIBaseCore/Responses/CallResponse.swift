import HTTPTransport

/// The head and the bytes of a response.
///
/// Foundation's response is made only for users who ask for the tuple: making it takes longer than the rest of a small
/// call.
@usableFromInline package struct CallResponse: Sendable {
    package let head: ResponseHead
    @usableFromInline package let data: Data

    package init(_ head: ResponseHead, _ data: Data) { (self.head, self.data) = (head, data) }

    /// Takes a tuple apart, as from a stub or an operator.
    @usableFromInline package init(_ reply: (data: Data, response: HTTPURLResponse)) {
        self.init(ResponseHead(reply.response), reply.data)
    }

    /// The response in the form that users see.
    @usableFromInline var tuple: (data: Data, response: HTTPURLResponse) { (data, head.httpURLResponse) }
}

extension ResponseHead {
    /// Converts Foundation's response, which may have no URL if it is from a stub.
    package init(_ response: HTTPURLResponse) { self.init(response, url: response.url ?? URL(fileURLWithPath: "/")) }
}

/// The outcome of an attempt as a sign of the server's health.
package enum ServerOutcome {
    case success
    case failure
    /// No sign: the call was canceled, or not sent.
    case unknown
}

/// The way in which a stored response answers a call.
public enum CacheOutcome: Sendable, Hashable {
    /// The response is fresh. No request was sent.
    case fresh
    /// The response is stale; the call, the response or a failure of the server allows its use.
    case stale
    /// The server has confirmed that the response still holds.
    case validated
}
