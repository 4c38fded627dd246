/// An absolute URL that a request may go to, checked part by part.
struct BaseURL {
    /// The whole URL.
    let text: String
    /// The URL without its query.
    let location: String
    /// The query with its `?`, or nothing.
    let query: String
    /// Scheme, host and port, which decide who gets to see credentials.
    let origin: Origin

    /// The URL without its query, ending in exactly one slash.
    var locationWithSlash: String {
        var location = location
        while location.hasSuffix("/") { location.removeLast() }
        return location + "/"
    }

    /// - Throws: ``InvalidURL`` that names `part`.
    init(text: String, part: InvalidURL.Part) throws(InvalidURL) {
        guard !text.utf8.contains(where: \.isControl) else { throw InvalidURL(part, .controlCharacter) }
        guard !text.contains("\\") else { throw InvalidURL(part, .backslash) }
        guard let url = URL(string: text) else { throw InvalidURL(part, .malformed) }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw InvalidURL(part, .scheme(url.scheme)) }
        guard let host = url.host, !host.isEmpty else { throw InvalidURL(part, .noHost) }
        guard url.user == nil, url.password == nil else { throw InvalidURL(part, .userInfo) }
        guard url.fragment == nil else { throw InvalidURL(part, .fragment) }
        let absolute = url.absoluteString
        let mark = absolute.firstIndex(of: "?") ?? absolute.endIndex
        self.text = absolute
        location = String(absolute[..<mark])
        query = String(absolute[mark...])
        origin = url.origin
        try PathText(url.path(percentEncoded: true)).check(as: part)
    }
}
