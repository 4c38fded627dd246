/// The state of a rate limit, as a response reports it: how many requests, or other units such as tokens, are left, and
/// when the quota is renewed.
///
/// ```swift
/// let (books, response) = try await BooksRequest().reply()
/// if let limit = RateLimit(response) { show(limit.remaining, limit.reset) }
/// ```
///
/// There is no standard yet, so these fields are read: `RateLimit` and `RateLimit-Policy`
/// (draft-ietf-httpapi-ratelimit-headers, in its present form and that of the drafts before), `RateLimit-Limit`,
/// `RateLimit-Remaining` and `RateLimit-Reset` (its first form), the same with `X-RateLimit-` and `X-Rate-Limit-`,
/// `X-RateLimit-Reset-After`, those for requests and tokens of OpenAI, Anthropic and Linear, `X-Rate-Limit` of Zendesk,
/// those of HubSpot for a window and for a day, and `X-Shopify-Shop-Api-Call-Limit`. The limits of single endpoints, as
/// in `Zendesk-RateLimit-tickets-index`, are not: they say nothing about other calls. A value that cannot be read
/// counts as missing.
///
/// If a response reports several quotas, the one that is used up counts; of several such, the one that is renewed last.
/// If all have something left, the one with the least left counts.
public struct RateLimit: Hashable, Sendable {
    /// The quota; `nil` if the response does not tell it.
    public let limit: Int?
    /// The rest of the quota, rounded down; `nil` if the response does not tell it.
    public let remaining: Int?
    /// The time from the response until the quota is renewed; zero if that time is over, `nil` if the response does not
    /// tell it.
    ///
    /// Servers write it as seconds, as a text like `6m0s`, as a date, or as seconds or milliseconds since 1970. Points
    /// in time are compared with the `Date` of the response, so that different clocks do not matter.
    public let reset: Duration?

    /// Creates a quota; `nil` if nothing is known about it.
    init?(limit: Int?, remaining: Int?, reset: Duration?) {
        guard limit != nil || remaining != nil || reset != nil else { return nil }
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
    }

    /// The quota that the fields of a response report.
    ///
    /// - Parameters:
    ///   - now: The time of the response, if it has no `Date`.
    ///   - value: The value of a field, whose name is in lower case.
    package init?(now: Date, value: @escaping (StaticString) -> String?) {
        let quotas = RateLimitFields(now: now, value: value).quotas
        let exhausted = quotas.filter { $0.remaining == 0 }.max { $0.reset ?? .zero < $1.reset ?? .zero }
        guard let quota = exhausted ?? quotas.min(by: { $0.remaining ?? .max < $1.remaining ?? .max }) else {
            return nil
        }
        self = quota
    }
}
