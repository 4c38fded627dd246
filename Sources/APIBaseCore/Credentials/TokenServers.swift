import HTTPTransport

/// The servers that share a token.
package enum TokenServers: Hashable, Sendable {
    /// One server; `nil` for a request without a URL, which is refused later.
    case one(Origin?)
    /// Those that the source names.
    case named([OriginPattern])

    /// The servers in a store. Of several, one stands for all.
    package var text: String? {
        switch self {
        case .one(let origin): origin?.text
        case .named(let servers): servers.first?.text
        }
    }

    /// Whether a token belongs to them that is stored for these.
    package func include(_ stored: String) -> Bool {
        switch self {
        case .one(let origin): stored == origin?.text
        case .named(let servers): servers.contains { $0.includes(stored) }
        }
    }

    /// Reads the names of a source.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` with the first name that is not the origin of a server.
    static func named(_ names: [String]) throws(RequestError) -> TokenServers {
        var servers: [OriginPattern] = []
        for (index, name) in names.enumerated() {
            guard let server = OriginPattern(name) else {
                throw .invalidRequest(.init(.server(index + 1), .notAServer))
            }
            servers.append(server)
        }
        return .named(servers)
    }

    /// Whether calls to a server get the token.
    func include(_ origin: Origin?) -> Bool {
        switch self {
        case .one(let own): own == origin
        case .named(let servers): origin.map { origin in servers.contains { $0.matches(origin) } } ?? false
        }
    }
}
