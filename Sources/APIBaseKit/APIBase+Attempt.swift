import Basics

extension APIBase {
    /// One attempt: builds the request, with the task locals of where the call was started, and sends it.
    func attempt(
        in context: CallerContext,
        on session: @escaping () -> any HTTPSession
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        context.run {
            do {
                let request = try buildURLRequest()
                guard let authorization, !authorization.isIn(request) else {
                    return send(request, in: context, on: session)
                }
                switch authorization.kind {
                case .header(let name, let value): return send(request, with: (name, value), in: context, on: session)
                case .tokens(let source) where source.isRefreshing: return send(request, in: context, on: session)
                case .tokens(let source): return send(request, with: source, in: context, on: session)
                case .invalid(let problem): throw RequestError.invalidRequest(problem)
                }
            } catch {
                return Fail(error: error).eraseToAnyPublisher()
            }
        }
    }

    /// Sends the request with a token, and once more with another if that one is refused.
    private func send(
        _ request: URLRequest,
        with source: TokenSource,
        in context: CallerContext,
        on session: @escaping () -> any HTTPSession
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        IssuedToken(source: source, refused: nil, context: context)
            .flatMap { token -> AnyPublisher<DataResponseTuple, any Error> in
                self.send(request, with: token.header, in: context, on: session)
                    .flatMap { reply -> AnyPublisher<DataResponseTuple, any Error> in
                        guard reply.response.statusCode == 401, self.canRepeatBody(of: request) else {
                            return Just(reply).setFailureType(to: (any Error).self).eraseToAnyPublisher()
                        }
                        return IssuedToken(source: source, refused: token, context: context)
                            .flatMap { self.send(request, with: $0.header, in: context, on: session) }
                            .eraseToAnyPublisher()
                    }
                    .eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }

    private func canRepeatBody(of request: URLRequest) -> Bool {
        request.httpBodyStream == nil && content?.isReplayable ?? true
    }

    /// Checks the request, stores it, and hands it to the stub or to the network.
    private func send(
        _ request: URLRequest,
        with credential: (name: String, value: String)? = nil,
        in context: CallerContext,
        on session: () -> any HTTPSession
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        do {
            var request = request
            if let credential { try request.add(credential.name, credential.value) }
            let exchange = try exchange(for: request)
            let isRepeatable = exchange.body.isReplayable
            if !isRepeatable { try takeBody(of: request) }
            lastAttempt.withLock { ($0.request, $0.response) = (request, nil) }
            let replies = self.replies(to: exchange, for: context.recorder, on: session)
            return isRepeatable ? replies : rememberingFailure(of: replies)
        } catch {
            return Fail(error: error).eraseToAnyPublisher()
        }
    }

    private func replies(
        to exchange: ExchangeRequest,
        for recorder: ReplyRecorder?,
        on session: () -> any HTTPSession
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        let lastAttempt = lastAttempt
        func noted(_ reply: DataResponseTuple) -> DataResponseTuple {
            lastAttempt.withLock { $0.response = reply.response }
            recorder?.response.withLock { $0 = reply.response }
            return reply
        }
        if let dataTaskPublisher { return dataTaskPublisher.map(noted).eraseToAnyPublisher() }
        return session().response(to: exchange, progress: progressHandler(for: exchange.body))
            .mapError { ($0.underlying as? InjectedFailure)?.error ?? $0 }
            .map(noted)
            .eraseToAnyPublisher()
    }

    /// Puts the body into the request and returns its length in bytes, or `nil` if there is no body or it is not known.
    func setBody(of request: inout URLRequest) throws -> Int? {
        if let content {
            if let problem = content.problem {
                throw (problem as? InvalidRequest).map(RequestError.invalidRequest) ?? problem
            }
            if !content.needsReading, !content.isEmpty { request.httpBody = try content.bytes() }
            return content.isEmpty && content.contentType == nil ? nil : content.count.map { Int(clamping: $0) }
        }
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
        guard bodyLength != nil || content.map({ !$0.isEmpty }) ?? false else { return headers }
        let contentType = content?.contentType ?? contentType
        if let contentType, !headers.contains(name: "Content-Type") { headers["Content-Type"] = contentType }
        if let bodyLength, !headers.contains(name: "Content-Length") { headers["Content-Length"] = String(bodyLength) }
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
            secretHeaders: authorization.map { secretHeaders.union([$0.headerName]) } ?? secretHeaders,
            limits: limits
        )
        exchange.caller = ExchangeCaller(type: Self.self, baseURL: effectiveBaseURL)
        try check { () throws(InvalidRequest) in try exchange.check() }
        return exchange
    }

    /// Takes the body for this attempt: it can be sent once, so the first attempt that takes it is the only one.
    private func takeBody(of request: URLRequest) throws {
        let stream = request.httpBodyStream
        let body = stream.map(ObjectIdentifier.init) ?? content?.oneShot
        let (isFirst, failure) = lastAttempt.withLock { attempt -> (Bool, (any Error)?) in
            if let taken = attempt.takenBody, taken.body == body { return (false, taken.failure) }
            attempt.takenBody = Attempt.TakenBody(body: body)
            return (true, nil)
        }
        guard isFirst else {
            throw TransportError(phase: .request, reason: .bodyNotReplayable, url: request.url, underlying: failure)
        }
        guard stream?.streamStatus ?? .notOpen == .notOpen else {
            throw RequestError.invalidRequest(InvalidRequest(.body, .unreadableStream))
        }
    }

    /// Notes how the attempt fails that takes the only body, for the error of the next one.
    private func rememberingFailure(
        of replies: AnyPublisher<DataResponseTuple, any Error>
    ) -> AnyPublisher<DataResponseTuple, any Error> {
        replies.handleEvents(
            receiveOutput: { reply in
                if reply.response.statusCode >= 300 { self.note(RequestError.httpFailure(HTTPFailure(reply))) }
            },
            receiveCompletion: { completion in
                if case .failure(let error) = completion { self.note(error) }
            }
        )
        .eraseToAnyPublisher()
    }

    /// Notes why a call fails whose body cannot be sent again.
    func note(_ failure: any Error) { lastAttempt.withLock { $0.takenBody?.failure = failure } }

    private func transportBody(of request: URLRequest) throws -> HTTPBody {
        if let stream = request.httpBodyStream {
            guard let count = request.value(forHTTPHeaderField: "Content-Length").flatMap({ Int64($0) }) else {
                throw RequestError.invalidRequest(InvalidRequest(.headerValue(name: "Content-Length"), .missing))
            }
            return .once(stream, count: count)
        }
        if let body = request.httpBody { return .data(body) }
        return content.flatMap { $0.needsReading ? $0 : nil } ?? .none
    }
}

extension Authorization {
    /// Whether the request has a header of that name.
    fileprivate func isIn(_ request: URLRequest) -> Bool { request.value(forHTTPHeaderField: headerName) != nil }
}

extension TokenSource.Issued {
    fileprivate var header: (name: String, value: String) { ("Authorization", "Bearer \(token.value)") }
}

extension URLRequest {
    /// Adds a header. Foundation drops one that must not be sent without a word, so it is checked before.
    fileprivate mutating func add(_ name: String, _ value: String) throws(RequestError) {
        do throws(InvalidRequest) { try RequestCheck.check([name: value]) } catch { throw .invalidRequest(error) }
        setValue(value, forHTTPHeaderField: name)
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
