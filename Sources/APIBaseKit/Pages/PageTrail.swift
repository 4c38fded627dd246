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
    /// - Returns: How the list ends instead; `nil` if the page may be fetched. One at another origin is a failure, since the list
    ///   would seem complete without it.
    mutating func goOn(to url: URL?) -> Subscribers.Completion<any Error>? {
        guard isOpen else { return .finished }
        left -= 1
        guard let url else { return nil }
        origin = origin ?? url.origin
        guard url.origin == origin else { return .failure(RequestError.foreignPage(url.redacted)) }
        return seen.insert(url).inserted ? nil : .finished
    }

    /// Notes where a page has come from: it may have been asked for under another URL, as behind a redirect.
    mutating func passed(_ url: URL?) {
        if let url { seen.insert(url) }
    }
}
