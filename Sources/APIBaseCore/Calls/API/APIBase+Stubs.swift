import HTTPTransport

extension APIBase {
    /// A stub with this response and these bytes, for ``dataTaskPublisher``:
    ///
    /// ```swift
    /// request.dataTaskPublisher = request.stub(with: response, data: data)
    /// ```
    ///
    /// - Returns: A publisher of the same pair for every attempt.
    public func stub(with response: HTTPURLResponse, data: Data) -> AnyPublisher<DataResponseTuple, any Error> {
        Just((data, response)).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }

    /// A stub with this status and these bytes, from the URL of the request.
    ///
    /// - Parameters:
    ///   - statusCode: The status code of the response.
    ///   - data: The body of the response.
    ///   - headers: Its headers. `Content-Length` is added if it is missing.
    /// - Returns: A publisher of the pair. It fails with ``RequestError/invalidURL(_:)`` if the request's URL cannot be
    ///   built.
    public func stubResponse(
        statusCode: Int,
        data: Data,
        headers: [String: String] = [:]
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        var fields = HTTPHeaders(headers)
        if !fields.contains(name: "Content-Length") { fields["Content-Length"] = String(data.count) }
        return Deferred { [weak self] in
            Result { try HTTPURLResponse.stub(url: self?.stubURL(), statusCode: statusCode, headers: fields) }
                .map { (data: data, response: $0) }
                .publisher
        }.eraseToAnyPublisher()
    }

    /// A stub as ``stubResponse(statusCode:data:headers:)``, with `Content-Type: application/json` unless `headers` has
    /// one.
    public func stubJSONResponse(
        statusCode: Int,
        data: Data,
        headers: [String: String] = [:]
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        let named = headers.keys.contains { $0.lowercased() == "content-type" }
        let type = named ? [:] : ["Content-Type": "application/json"]
        return stubResponse(statusCode: statusCode, data: data, headers: headers.merging(type) { own, _ in own })
    }

    /// A stub that fails like the network without a connection. For a status such as 404, use
    /// ``stubResponse(statusCode:data:headers:)``.
    ///
    /// The call fails with exactly this error. The kit's own sessions fail with a ``/HTTPTransport/TransportError``, so
    /// use that to test what happens in production:
    ///
    /// ```swift
    /// request.stub(error: TransportError(phase: .connect, reason: .cannotConnect, url: nil))
    /// ```
    ///
    /// - Returns: A publisher that fails with this error at every attempt.
    public func stub(error: any Error) -> AnyPublisher<DataResponseTuple, any Error> {
        Fail(error: error).eraseToAnyPublisher()
    }

    /// The URL of a stubbed response: that of the running attempt, or of the next one.
    private func stubURL() throws -> URL? {
        try request?.url ?? buildURL()
    }
}

extension HTTPURLResponse {
    /// A stubbed response. `url` is `nil` if the request object no longer exists.
    fileprivate static func stub(url: URL?, statusCode: Int, headers: HTTPHeaders) throws -> HTTPURLResponse {
        guard let url else { throw RequestError.invalidURL(RequestError.InvalidURL(.url, .noRequest)) }
        let response = HTTPURLResponse(
            url: url,
            statusCode: statusCode,
            httpVersion: "HTTP/1.1",
            headerFields: headers.dictionary
        )
        guard let response else { throw RequestError.nonHTTPResponse }
        return response
    }
}

extension APIBase {
    /// The object that replaces the network outside of all scopes: this request object if it has a stub, or the stubs
    /// or the recording that are its session; `nil` for the network.
    func standInOwner(in standIn: (any StandIn)?) -> AnyObject? {
        dataTaskPublisher == nil ? standIn?.owner : self
    }

    /// The clock of a call outside of all scopes. Stubs answer on an immediate clock.
    package func makeClock() -> any CallClock { makeClock(in: standIn(of: account)) }

    func makeClock(in standIn: (any StandIn)?) -> any CallClock {
        dataTaskPublisher == nil ? standIn?.makeClock() ?? WallClock.shared : ImmediateClock()
    }

    /// The session, if it is stubs or a recording.
    package func standIn(of account: APIAccount?) -> (any StandIn)? {
        let session = account?.session ?? session
        // The usual case, checked first because a cast to a protocol is slow.
        return session === DefaultSession.shared ? nil : session as? any StandIn
    }
}
