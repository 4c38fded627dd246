import Basics

/// The rules for a private cache (RFC 9111), as functions without state.
enum CacheRules {
    /// True if a response may be stored (section 3). Without a request: if a stored one may stay.
    static func mayStore(request: URLRequest?, statusCode: Int, headers: HTTPHeaders) -> Bool {
        let control = CacheControl(headers)
        guard request?.allowsStoring ?? true, StatusCacheability.isStorable(statusCode),
            !headers.varyNames.contains("*")
        else { return false }
        let isUnderstood = StatusCacheability.isUnderstood(statusCode)
        if control.mustUnderstand {
            // A cache that understands the status may ignore `no-store`, which is there for the others (section
            // 5.2.2.3).
            guard isUnderstood else { return false }
        } else if control.noStore {
            return false
        }
        if control.maxAge != nil || headers.contains(name: "Expires") { return true }
        return isUnderstood
            && (control.isPublic || control.isPrivate || StatusCacheability.isHeuristicallyCacheable(statusCode))
    }

    /// True if a response names no lifetime, also none for shared caches.
    static func namesNoLifetime(_ headers: HTTPHeaders) -> Bool {
        let control = CacheControl(headers)
        return control.maxAge == nil && !control.hasSharedMaxAge && !headers.contains(name: "Expires")
    }

    /// False for a `GET` or `QUERY` with `no-store`, which takes nothing from the cache and leaves nothing there.
    static func concern(_ request: URLRequest) -> Bool {
        guard request.method.isStored, request.cachePolicy != .returnCacheDataDontLoad else { return true }
        let control = CacheControl(request)
        return !control.noStore || control.onlyIfCached
    }

    /// The URLs that a request with this method invalidates (section 4.4): its own, and those of the same origin in
    /// `Location` and `Content-Location`. Without fragments.
    static func invalidated(by method: HTTPMethod, statusCode: Int, headers: HTTPHeaders, url: URL) -> [URL] {
        guard !method.isSafe, (200...399).contains(statusCode) else { return [] }
        let base = URLReference(url.absoluteURL.absoluteString)
        let named = ["Location", "Content-Location"].flatMap { headers.values(for: $0) }
        return ([""] + named).reduce(into: []) { urls, text in
            var reference = URLReference(text).resolved(against: base)
            reference.fragment = nil
            guard let named = URL(string: reference.text), named.origin == url.origin, !urls.contains(named) else {
                return
            }
            urls.append(named)
        }
    }

    /// The decision on a request, given the stored responses for its URL (section 4).
    static func decision(for request: URLRequest, among stored: [StoredResponse], at now: Date) -> CacheDecision {
        let control = CacheControl(request)
        let decision = decision(for: request, control, among: stored, at: now)
        let isOffline = control.onlyIfCached || request.cachePolicy == .returnCacheDataDontLoad
        return isOffline ? decision.withoutSending : decision
    }

    /// True if a stale response may be used because the request has failed, or was answered with an error (RFC 5861,
    /// section 4; ``StatusCacheability/isError(_:)``).
    static func mayUseOnError(_ response: StoredResponse, for request: URLRequest, at now: Date) -> Bool {
        let (wanted, allowed) = (CacheControl(request), response.metadata.control)
        guard request.allowsCached(wanted), response.selects(request), !wanted.noCache,
            request.cachePolicy != .reloadRevalidatingCacheData, response.mayBeStale,
            let limit = [wanted.staleIfError, allowed.staleIfError].compactMap(\.self).max()
        else { return false }
        return -Freshness(of: response, at: now).remaining <= limit
    }

