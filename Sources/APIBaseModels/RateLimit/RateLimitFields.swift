import Basics

/// The fields of a response that report rate limits.
struct RateLimitFields {
    /// The time of the response, if it has no `Date`.
    let now: Date
    /// The value of a field, whose name is in lower case.
    let value: (StaticString) -> String?

    /// All quotas that the response reports.
    var quotas: [RateLimit] { structured + Self.families.compactMap(quota) + [shopify, hubSpot].compactMap(\.self) }

    // MARK: Separate fields

    /// The names of the fields for one quota.
    private struct Family {
        let limit, remaining: StaticString
        var reset: StaticString?
        /// The field for the time until the renewal, which is preferred to the point in time in `reset`.
        var resetAfter: StaticString?
        /// Another name of the field for the limit.
        var otherLimit: StaticString?
    }

    private static let families = [
        Family(limit: "ratelimit-limit", remaining: "ratelimit-remaining", reset: "ratelimit-reset"),
        Family(
            limit: "x-ratelimit-limit",
            remaining: "x-ratelimit-remaining",
            reset: "x-ratelimit-reset",
            resetAfter: "x-ratelimit-reset-after"
        ),
        Family(
            limit: "x-rate-limit-limit",
            remaining: "x-rate-limit-remaining",
            reset: "x-rate-limit-reset",
            otherLimit: "x-rate-limit"
        ),
        Family(
            limit: "x-ratelimit-limit-requests",
            remaining: "x-ratelimit-remaining-requests",
            reset: "x-ratelimit-reset-requests"
        ),
        Family(
            limit: "x-ratelimit-limit-tokens",
            remaining: "x-ratelimit-remaining-tokens",
            reset: "x-ratelimit-reset-tokens"
        ),
        Family(
            limit: "x-ratelimit-requests-limit",
            remaining: "x-ratelimit-requests-remaining",
            reset: "x-ratelimit-requests-reset"
        ),
        Family(
            limit: "anthropic-ratelimit-requests-limit",
            remaining: "anthropic-ratelimit-requests-remaining",
            reset: "anthropic-ratelimit-requests-reset"
        ),
        Family(
            limit: "anthropic-ratelimit-tokens-limit",
            remaining: "anthropic-ratelimit-tokens-remaining",
            reset: "anthropic-ratelimit-tokens-reset"
        ),
        Family(
            limit: "anthropic-ratelimit-input-tokens-limit",
            remaining: "anthropic-ratelimit-input-tokens-remaining",
            reset: "anthropic-ratelimit-input-tokens-reset"
        ),
        Family(
            limit: "anthropic-ratelimit-output-tokens-limit",
            remaining: "anthropic-ratelimit-output-tokens-remaining",
            reset: "anthropic-ratelimit-output-tokens-reset"
        ),
        // Renewed at midnight, where the account is.
        Family(limit: "x-hubspot-ratelimit-daily", remaining: "x-hubspot-ratelimit-daily-remaining"),
    ]

    private func quota(_ family: Family) -> RateLimit? {
        // In the first drafts, a list of policies may follow: `100, 100;w=60`.
        let limit = (value(family.limit) ?? family.otherLimit.flatMap(value))?.parts(at: ",")[0].parts(at: ";")[0]
        return RateLimit(
            limit: limit.flatMap { Self.count($0) },
            remaining: count(family.remaining),
            reset: family.resetAfter.flatMap(time) ?? family.reset.flatMap(time)
        )
    }

    /// The number in a field; the least, if it has come several times.
    private func count(_ field: StaticString) -> Int? {
        value(field).flatMap { $0.repeatedValues { Self.count($0) }.min() }
    }

    /// The time in a field; the longest, if it has come several times.
    private func time(_ field: StaticString) -> Duration? {
        value(field).flatMap { $0.repeatedValues { RateLimitTime.time($0, since: sent, now: now) }.max() }
    }

    private var sent: Date {
        value("date").flatMap { $0.repeatedValues { HTTPDate.liberalDate($0, now: now) }.first } ?? now
    }

    /// The used part, and the quota: `32/40`.
    private var shopify: RateLimit? {
        let parts = value("x-shopify-shop-api-call-limit")?.parts(at: "/") ?? []
        guard parts.count == 2, let used = Self.count(parts[0]), let limit = Self.count(parts[1]) else { return nil }
        return RateLimit(limit: limit, remaining: max(0, limit - used), reset: nil)
    }

    /// The requests in a window that moves, so that after its length, or before, some are allowed again.
    private var hubSpot: RateLimit? {
        RateLimit(
            limit: count("x-hubspot-ratelimit-max"),
            remaining: count("x-hubspot-ratelimit-remaining"),
            reset: count("x-hubspot-ratelimit-interval-milliseconds").map { .milliseconds($0) }
        )
    }

    private static func count(_ text: some StringProtocol) -> Int? {
        // Fractions are allowed, since some services write `598.0`.
        RateLimitTime.number(text).flatMap { $0 < 1e15 ? Int(exactly: $0.rounded(.down)) : nil }
    }
}

// MARK: Structured fields

extension RateLimitFields {
    /// `"default";r=50;t=30` with the policy `"default";q=100;w=60`; or, in earlier drafts, one quota as
    /// `limit=100, remaining=50, reset=30`.
    private var structured: [RateLimit] {
        guard let field = value("ratelimit") else { return [] }
        let items = field.parts(at: ",").map { Item($0) }
        let policies = value("ratelimit-policy")?.parts(at: ",").map { Item($0) } ?? []
        if items.contains(where: { $0.name.contains("=") && !$0.name.contains("\"") }) {
            let members = Item("; \(items.map(\.name).joined(separator: ";"))")
            return [quota(limit: members["limit"], remaining: members["remaining"], reset: members["reset"])]
                .compactMap(\.self)
        }
        return items.compactMap { item in
            let policy = policies.first { $0.name == item.name }
            return quota(limit: policy?["q"], remaining: item["r"], reset: item["t"])
        }
    }

    private func quota(limit: String?, remaining: String?, reset: String?) -> RateLimit? {
        RateLimit(
            limit: limit.flatMap { Self.count($0) },
            remaining: remaining.flatMap { Self.count($0) },
            reset: reset.flatMap { RateLimitTime.time($0, since: sent, now: now) }
        )
    }

    /// A member of a list (RFC 9651, section 3.1) with its parameters.
    private struct Item {
        let name: String
        private let parameters: [String: String]

        init(_ text: String) {
            let parts = text.parts(at: ";")
            name = parts.first ?? ""
            let pairs = parts.dropFirst().map {
                $0.parts(at: "=")
            }
            // If a parameter occurs twice, the last counts (RFC 9651, section 3.1.2).
            parameters = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
        }

        subscript(name: String) -> String? { parameters[name] }
    }
}
