public import Foundation

extension URL {
    /// The URL without what may be secret, for logs: no user name, password or fragment, and `redacted` for every value in
    /// the query. Nil if what is left is no URL.
    public var redacted: URL? {
        var reference = URLReference(absoluteString)
        reference.fragment = nil
        if let authority = reference.authority, let at = authority.lastIndex(of: "@") {
            reference.authority = authority[at...].dropFirst()
        }
        reference.query = reference.query.map { query in
            let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                item.firstIndex(of: "=").map { item[...$0] + "redacted" } ?? (item.isEmpty ? "" : "redacted")
            }
            return Substring(items.joined(separator: "&"))
        }
        return URL(string: reference.text)
    }
}
