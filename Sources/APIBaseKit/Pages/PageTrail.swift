import HTTPTransport

/// The pages that have been fetched, and whether a list may go on.
struct PageTrail {
    private var left: Int
    private var origin: Origin?
    private var seen: Set<URL> = []

    init(atMost: Int) { left = atMost }

    /// Whether there may be another page.
    var isOpen: Bool { left > 0 }

    /// Counts a page that is about to be fetched.
    ///
    /// - Parameter url: Its URL; `nil` if it has none, so that its call will fail.
    /// - Returns: Whether it may be fetched.
    mutating func goOn(to url: URL?) -> Bool {
        guard isOpen else { return false }
        left -= 1
        guard let url else { return true }
        origin = origin ?? url.origin
        return url.origin == origin && seen.insert(url).inserted
    }

    /// Notes where a page has come from: it may have been asked for under another URL, as behind a redirect.
    mutating func passed(_ url: URL?) {
        if let url { seen.insert(url) }
    }
}
