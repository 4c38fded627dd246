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

    /// Checks the request, stores it, and hands it to the stub or to the network.
    func send(
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
