/// The rules of caches for a status code (RFC 9111, section 3).
enum CachedStatus {
    /// Whether a reply may be stored and used although it does not say for how long (RFC 9110, section 15.1). 206 is left
    /// out: parts are not stored here.
    static func isHeuristicallyCacheable(_ statusCode: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(statusCode)
    }

    /// Whether the status is a final one, and not one that must not be stored: parts, answers to conditions, and those of
    /// RFC 6585, which say so.
    static func isStorable(_ statusCode: Int) -> Bool {
        (200...599).contains(statusCode) && ![206, 304, 428, 429, 431, 511].contains(statusCode)
    }

    /// Whether this cache knows the status, and does what it asks of caches.
    static func isUnderstood(_ statusCode: Int) -> Bool {
        guard isStorable(statusCode) else { return false }
        return switch statusCode {
        case 200...205, 207, 208, 300...303, 307, 308, 400...417, 421...426, 451, 500...508, 510: true
        default: false
        }
    }

    /// Whether a stale reply may stand in for one with this status (RFC 5861, section 4).
    static func isError(_ statusCode: Int) -> Bool {
        [500, 502, 503, 504].contains(statusCode)
    }
}
