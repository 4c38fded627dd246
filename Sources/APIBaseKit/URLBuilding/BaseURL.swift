/// An absolute URL that a request may go to, checked part by part.
struct BaseURL {
    /// The whole URL.
    let text: String
    /// The URL without its query.
    let location: Substring
    /// The query with its `?`, or nothing.
    let query: Substring
    /// Scheme, host and port, which decide who gets to see credentials.
    let origin: Origin

    /// The URL without its query, ending in exactly one slash.
    var locationWithSlash: String {
        var location = location.utf8
        while location.last == UInt8(ascii: "/") { location.removeLast() }
        return Substring(location) + "/"
    }

    /// - Throws: ``InvalidURL`` that names `part`.
    init(text: String, part: InvalidURL.Part) throws(InvalidURL) {
        // Checked text without brackets is what `URL` would make of it.
        if !text.utf8.contains(where: \.isBracket), let checked = try? CheckedURL(text: text) {
            self.text = text
            location = checked.location
            query = checked.query
            origin = checked.origin
            return
        }
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
        location = absolute[..<mark]
        query = absolute[mark...]
        origin = url.origin
        try PathText(url.path(percentEncoded: true)).check(as: part)
    }
}

extension UInt8 {
    fileprivate var isBracket: Bool { self == UInt8(ascii: "[") || self == UInt8(ascii: "]") }
}
