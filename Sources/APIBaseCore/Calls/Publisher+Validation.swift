import HTTPTransport

extension Publisher where Output == (data: Data, response: URLResponse) {
    /// Casts the response to HTTP, for the publisher of `URLSession.dataTaskPublisher(for:)`.
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
    /// Accepts responses with one of these status codes.
    ///
    /// The error leaves out the secrets of the call that delivers the response. After `receive(on:)` that is not known,
    /// and nothing is left out.
    ///
    /// - Parameter codes: The accepted codes: a range, a set, an array, or another sequence that can be iterated
    ///   repeatedly.
    /// - Returns: A publisher that fails with ``RequestError/httpFailure(_:)`` for any other code.
    @inlinable public func validateStatusCode<Codes: Sequence>(in codes: Codes) -> Publishers.TryMap<Self, Output>
    where Codes.Element == Int {
        tryMap { try RequestError.checked($0, in: codes) }
    }

    /// Accepts responses of this media type, and those without a body.
    ///
    /// - Parameter contentType: The media type, such as `application/json`, compared without case. Parameters such as
    ///   `charset` are ignored (RFC 9110, section 8.3.1). `application/json` also stands for `text/json`.
    /// - Returns: A publisher that fails with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for
    ///   another type, or none.
    @inlinable public func hasContentType(_ contentType: String) -> Publishers.TryMap<Self, Output> {
        tryMap { try RequestError.checked($0, of: contentType) }
    }

    /// Accepts responses of one of these media types, and those without a body.
    ///
    /// - Parameter contentTypes: Media types, also with wildcards: `text/csv`, `image/*`; with a suffix (RFC 6839),
    ///   `application/*+json`, or `+json` for short; and `*/*` for any type, a malformed type, or none.
    ///   `application/json` also stands for `text/json`.
    /// - Returns: A publisher that fails with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for
    ///   another type, or none.
    public func hasContentType(in contentTypes: [String]) -> Publishers.TryMap<Self, Output> {
        let ranges = contentTypes.map(MediaRange.init)
        return tryMap { reply in
            try RequestError.refuseContentType(of: CallResponse(reply), unless: ranges)
            return reply
        }
    }
}

extension Publishers.TryMap where Output == (data: Data, response: HTTPURLResponse) {
    /// Accepts responses with one of these status codes, in the same step as the check before.
    @inlinable public func validateStatusCode<Codes: Sequence>(in codes: Codes) -> Publishers.TryMap<Upstream, Output>
    where Codes.Element == Int {
        tryMap { try RequestError.checked($0, in: codes) }
    }

    /// Accepts responses of this media type, and those without a body, in the same step as the check before.
    @inlinable public func hasContentType(_ contentType: String) -> Publishers.TryMap<Upstream, Output> {
        tryMap { try RequestError.checked($0, of: contentType) }
    }
}

extension RequestError {
    @inlinable static func checked(
        _ reply: (data: Data, response: HTTPURLResponse),
        in codes: some Sequence<Int>
    ) throws -> (data: Data, response: HTTPURLResponse) {
        guard codes.contains(reply.response.statusCode) else { throw refusedStatus(of: reply) }
        return reply
    }

    // Not inlined, unlike the check of the status, which is specialized for its codes.
    @usableFromInline static func refusedStatus(of reply: (data: Data, response: HTTPURLResponse)) -> RequestError {
        .httpFailure(HTTPFailure(reply)).removing(Delivery.runningCall?.secrets ?? .none)
    }

    @usableFromInline static func checked(
        _ reply: (data: Data, response: HTTPURLResponse),
        of contentType: String
    ) throws -> (data: Data, response: HTTPURLResponse) {
        try refuseContentType(of: CallResponse(reply), unless: contentType)
        return reply
    }

    static func refuseContentType(of reply: CallResponse, unless expected: String) throws(RequestError) {
        guard !reply.data.isEmpty else { return }
        let received = reply.head.value(of: "content-type")
        guard let received, MediaType(received) == MediaType(expected) else {
            let failure = HTTPFailure(reply.tuple)
            throw RequestError.contentTypeMismatch(expected: expected, received: received, reply: failure)
                .removing(Delivery.runningCall?.secrets ?? .none)
        }
    }

    static func refuseContentType(
        of reply: CallResponse,
        unless ranges: [MediaRange],
        by decoder: @autoclosure () -> BodyDecoder = .plain
    ) throws(RequestError) {
        guard !reply.data.isEmpty else { return }
        let received = reply.head.value(of: "content-type")
        // The usual case: comparing texts is cheaper than parsing them.
        if let received, ranges.contains(where: { $0.text == received }) { return }
        let media = MediaType(received ?? "")
        if ranges.contains(where: { $0.contains(media) }) { return }
        let expected = ranges.map(\.text).joined(separator: ", ")
        let failure = HTTPFailure(reply.tuple, by: decoder())
        throw RequestError.contentTypeMismatch(expected: expected, received: received, reply: failure)
            .removing(Delivery.runningCall?.secrets ?? .none)
    }
}
