import Basics

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
        var text = try location()
        appendQuery(to: &text)
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
        guard !path.utf8.starts(with: "//".utf8) else { throw InvalidURL(.path, .foreignOrigin) }
        let root = try BaseURL(text: base.absoluteString, part: .baseURL)
        guard !path.isEmpty else { return root.text }
        // By bytes: a slash with a combining mark behind it is one character, and no slash.
        let separator = path.utf8.first == UInt8(ascii: "/") ? "" : "/"
        return root.location + separator + (try PathText(path).escaped()) + root.query
    }

    /// Appends the query items behind the separator that fits what stands before them.
    private func appendQuery(to text: inout String) {
        guard !queryItems.isEmpty else { return }
        if !text.utf8.contains(UInt8(ascii: "?")) {
            text += "?"
        } else if text.utf8.last != UInt8(ascii: "?"), text.utf8.last != UInt8(ascii: "&") {
            text += "&"
        }
        var isFirst = true
        for item in queryItems {
            if !isFirst { text += "&" }
            isFirst = false
            text += item.name.escapedUnlessUnreserved
            guard let value = item.value else { continue }
            text += "="
            text += value.escapedUnlessUnreserved
        }
    }

    /// Whether a text begins with a scheme and `://`.
    static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        return !scheme.isEmpty && scheme.allSatisfy(\.isSchemeCharacter)
            && text.utf8[colon...].starts(with: "://".utf8)
    }
}
