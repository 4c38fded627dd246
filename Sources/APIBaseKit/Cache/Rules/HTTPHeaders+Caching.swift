import Basics

extension HTTPHeaders {
    /// The names that `Vary` lists, in lower case (RFC 9110, section 12.5.5). What is no name counts as `*`: nobody knows what
    /// the reply depends on.
    var varyNames: [String] {
        names(listedIn: "Vary").map { $0.isToken ? $0 : "*" }
    }

    /// The fields that are stored (RFC 9111, section 3.1): not those of one connection (RFC 9110, section 7.6.1), nor those
    /// between client and proxy.
    var withoutHopFields: HTTPHeaders {
        let left = Set(names(listedIn: "Connection")).union(Self.hopFields)
        var kept = HTTPHeaders()
        for field in self where !left.contains(field.name.lowercasedASCII()) {
            kept.add(name: field.name, value: field.value)
        }
        return kept
    }

    private func names(listedIn name: String) -> [String] {
        values(for: name).flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercasedASCII() }.filter { !$0.isEmpty }
    }

    private static let hopFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]
}
