import Basics

/// Builds the URL of a request from its parts (RFC 3986, section 3), as one text that is parsed once.
///
/// There is always a slash after the base URL, so a path cannot change the host.
package struct URLBuilder {
    package let base: URL?
    package let path: String
    package let queryItems: [URLQueryItem]

    package init(base: URL?, path: String, queryItems: [URLQueryItem]) {
        (self.base, self.path, self.queryItems) = (base, path, queryItems)
    }

    /// - Throws: ``RequestError/InvalidURL`` for a URL that must not be sent.
    package func url() throws(RequestError.InvalidURL) -> URL {
        if let reason = PathSegment.problem(in: path) { throw RequestError.InvalidURL(.segment, reason) }
        var text = try location()
        appendQuery(to: &text)
        guard let url = URL(string: text) else { throw RequestError.InvalidURL(.url, .malformed) }
        return url
    }

    /// The URL without the query items.
    private func location() throws(RequestError.InvalidURL) -> String {
        if Self.isAbsolute(path) {
            let url = try BaseURL(text: path, part: .path)
            guard let base else { return url.text }
            guard try BaseURL(text: base.absoluteString, part: .baseURL).origin == url.origin else {
                throw RequestError.InvalidURL(.path, .foreignOrigin)
            }
            return url.text
        }
        guard let base else { throw RequestError.InvalidURL(.baseURL, .missing) }
        guard !path.utf8.starts(with: "//".utf8) else { throw RequestError.InvalidURL(.path, .foreignOrigin) }
        let root = try BaseURL(text: base.absoluteString, part: .baseURL)
        guard !path.isEmpty else { return root.text }
        // By bytes: a slash with a combining mark after it is another character.
        let separator = path.utf8.first == UInt8(ascii: "/") ? "" : "/"
        let (start, path, query) = (root.location, try path.escapedAsPath(), root.query)
        var text = ""
        text.reserveCapacity(start.utf8.count + separator.utf8.count + path.utf8.count + query.utf8.count)
        for part in [start, separator[...], path[...], query[...]] { text += part }
        return text
    }

    /// Appends the query items after the separator that is needed.
    private func appendQuery(to text: inout String) {
        guard !queryItems.isEmpty else { return }
        if !text.utf8.contains(UInt8(ascii: "?")) {
            text += "?"
        } else if text.utf8.last != UInt8(ascii: "?"), text.utf8.last != UInt8(ascii: "&") {
            text += "&"
        }
        for (index, item) in queryItems.enumerated() {
            if index > 0 { text += "&" }
            text += item.name.escapedUnlessUnreserved
            guard let value = item.value else { continue }
            text += "="
            text += value.escapedUnlessUnreserved
        }
    }

    /// True if a text begins with a scheme and `://`.
    static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        return !scheme.isEmpty && scheme.allSatisfy(\.isSchemeCharacter)
            && text.utf8[colon...].starts(with: "://".utf8)
    }
}
