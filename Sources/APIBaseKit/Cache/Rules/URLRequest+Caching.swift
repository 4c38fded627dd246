extension URLRequest {
    /// The method; `GET` if none is set.
    var method: HTTPMethod { HTTPMethod(rawValue: httpMethod ?? "GET") }

    /// Whether a stored reply may answer the request (RFC 9111, section 4). One with conditions of its own, or for a part,
    /// is the server's.
    func asksCaches(_ control: CacheControl) -> Bool {
        guard method == .get || method == .head, !control.noStore else { return false }
        switch cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return false
        default: return !Self.conditions.contains { value(forHTTPHeaderField: $0) != nil }
        }
    }

    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]
}
