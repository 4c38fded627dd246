extension APIBase {
    /// A stub that answers with this response and these bytes. For ``dataTaskPublisher``:
    ///
    /// ```swift
    /// request.dataTaskPublisher = request.stub(with: response, data: data)
    /// ```
    ///
    /// - Returns: A publisher of the one pair, for every attempt the same.
    public func stub(with response: HTTPURLResponse, data: Data) -> AnyPublisher<DataResponseTuple, any Error> {
        Just((data, response)).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }

    /// A stub that answers with this status and these bytes, from the URL of the request.
    ///
    /// - Parameters:
    ///   - statusCode: The status code of the response.
    ///   - data: The body of the response.
    ///   - headers: Its headers. `Content-Length` is added, unless it is here in whatever case.
    /// - Returns: A publisher of the one pair. It fails with ``RequestError/invalidURL(_:)`` if the request's URL cannot
    ///   be built.
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

    /// A stub that answers with this status and these bytes of JSON, from the URL of the request.
    ///
    /// As ``stubResponse(statusCode:data:headers:)``, with `Content-Type: application/json` unless `headers` has one.
    public func stubJSONResponse(
        statusCode: Int,
        data: Data,
        headers: [String: String] = [:]
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        let named = headers.keys.contains { $0.lowercased() == "content-type" }
        let type = named ? [:] : ["Content-Type": "application/json"]
        return stubResponse(statusCode: statusCode, data: data, headers: headers.merging(type) { own, _ in own })
    }

    /// A stub that fails, as the network does when there is no connection. For a status such as 404, which is not a
    /// failure of the network, use ``stubResponse(statusCode:data:headers:)``.
    ///
    /// The error comes out as it is. The kit's own sessions fail with a ``/HTTPTransport/TransportError``, so that is what
    /// to give here to see what production sees:
    ///
    /// ```swift
    /// request.stub(error: TransportError(phase: .connect, reason: .cannotConnect, url: nil))
    /// ```
    ///
    /// - Returns: A publisher that fails with this error at every attempt.
    public func stub(error: any Error) -> AnyPublisher<DataResponseTuple, any Error> {
        Fail(error: error).eraseToAnyPublisher()
    }

    /// The URL a stubbed answer comes from: that of the attempt under way, or the one the next attempt would have.
    private func stubURL() throws -> URL? {
        try request?.url ?? buildURL()
    }
}

extension HTTPURLResponse {
    /// A response as a stub gives it. `url` is `nil` if the request object is gone.
    fileprivate static func stub(url: URL?, statusCode: Int, headers: HTTPHeaders) throws -> HTTPURLResponse {
        guard let url else { throw RequestError.invalidURL(InvalidURL(.url, .noRequest)) }
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
