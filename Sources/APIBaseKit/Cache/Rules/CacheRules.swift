/// The rules for a private cache (RFC 9111), as functions of what they depend on.
enum CacheRules {
    /// Whether a reply may be stored (section 3); without a request, whether one that is stored may stay.
    static func mayStore(request: URLRequest?, statusCode: Int, headers: HTTPHeaders) -> Bool {
        let control = CacheControl(headers)
        guard request?.allowsStoring ?? true, CachedStatus.isStorable(statusCode), !headers.varyNames.contains("*")
        else { return false }
        let isUnderstood = CachedStatus.isUnderstood(statusCode)
        if control.mustUnderstand {
            // Who understands the status may pass over the `no-store`, which is for those who do not (section 5.2.2.3).
            guard isUnderstood else { return false }
        } else if control.noStore {
            return false
        }
        if control.maxAge != nil || headers.contains(name: "Expires") { return true }
        return isUnderstood
            && (control.isPublic || control.isPrivate || CachedStatus.isHeuristicallyCacheable(statusCode))
    }

    /// The URLs of which nothing may be used any more without asking, after a request with this method (section 4.4): the
    /// URL itself, and those of the same origin that `Location` and `Content-Location` name. Without fragments.
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
}
