extension CacheRules {
    /// The decision on a request, when these replies are stored for its URL (section 4).
    static func decision(for request: URLRequest, among stored: [StoredReply], at now: Date) -> CacheDecision {
        let control = CacheControl(request)
        let decision = decision(for: request, control, among: stored, at: now)
        let staysHere = control.onlyIfCached || request.cachePolicy == .returnCacheDataDontLoad
        return staysHere ? decision.withoutSending : decision
    }

    /// Whether a stale reply may be used because the request has failed, or was answered with an error (RFC 5861,
    /// section 4; ``CachedStatus/isError(_:)``).
    static func mayUseOnError(_ reply: StoredReply, for request: URLRequest, at now: Date) -> Bool {
        let (wanted, allowed) = (CacheControl(request), reply.facts.control)
        guard request.asksCaches(wanted), reply.selects(request), !wanted.noCache,
            request.cachePolicy != .reloadRevalidatingCacheData, reply.mayBeStale(allowed),
            let limit = [wanted.staleIfError, allowed.staleIfError].compactMap(\.self).max()
        else { return false }
        return -Freshness(of: reply, at: now).rest <= limit
    }

    private static func decision(
        for request: URLRequest,
        _ wanted: CacheControl,
        among stored: [StoredReply],
        at now: Date
    ) -> CacheDecision {
        guard request.asksCaches(wanted), let reply = newest(stored.filter { $0.selects(request) }) else {
            return .forward(request)
        }
        let allowed = reply.facts.control
        if wanted.noCache || reply.isInvalid { return reply.validation(for: request) }
        // Who sets such a policy knows what it means, and wants it of whatever the server says.
        if [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(request.cachePolicy) { return .use(reply) }
        if allowed.noCache || request.cachePolicy == .reloadRevalidatingCacheData {
            return reply.validation(for: request)
        }
        let freshness = Freshness(of: reply, at: now)
        if accepts(freshness, wanted, mayBeStale: reply.mayBeStale(allowed)) { return .use(reply) }
        // Who names an age does not want a stale reply (section 5.2.1.1), and who wants a rest of freshness neither.
        if let limit = allowed.staleWhileRevalidate, -freshness.rest <= limit, reply.mayBeStale(allowed),
            wanted.maxAge == nil, wanted.minFresh == nil
        {
            return .useAndRevalidate(reply, reply.conditional(request) ?? request)
        }
        return reply.validation(for: request)
    }

    /// Whether a request takes a reply of that age (section 5.2.1).
    private static func accepts(_ freshness: Freshness, _ wanted: CacheControl, mayBeStale: Bool) -> Bool {
        if let maxAge = wanted.maxAge, freshness.age > maxAge { return false }
        if let minFresh = wanted.minFresh, freshness.rest < minFresh { return false }
        if freshness.isFresh { return true }
        guard mayBeStale, let maxStale = wanted.maxStale else { return false }
        return -freshness.rest <= maxStale
    }

    /// The one with the latest `Date` (section 4), and of those the one received last.
    private static func newest(_ replies: [StoredReply]) -> StoredReply? {
        replies.max { ($0.facts.date, $0.receivedAt) < ($1.facts.date, $1.receivedAt) }
    }
}

extension StoredReply {
    /// Whether it may be used when it is stale and cannot be validated (section 4.2.4).
    fileprivate func mayBeStale(_ control: CacheControl) -> Bool {
        !isInvalid && !control.noCache && !control.mustRevalidate
    }
}
