import HTTPTransport

extension Publisher where Output == (data: Data, response: URLResponse) {
    /// Narrows the response to HTTP, for what comes from `URLSession.dataTaskPublisher(for:)`.
    ///
    /// - Returns: A publisher that fails with ``RequestError/nonHTTPResponse`` for a response of another kind.
    @inlinable public func isHTTPResponse() -> Publishers.TryMap<Self, (data: Data, response: HTTPURLResponse)> {
        tryMap { data, response in
            guard let response = response as? HTTPURLResponse else { throw RequestError.nonHTTPResponse }
            return (data, response)
        }
    }
}

extension Publisher where Output == (data: Data, response: HTTPURLResponse) {
    /// Lets replies with one of these status codes pass.
    ///
    /// - Parameter codes: The codes that pass: a range, a set, an array, or any other sequence that can be gone through
    ///   more than once.
    /// - Returns: A publisher that fails with ``RequestError/httpFailure(_:)`` for any other code. The failure has the
    ///   status, the headers and the body of the reply.
    @inlinable public func validateStatusCode<Codes: Sequence>(in codes: Codes) -> Publishers.TryMap<Self, Output>
    where Codes.Element == Int {
        tryMap { reply in
            guard codes.contains(reply.response.statusCode) else { throw RequestError.refusedStatus(of: reply) }
            return reply
        }
    }

    /// Lets replies of this media type pass, and those without a body, whatever their type.
    ///
    /// The comparison is that of RFC 9110, section 8.3.1: type and subtype without case. Parameters such as `charset`
    /// are ignored.
    ///
    /// - Parameter contentType: The media type, such as `application/json`.
    /// - Returns: A publisher that fails with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another type
    ///   and for a reply that names none.
    @inlinable public func hasContentType(_ contentType: String) -> Publishers.TryMap<Self, Output> {
        tryMap { reply in
            try RequestError.refuseContentType(of: reply, unless: contentType)
            return reply
        }
    }

    /// Lets replies of one of these media types pass, and those without a body, whatever their type.
    ///
    /// - Parameter contentTypes: Media types, also with wildcards: `text/csv`, `image/*`; those with a suffix (RFC 6839),
    ///   `application/*+json`, or `+json` for short; and `*/*`, for a reply of any type, of none, or of one that cannot be read.
    /// - Returns: A publisher that fails with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another
    ///   type, and for a reply that names none.
    public func hasContentType(in contentTypes: [String]) -> Publishers.TryMap<Self, Output> {
        let ranges = contentTypes.map(MediaRange.init)
        return tryMap { reply in
            try RequestError.refuseContentType(of: CallReply(reply), unless: ranges)
            return reply
        }
    }
}

extension Publishers.TryMap where Output == (data: Data, response: HTTPURLResponse) {
    /// Lets replies with one of these status codes pass; one step instead of two.
    @inlinable public func validateStatusCode<Codes: Sequence>(in codes: Codes) -> Publishers.TryMap<Upstream, Output>
    where Codes.Element == Int {
        tryMap { reply in
            guard codes.contains(reply.response.statusCode) else { throw RequestError.refusedStatus(of: reply) }
            return reply
        }
    }

    /// Lets replies of this media type pass, and those without a body, whatever their type; one step instead of two.
    @inlinable public func hasContentType(_ contentType: String) -> Publishers.TryMap<Upstream, Output> {
        tryMap { reply in
            try RequestError.refuseContentType(of: reply, unless: contentType)
            return reply
        }
    }
}

// Inlining makes a closure for one kind of publisher; what these do is the same for all of them.
extension RequestError {
    @usableFromInline static func refusedStatus(of reply: (data: Data, response: HTTPURLResponse)) -> RequestError {
        .httpFailure(HTTPFailure(reply))
    }

    @usableFromInline static func refuseContentType(
        of reply: (data: Data, response: HTTPURLResponse),
        unless expected: String
    ) throws(RequestError) {
        try refuseContentType(of: CallReply(reply), unless: expected)
    }

    static func refuseContentType(of reply: CallReply, unless expected: String) throws(RequestError) {
        guard !reply.data.isEmpty else { return }
        let received = reply.head.value(of: "content-type")
        guard let received, MediaType(received) == MediaType(expected) else {
            throw .contentTypeMismatch(expected: expected, received: received, reply: HTTPFailure(reply.tuple))
        }
    }

    static func refuseContentType(
        of reply: CallReply,
        unless ranges: [MediaRange],
        by decoder: @autoclosure () -> ReplyDecoder = .plain
    ) throws(RequestError) {
        guard !reply.data.isEmpty else { return }
        let received = reply.head.value(of: "content-type")
        // Nearly always, and a comparison is cheaper than taking it apart.
        if let received, ranges.contains(where: { $0.text == received }) { return }
        let media = MediaType(received ?? "")
        if ranges.contains(where: { $0.contains(media) }) { return }
        let expected = ranges.map(\.text).joined(separator: ", ")
        let failure = HTTPFailure(reply.tuple, by: decoder())
        throw .contentTypeMismatch(expected: expected, received: received, reply: failure)
    }
}
