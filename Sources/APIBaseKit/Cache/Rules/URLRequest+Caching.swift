import Basics

extension URLRequest {
    /// Whether a stored reply may answer the request (RFC 9111, section 4). One with conditions of its own, or for a part,
    /// is the server's.
    func asksCaches(_ control: CacheControl) -> Bool {
        guard method == .get || method == .head, !control.noStore else { return false }
        switch cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return false
        default: return !(allHTTPHeaderFields ?? [:]).keys.contains { Self.conditions.contains($0.lowercasedASCII()) }
        }
    }

    /// Whether its reply may be stored (section 3): that of a whole `GET` which does not forbid it.
    var allowsStoring: Bool {
        method == .get && value(forHTTPHeaderField: "Range") == nil && !CacheControl(self).noStore
    }

    private static let conditions: Set = [
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
    ]
}
