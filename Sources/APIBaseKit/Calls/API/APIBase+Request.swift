import Basics

extension APIBase {
    /// The headers that are declared secret, with that of ``authorization``: what `SecretHeaders.contains` is asked with.
    var allSecretHeaders: Set<String> {
        guard let name = authorization?.headerName, name != "Authorization" else { return secretHeaders }
        return secretHeaders.union([name])
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
    func exchange(for request: URLRequest) throws -> ExchangeRequest {
        var limits = limits
        let total = request.timeoutInterval == timeout.inSeconds ? timeout : Duration(limiting: request.timeoutInterval)
        limits.total = min(total, limits.total ?? total)
        var exchange = ExchangeRequest(
            request,
            body: try transportBody(of: request),
            secretHeaders: allSecretHeaders,
            limits: limits
        )
        try check { () throws(InvalidRequest) in try exchange.check() }
        return exchange
    }
}

extension Duration {
    /// This duration as Foundation counts time.
    var inSeconds: TimeInterval {
        // More seconds than an `Int64` has cannot be taken apart.
        let (seconds, attoseconds) = min(max(.zero - .longest, self), .longest).components
        return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
    }

    /// Foundation's seconds in whole milliseconds: nothing below zero, and at most a hundred years, which is what
    /// infinity and no number become too.
    init(limiting seconds: TimeInterval) {
        let longest = 3_155_760_000.0
        self = .milliseconds(Int64((seconds <= longest ? max(0, seconds) : longest) * 1_000))
    }
}
