import Basics
import HTTPTransport

extension Call {
    /// Builds the request of an attempt, and says what sends it. Runs with the task locals of where the call was started.
    func replies() throws -> AnyPublisher<AttemptReply, any Error> {
        // The object of a shared call may be used for another meanwhile.
        var request = try shared?.key.request.value ?? api.buildURLRequest()
        if let variation { request = try variation.change(request) }
        try api.addIdempotencyKey(to: &request)
        state.withLock { $0.report.request = request }
        tell(of: request) { .began($0) }
        guard let authorization = shared.map(\.key.authorization) ?? api.authorization, !authorization.isIn(request)
        else {
            return replies(to: request)
        }
        switch authorization.kind {
        case .header(let name, let value):
            try request.add(name, value)
            return replies(to: request)
        case .tokens(let source) where source.isRefreshing(in: context): return replies(to: request)
        case .tokens(let source): return replies(to: request, with: source)
        case .invalid(let problem): throw RequestError.invalidRequest(problem)
        }
    }

    /// Sends a request that has its credentials, those of `source` if there is one.
    private func replies(
        to request: URLRequest,
        of source: TokenSource? = nil
    ) -> AnyPublisher<AttemptReply, any Error> {
        let replies = api.intercept(request) { changed in
            let changed = changed.without(self.api.allSecretHeaders, of: request)
            guard let cache = self.api.cache else { return self.send(changed) }
            let keepsToken =
                changed.value(forHTTPHeaderField: "Authorization") == request.value(forHTTPHeaderField: "Authorization")
            let source = keepsToken ? source : nil
            return Deferred { self.cachedExchange(for: changed, of: source, by: cache).replies() }.eraseToAnyPublisher()
        }
        if isStream { return streamed(replies) }
        return AttemptExchange.behind(replies)?.wholeReplies ?? replies.whole
    }

    /// Sends the request with a token, and once more with another if that one is refused.
    private func replies(
        to request: URLRequest,
        with source: TokenSource
    ) -> AnyPublisher<AttemptReply, any Error> {
        func reply(with token: TokenSource.Issued) -> AnyPublisher<AttemptReply, any Error> {
            inAttempt {
                do {
                    var request = request
                    try request.add("Authorization", "Bearer \(token.token.value)")
                    return replies(to: request, of: source)
                } catch {
                    return Fail(error: error).eraseToAnyPublisher()
                }
            }
        }
        let origin = request.url?.origin
        return IssuedToken(source: source, origin: origin, refused: nil, call: self)
            .flatMap { token in
                reply(with: token).flatMap { answer -> AnyPublisher<AttemptReply, any Error> in
                    guard answer.head.statusCode == 401, self.isRefused(request, by: answer.head) else {
                        return Just(answer).setFailureType(to: (any Error).self).eraseToAnyPublisher()
                    }
                    return IssuedToken(source: source, origin: origin, refused: token, call: self)
                        .flatMap(reply)
                        .eraseToAnyPublisher()
                }
            }
            .eraseToAnyPublisher()
    }
}

extension Call {
    /// Sends a request, without a cache.
    func send(_ request: URLRequest) -> AnyPublisher<StreamedReply, any Error> {
        AttemptExchange(request, of: self).replies
    }

    /// Whether this is the answer to the request with the token, and that may be sent again: not the answer of another server,
    /// to which a redirect or ``APIBase/intercept(_:next:)`` led, and not if the request has had its effect.
    private func isRefused(_ request: URLRequest, by head: ResponseHead) -> Bool {
        guard api.canRepeatBody(of: request) else { return false }
        guard api.dataTaskPublisher == nil, let sent = state.withLock({ $0.report.request?.url }) else { return true }
        let url = head.url
        let isSafe = ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
        return url.origin == request.url?.origin && (isSafe || url.absoluteString == sent.absoluteString)
    }
}

extension URLRequest {
    /// This request, which has been made of `original`, without the secrets of that one if it goes to another origin.
    fileprivate func without(_ secretHeaders: @autoclosure () -> Set<String>, of original: URLRequest) -> URLRequest {
        guard url != original.url, url?.origin != original.url?.origin else { return self }
        var request = self
        let secretHeaders = secretHeaders()
        for (name, value) in allHTTPHeaderFields ?? [:]
        where value == original.value(forHTTPHeaderField: name) && SecretHeaders.contains(name, in: secretHeaders) {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        return request
    }
}

extension Call {
    /// The request as the transport takes it, checked and stored.
    func exchange(for request: URLRequest) throws -> ExchangeRequest {
        var exchange = try api.exchange(for: request)
        if !exchange.body.isReplayable { try api.takeBody(of: request) }
        exchange.caller = self
        if isStream {
            exchange.limits.lift(by: api.limits)
        } else {
            // All of it is kept in memory anyway, so a reader that lags behind is no reason to fail.
            exchange.limits.queuedBytes = max(exchange.limits.queuedBytes, exchange.limits.responseBytes)
        }
        if let deadline, clock is ImmediateClock {
            let left = max(.zero, deadline - elapsed)
            exchange.limits.total = min(exchange.limits.total ?? left, left)
        }
        api.lastAttempt.withLock { ($0.request, $0.head) = (request, nil) }
        state.withLock { ($0.report.request, $0.phase) = (request, .head) }
        tell(of: request) { .sent($0) }
        return exchange
    }

    /// The head of a reply has come.
    func received(_ head: ResponseHead) {
        let request = state.withLock { state in
            state.phase = .body
            return state.report.request
        }
        api.lastAttempt.withLock { $0.head = head }
        tell(of: request) { .head($0, head) }
    }

    /// A reply that a stub gives.
    func stubbed(_ data: Data, _ response: HTTPURLResponse) -> CallReply {
        let head = ResponseHead(response, url: response.url ?? api.request?.url ?? URL(fileURLWithPath: "/"))
        received(head)
        state.withLock { $0.report.times.received += Int64(data.count) }
        return CallReply(head, data)
    }
}

extension APIBase {
    /// The stand-in for the network outside of any scope: the object itself with its stub, or the stubs or recording that it has
    /// as its session; `nil` for the network.
    var substitute: AnyObject? { substitute(in: sessionScope) }

    /// The same, for a session that has been looked at.
    func substitute(in sessionScope: (any SessionScope)?) -> AnyObject? {
        dataTaskPublisher == nil ? sessionScope?.owner : self
    }

    /// The time of a call that belongs to no scope. What answers in place of the network takes none.
    func makeClock() -> any CallClock { makeClock(in: sessionScope) }

    /// The same, for a session that has been looked at.
    func makeClock(in sessionScope: (any SessionScope)?) -> any CallClock {
        dataTaskPublisher == nil ? sessionScope?.makeClock() ?? WallClock.shared : ImmediateClock()
    }

    /// The session, if it stands in for the network.
    var sessionScope: (any SessionScope)? {
        let session = session
        // Nearly always. To ask whether a class conforms to a protocol takes long.
        return session === DefaultSession.shared ? nil : session as? any SessionScope
    }
}
