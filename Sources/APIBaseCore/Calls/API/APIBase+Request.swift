import Basics

extension APIBase {
    /// The secret headers, including that of the credentials and those of the account.
    package func allSecretHeaders(of account: APIAccount?) -> Set<String> {
        var names = secretHeaders
        for name in (account?.authorization ?? authorization)?.headerNames ?? [] where name != "Authorization" {
            names.insert(name)
        }
        if let account { names.formUnion(account.headers.map(\.name)) }
        return names
    }

    /// Checks what `URLRequest` might change silently: the method, and these headers.
    func check(_ headers: HTTPHeaders) throws {
        let method = method
        try check { () throws(TransportError.InvalidRequest) in
            try RequestCheck.check(method)
            try RequestCheck.check(headers)
        }
    }

    func check(_ request: URLRequest) throws {
        let body = try transportBody(of: request)
        try check { () throws(TransportError.InvalidRequest) in try RequestCheck.check(request, body: body) }
    }

    fileprivate func check(_ check: () throws(TransportError.InvalidRequest) -> Void) throws(RequestError) {
        do throws(TransportError.InvalidRequest) { try check() } catch { throw .invalidRequest(error) }
    }
}

extension Call {
    /// The request for the transport, already checked.
    package func exchange(for request: URLRequest, body: HTTPBody? = nil) throws -> ExchangeRequest {
        var (limits, timeout) = (settings.limits, api.timeout)
        if request.timeoutInterval != timeout.inSeconds { timeout = Duration(limiting: request.timeoutInterval) }
        limits.total = min(timeout, limits.total ?? timeout)
        var exchange = ExchangeRequest(
            request,
            body: try body ?? api.transportBody(of: request),
            secretHeaders: settings.secretHeaders,
            limits: limits
        )
        try api.check { () throws(TransportError.InvalidRequest) in try exchange.check() }
        return exchange
    }
}

extension APIBase {
    /// Whether the body of a request can be sent again.
    func canRepeatBody(of request: URLRequest) -> Bool {
        request.httpBodyStream == nil && content?.isReplayable ?? true
    }
}

extension Authorization {
    func isIn(_ request: URLRequest) -> Bool {
        headerNames.contains { request.value(forHTTPHeaderField: $0) != nil }
    }
}

extension URLRequest {
    /// Adds a header. It is checked first, because Foundation drops an invalid one silently.
    package mutating func add(_ name: String, _ value: String) throws(RequestError) {
        do throws(TransportError.InvalidRequest) { try RequestCheck.check([name: value]) } catch {
            throw .invalidRequest(error)
        }
        setValue(value, forHTTPHeaderField: name)
    }
}

extension APIBase {
    /// Adds the idempotency key, unless the request has one.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a key that is empty or cannot be sent.
    package func addIdempotencyKey(to request: inout URLRequest) throws {
        let header = IdempotencyKey.header
        guard var key = request.value(forHTTPHeaderField: header) ?? idempotencyKeyText(for: request) else { return }
        guard !key.isEmpty else {
            throw RequestError.invalidRequest(.init(.headerValue(name: header), .missing))
        }
        // Another page of a list is another request.
        if let change = RequestChange.of(self) { key += "-\(change.number)" }
        try request.add(header, key)
    }

    private func idempotencyKeyText(for request: URLRequest) -> String? {
        switch idempotencyKey {
        case nil: return nil
        case .value(let key): return key
        case .automatic:
            guard [.post, .patch].contains(request.method) else { return nil }
            return shared.withLock { object in
                let key = object.idempotencyKey ?? UUID().uuidString
                object.idempotencyKey = key
                return key
            }
        }
    }
}
