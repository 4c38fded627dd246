import Basics

extension APIBase {
    /// One attempt: builds and checks the request, stores it, and hands it to the stub or to the network.
    func attempt(on session: @autoclosure () -> any HTTPSession) -> AnyPublisher<DataResponseTuple, any Error> {
        do {
            let request = try buildURLRequest()
            let exchange = try exchange(for: request)
            if let stream = request.httpBodyStream { try take(stream) }
            self.request = request
            if let dataTaskPublisher { return dataTaskPublisher }
            return session().response(to: exchange, progress: progressHandler(for: exchange.body))
                .mapError { ($0.underlying as? InjectedFailure)?.error ?? $0 }
                .eraseToAnyPublisher()
        } catch {
            return Fail(error: error).eraseToAnyPublisher()
        }
    }

    /// Puts the body into the request and returns its length in bytes, or `nil` if there is no body.
    func setBody(of request: inout URLRequest) throws -> Int? {
        if let bodyStream {
            request.httpBodyStream = bodyStream.stream
            return bodyStream.count
        }
        request.httpBody = try encodeBody()
        return request.httpBody?.count
    }

    /// The headers as they are sent with a body of that length.
    ///
    /// A `Content-Length` that is given stays, for the check to compare.
    func headers(bodyLength: Int?) -> HTTPHeaders {
        var headers = headers
        guard let bodyLength else { return headers }
        if let contentType, !headers.contains(name: "Content-Type") { headers["Content-Type"] = contentType }
        if !headers.contains(name: "Content-Length") { headers["Content-Length"] = String(bodyLength) }
        return headers
    }

    /// Checks what Foundation could change when it is put into a `URLRequest`.
    func checkProperties() throws {
        let (method, headers) = (method, headers)
        try check { () throws(InvalidRequest) in
            try RequestCheck.check(method)
            try RequestCheck.check(headers)
        }
    }

    /// The check of everything that would be sent.
    func check(_ request: URLRequest) throws {
        let body = try transportBody(of: request)
        try check { () throws(InvalidRequest) in try RequestCheck.check(request, body: body) }
    }

    private func check(_ check: () throws(InvalidRequest) -> Void) throws(RequestError) {
        do throws(InvalidRequest) { try check() } catch { throw .invalidRequest(error) }
    }

    /// The request as the transport takes it, checked, so that the transport need not do it again.
    private func exchange(for request: URLRequest) throws -> ExchangeRequest {
        var limits = limits
        let total = request.timeoutInterval == timeout.inSeconds ? timeout : Duration(limiting: request.timeoutInterval)
        limits.total = min(total, limits.total ?? total)
        var exchange = ExchangeRequest(
            request,
            body: try transportBody(of: request),
            secretHeaders: secretHeaders,
            limits: limits
        )
        exchange.caller = ExchangeCaller(type: Self.self, baseURL: baseURL)
        try check { () throws(InvalidRequest) in try exchange.check() }
        return exchange
    }

    /// Takes the stream for this attempt: it can be read once, so the first that takes it is the only one.
    private func take(_ stream: InputStream) throws(RequestError) {
        let isFirst = takenStream.withLock { taken in
            defer { taken = ObjectIdentifier(stream) }
            return taken != ObjectIdentifier(stream)
        }
        guard isFirst, stream.streamStatus == .notOpen else {
            throw .invalidRequest(InvalidRequest(.body, .unreadableStream))
        }
    }

    private func transportBody(of request: URLRequest) throws -> HTTPBody {
        if let stream = request.httpBodyStream {
            guard let count = request.value(forHTTPHeaderField: "Content-Length").flatMap({ Int64($0) }) else {
                throw RequestError.invalidRequest(InvalidRequest(.headerValue(name: "Content-Length"), .missing))
            }
            return .once(stream, count: count)
        }
        return request.httpBody.map { .data($0) } ?? .none
    }
}

extension Duration {
    /// This duration as Foundation counts time.
    var inSeconds: TimeInterval {
        let (seconds, attoseconds) = components
        return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
    }

    /// Foundation's seconds in whole milliseconds: nothing below zero, and at most a hundred years, which is what
    /// infinity and no number become too.
    init(limiting seconds: TimeInterval) {
        let longest = 3_155_760_000.0
        self = .milliseconds(Int64((seconds <= longest ? max(0, seconds) : longest) * 1_000))
    }
}
