import Basics

/// An absolute URL to which a request may be sent.
struct BaseURL {
    /// The whole URL.
    let text: String
    /// Scheme, host and port. Credentials are bound to them.
    let origin: Origin

    /// The byte offset of the query in the text, or its length if there is no query.
    private let queryStart: Int

    /// The URL without its query and without slashes at the end.
    var location: Substring {
        let beforeQuery = text.utf8.prefix(queryStart)
        let end = beforeQuery.lastIndex { $0 != UInt8(ascii: "/") }.map { text.utf8.index(after: $0) }
        return text[..<(end ?? text.startIndex)]
    }

    /// The query with its `?`, or an empty text.
    var query: String {
        queryStart < text.utf8.count ? text.withBytes { String(decoding: $0[queryStart...], as: UTF8.self) } : ""
    }

    /// - Throws: ``RequestError/InvalidURL`` that names `part`.
    init(text: String, part: RequestError.InvalidURL.Part) throws(RequestError.InvalidURL) {
        let text = text.withHTTPScheme
        // `URL` does not change a checked text without brackets.
        if !text.utf8.contains(where: \.isBracket), let checked = try? CheckedURL(text: text) {
            (self.text, queryStart, origin) = (text, checked.queryStart, checked.origin)
            return
        }
        guard !text.utf8.contains(where: \.isControl) else { throw RequestError.InvalidURL(part, .controlCharacter) }
        guard !text.contains("\\") else { throw RequestError.InvalidURL(part, .backslash) }
        guard let url = URL(string: text) else { throw RequestError.InvalidURL(part, .malformed) }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw RequestError.InvalidURL(part, .scheme(url.scheme)) }
        guard let host = url.host, !host.isEmpty else { throw RequestError.InvalidURL(part, .noHost) }
        guard url.user == nil, url.password == nil else { throw RequestError.InvalidURL(part, .userInfo) }
        guard url.fragment == nil else { throw RequestError.InvalidURL(part, .fragment) }
        let absolute = url.absoluteString
        self.text = absolute
        queryStart = absolute.utf8.prefix { $0 != UInt8(ascii: "?") }.count
        origin = url.origin
        try url.path(percentEncoded: true).checkPath(as: part)
    }
}

extension UInt8 {
    fileprivate var isBracket: Bool { self == UInt8(ascii: "[") || self == UInt8(ascii: "]") }
}