    private static func decision(
        for request: URLRequest,
        _ wanted: CacheControl,
        among stored: [StoredResponse],
        at now: Date
    ) -> CacheDecision {
        guard request.allowsCached(wanted), let response = newest(stored.filter { $0.selects(request) }) else {
            return .forward(request)
        }
        let allowed = response.metadata.control
        if wanted.noCache || response.isInvalid { return response.validation(for: request) }
        // These policies take precedence over the server's directives.
        if [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(request.cachePolicy) { return .use(response) }
        if allowed.noCache || request.cachePolicy == .reloadRevalidatingCacheData {
            return response.validation(for: request)
        }
        let freshness = Freshness(of: response, at: now)
        if accepts(freshness, wanted, mayBeStale: response.mayBeStale) { return .use(response) }
        // A request with `max-age` or `min-fresh` does not accept a stale response (section 5.2.1.1).
        if let limit = allowed.staleWhileRevalidate, -freshness.remaining <= limit, response.mayBeStale,
            wanted.maxAge == nil, wanted.minFresh == nil
        {
            return .useAndRevalidate(response, response.conditional(request) ?? request)
        }
        return response.validation(for: request)
    }

    /// True if a request accepts a response of this age (section 5.2.1).
    private static func accepts(_ freshness: Freshness, _ wanted: CacheControl, mayBeStale: Bool) -> Bool {
        if let maxAge = wanted.maxAge, freshness.age > maxAge { return false }
        if let minFresh = wanted.minFresh, freshness.remaining < minFresh { return false }
        if freshness.isFresh { return true }
        guard mayBeStale, let maxStale = wanted.maxStale else { return false }
        return -freshness.remaining <= maxStale
    }

    /// The response with the latest `Date` (section 4), and of several the one received last.
    private static func newest(_ responses: [StoredResponse]) -> StoredResponse? {
        responses.max { ($0.metadata.date, $0.head.receivedAt) < ($1.metadata.date, $1.head.receivedAt) }
    }
}

/// The decision of a cache about a request (RFC 9111, section 4).
enum CacheDecision: Sendable, Equatable {
    /// Send the request: no stored response fits.
    case forward(URLRequest)
    /// Answer with this response.
    case use(StoredResponse)
    /// Answer with this response, and send the request to have a newer one the next time (RFC 5861, section 3).
    case useAndRevalidate(StoredResponse, URLRequest)
    /// Send this request, which asks whether the response is still valid (section 4.3).
    case validate(StoredResponse, URLRequest)
    /// Answer with a 504: no stored response fits, and the request must not be sent (section 5.2.1.7).
    case unsatisfiable

    /// The decision for a request that must not be sent.
    var withoutSending: CacheDecision {
        switch self {
        case .use, .unsatisfiable: self
        case .useAndRevalidate(let response, _): .use(response)
        case .forward, .validate: .unsatisfiable
        }
    }
}

/// The meaning of status codes for a cache (RFC 9111, section 3).
enum StatusCacheability {
    /// True if a response may be stored without an explicit lifetime (RFC 9110, section 15.1). Without 206: partial
    /// responses are not stored.
    static func isHeuristicallyCacheable(_ statusCode: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(statusCode)
    }

    /// True if a response may be stored: final ones, except partial responses, responses to conditional requests, and
    /// those that RFC 6585 excludes.
    static func isStorable(_ statusCode: Int) -> Bool {
        (200...599).contains(statusCode) && ![206, 304, 428, 429, 431, 511].contains(statusCode)
    }

    /// True if this cache knows the status, and meets its requirements.
    static func isUnderstood(_ statusCode: Int) -> Bool {
        guard isStorable(statusCode) else { return false }
        return switch statusCode {
        case 200...205, 207, 208, 300...303, 307, 308, 400...417, 421...426, 451, 500...508, 510: true
        default: false
        }
    }

    /// True if a stale response may replace one with this status (RFC 5861, section 4).
    static func isError(_ statusCode: Int) -> Bool {
        [500, 502, 503, 504].contains(statusCode)
    }
}

extension HTTPMethod {
    /// True for the methods whose responses are stored: `GET`, and `QUERY` (RFC 10008, section 2.7).
    var isStored: Bool { self == .get || self == .query }
}

extension URLRequest {
    /// True if a stored response may answer the request (RFC 9111, section 4). Conditional and range requests go to the
    /// server.
    fileprivate func allowsCached(_ control: CacheControl) -> Bool {
        guard method.isStored || method == .head, !control.noStore else { return false }
        switch cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return false
        default: return !(allHTTPHeaderFields ?? [:]).keys.contains { Self.conditions.contains($0.lowercasedASCII()) }
        }
    }

    /// True if the response may be stored (section 3): only for a whole representation, without `no-store`.
    fileprivate var allowsStoring: Bool {
        method.isStored && value(forHTTPHeaderField: "Range") == nil && !CacheControl(self).noStore
    }

    private static let conditions: Set = [
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
    ]
}
