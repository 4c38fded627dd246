/// The parts of a request's URL, put together as one text that is parsed once.
///
/// What is allowed where is RFC 3986, section 3. Only texts are joined, and the slash after the base URL is always
/// there, so a path can never reach into the host.
struct URLText {
    let base: URL?
    let path: String
    let queryItems: [URLQueryItem]

    /// - Throws: ``InvalidURL`` for whatever must not be sent.
    func url() throws(InvalidURL) -> URL {
        if let reason = SegmentText.refusal(in: path) { throw InvalidURL(.segment, reason) }
        let text = try location() + query()
        guard let url = URL(string: text) else { throw InvalidURL(.url, .malformed) }
        return url
    }

    /// Everything before the query, and the query of the base URL.
    private func location() throws(InvalidURL) -> String {
        if Self.isAbsolute(path) {
            let url = try BaseURL(text: path, part: .path)
            guard let base else { return url.text }
            guard try BaseURL(text: base.absoluteString, part: .baseURL).origin == url.origin else {
                throw InvalidURL(.path, .foreignOrigin)
            }
            return url.text
        }
        guard let base else { throw InvalidURL(.baseURL, .missing) }
        guard !path.hasPrefix("//") else { throw InvalidURL(.path, .foreignOrigin) }
        let root = try BaseURL(text: base.absoluteString, part: .baseURL)
        guard !path.isEmpty else { return root.text }
        let relative = path.hasPrefix("/") ? path.dropFirst() : path[...]
        return try root.location + (root.location.hasSuffix("/") ? "" : "/")
            + PathText(String(relative)).escaped() + root.query
    }

    /// The query items behind the separator that fits what stands before them.
    private func query() -> String {
        guard !queryItems.isEmpty else { return "" }
        let existing = Self.isAbsolute(path) ? path : base?.absoluteString ?? ""
        let items = queryItems.map { item in
            let name = item.name.escapedUnlessUnreserved
            return item.value.map { "\(name)=\($0.escapedUnlessUnreserved)" } ?? name
        }
        let separator = existing.contains("?") ? (existing.hasSuffix("?") ? "" : "&") : "?"
        return separator + items.joined(separator: "&")
    }

    /// Whether a text begins with a scheme and `//`.
    static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        return !scheme.isEmpty && scheme.allSatisfy(\.isSchemeCharacter)
            && text.utf8[colon...].starts(with: "://".utf8)
    }
}
