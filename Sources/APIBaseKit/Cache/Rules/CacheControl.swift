import Basics

/// The directives of `Cache-Control`, of a request or of a reply (RFC 9111, section 5.2). Unknown ones are ignored.
///
/// Of seconds that are said twice the first count. If they differ, or are no number, the strictest value is taken: nothing
/// is fresh (section 4.2.1).
struct CacheControl: Sendable, Equatable {
    var noStore = false
    /// Also for `no-cache="Field"`, which asks for less: validating is always right.
    var noCache = false
    var mustRevalidate = false
    var mustUnderstand = false
    var isPublic = false
    /// Also for `private="Field"`. A private cache may store either.
    var isPrivate = false
    /// The reply does not change while it is fresh (RFC 8246).
    var immutable = false
    var onlyIfCached = false
    var maxAge: TimeInterval?
    /// Infinite without an argument: a reply of any age will do.
    var maxStale: TimeInterval?
    var minFresh: TimeInterval?
    /// RFC 5861, section 3.
    var staleWhileRevalidate: TimeInterval?
    /// RFC 5861, section 4.
    var staleIfError: TimeInterval?

    /// Reads the directives of all `Cache-Control` fields of a reply.
    init(_ headers: HTTPHeaders) {
        self.init(headers.values(for: "Cache-Control"))
    }

    /// Reads the directives of a request. `Pragma: no-cache` counts only without `Cache-Control` (section 5.4).
    init(_ request: URLRequest) {
        guard let field = request.value(forHTTPHeaderField: "Cache-Control") else {
            self.init([])
            let pragma = CacheDirective.list(request.value(forHTTPHeaderField: "Pragma") ?? "")
            noCache = pragma.contains { $0.name == "no-cache" }
            return
        }
        self.init([field])
    }

    private init(_ fields: [String]) {
        for directive in fields.flatMap(CacheDirective.list) { take(directive) }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = Self.joined(maxAge, directive.seconds)
        case "max-stale":
            let isBare = directive.argument == nil && !directive.isMalformed
            maxStale = Self.joined(maxStale, isBare ? .infinity : directive.seconds)
        case "min-fresh": minFresh = Self.joined(minFresh, directive.seconds, strictest: DeltaSeconds.largest)
        case "stale-while-revalidate": staleWhileRevalidate = Self.joined(staleWhileRevalidate, directive.seconds)
        case "stale-if-error": staleIfError = Self.joined(staleIfError, directive.seconds)
        default: break
        }
    }

    private static func joined(_ old: TimeInterval?, _ new: TimeInterval?, strictest: TimeInterval = 0) -> TimeInterval
    {
        guard let new, old == nil || old == new else { return strictest }
        return new
    }
}
