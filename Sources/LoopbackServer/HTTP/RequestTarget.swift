import Basics
import Foundation

/// The target of a request (RFC 9112, section 3.2).
struct RequestTarget: Equatable {
    private(set) var path = "*"
    /// The decoded segments of the path. An empty one at the end is left out.
    private(set) var segments: [String] = []
    /// The decoded query in order. A name without `=` has an empty value.
    private(set) var query: [QueryItem] = []
    /// The authority of an absolute target, which takes precedence over the `Host` field.
    private(set) var authority: String?

    init(_ target: String, method: String) throws(HTTPError) {
        guard !target.isEmpty, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw HTTPError(400, "The request target has a character that must be percent-encoded.")
        }
        guard !target.utf8.contains(UInt8(ascii: "#")) else {
            throw HTTPError(400, "The request target has a fragment.")
        }
        guard target != "*" else {
            guard method == "OPTIONS" else { throw HTTPError(400, "\"*\" is only allowed for OPTIONS.") }
            return
        }
        var rest = target[...]
        if let after = Self.afterScheme(target) {
            let authority = String(after.prefix { $0 != "/" && $0 != "?" })
            guard !authority.isEmpty, Self.isAuthority(authority) else {
                throw HTTPError(400, "The request target has no valid host.")
            }
            self.authority = authority
            rest = after.dropFirst(authority.count)
            if !rest.hasPrefix("/") { rest = "/" + rest }
        }
        guard rest.hasPrefix("/") else { throw HTTPError(400, "The request target is not a path.") }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.decoded(segment, plusIsSpace: false))
        }
        if segments.last?.isEmpty == true { segments.removeLast() }
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(halves[0], plusIsSpace: true)
            let value = halves.count > 1 ? try Self.decoded(halves[1], plusIsSpace: true) : ""
            query.append(QueryItem(name: name, value: value))
        }
    }

    /// Whether the characters are those of a host with an optional port. Nothing is looked up by it, so this is enough.
    static func isAuthority(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isToken || "[]:()=;,".utf8.contains($0) }
    }

    private static func afterScheme(_ target: String) -> Substring? {
        for scheme in ["http://", "https://"]
        where target.utf8.count > scheme.utf8.count && target.prefix(scheme.count).equalsIgnoringCase(scheme) {
            return target.dropFirst(scheme.count)
        }
        return nil
    }

    private static func decoded(_ text: Substring, plusIsSpace: Bool) throws(HTTPError) -> String {
        let text = plusIsSpace ? text.replacing("+", with: " ") : text
        guard let decoded = text.removingPercentEncoding, !decoded.utf8.contains(0) else {
            throw HTTPError(400, "The request target does not decode to text.")
        }
        return decoded
    }
}
