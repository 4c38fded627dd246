import Basics
import Foundation

/// The parts of a URL as they go over the wire (RFC 3986, section 3), with the escapes they have there.
struct WireURL {
    /// In lower case.
    let scheme: String
    /// Host, and port unless it is the default of the scheme: the value of `Host`, which has no zone of an IPv6 address
    /// (RFC 6874, section 3).
    let authority: String
    /// The authority with its zone.
    private let place: String
    /// Begins with a slash.
    let path: String
    /// Without the question mark; `nil` if there is none.
    var query: String?

    /// - Throws: ``SigningError/invalidURL`` if there is no scheme or no host.
    init(_ url: URL?) throws {
        let text = url?.absoluteString ?? ""
        guard let mark = text.range(of: "://") else { throw SigningError.invalidURL }
        scheme = String(text[..<mark.lowerBound]).lowercasedASCII()
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var authority = String(rest[..<end])
        if let at = authority.lastIndex(of: "@") { authority.removeSubrange(...at) }
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
        for suffix in [port, ":"] where authority.hasSuffix(suffix) { authority.removeLast(suffix.count) }
        guard !authority.isEmpty, !scheme.isEmpty else { throw SigningError.invalidURL }
        place = authority
        let bracket = authority.firstIndex(of: "]") ?? authority.startIndex
        if let zone = authority[..<bracket].firstIndex(of: "%") { authority.removeSubrange(zone..<bracket) }
        self.authority = authority
        let target = rest[end...]
        let question = target.firstIndex(of: "?") ?? target.endIndex
        path = question == target.startIndex ? "/" : String(target[..<question])
        query = question == target.endIndex ? nil : String(target[target.index(after: question)...])
    }

    /// Path and query.
    var target: String { path + (query.map { "?" + $0 } ?? "") }
    /// All of it, without a fragment.
    var text: String { scheme + "://" + place + target }
}
