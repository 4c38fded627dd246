import HTTPTransport

extension RateLimit {
    /// Reads the fields of a response; `nil` if it reports no rate limit.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - now: The time of the response, if it has no `Date`.
    public init?(_ response: HTTPURLResponse, now: Date = Date()) {
        let headers = HTTPHeaders(response.headerDictionary)
        self.init(now: now) { headers["\($0)"] }
    }

    /// The time until the quota is renewed that is used up after a response: one that reports nothing left, or one with
    /// status 429 (RFC 6585, section 4) that does not report what is left.
    ///
    /// `nil` for other responses, also for a 429 that reports something left: it was refused for another reason.
    package static func wait(after head: ResponseHead, now: Date = Date()) -> Duration? {
        guard head.mayHaveField(containing: "limit"),
            let limit = RateLimit(now: now, value: head.value(of:)),
            limit.remaining == 0 || limit.remaining == nil && head.statusCode == 429
        else { return nil }
        return limit.reset
    }
}

extension HTTPFailure {
    /// The delay that the server asks for by `Retry-After` (RFC 9110, section 10.2.3), in seconds or by a date; `nil`
    /// if it does not, or the field cannot be read.
    public var retryAfter: Duration? { RetryAfter.wait(asked: self) }

    /// The rate limit that the response reports; `nil` if it has no fields for it. `Retry-After` is not one of them.
    public var rateLimit: RateLimit? {
        RateLimit(now: Date()) { headers["\($0)"] }
    }
}
