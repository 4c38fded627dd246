import Basics
import Foundation

/// The origins that the name of a server stands for, such as `api.example`, `*.api.example` or `http://localhost:8080`.
package struct OriginPattern: Hashable, Sendable {
    /// Those of the host. A wildcard stands for the names with one more label before it.
    private let origins: [Origin]
    private let isWildcard: Bool

    /// Reads a name. Without a scheme it is `https`, and for this machine `http` as well; without a port it is that of
    /// the scheme. Returns `nil` for anything but a name with scheme and port, since more of a URL would be ignored.
    package init?(_ name: String) {
        let own = Self.schemes.filter { name.lowercasedASCII().hasPrefix($0) }
        var server = name.dropFirst(own.first?.count ?? 0)
        isWildcard = server.hasPrefix("*.")
        if isWildcard { server = server.dropFirst(2) }
        guard !server.contains("/"), !server.contains("?") else { return nil }
        let urls = (own.isEmpty ? Self.schemes : own).compactMap { try? CheckedURL(text: $0 + server) }
        let isHere = urls.first.flatMap { URL(string: $0.text) }?.isOnThisMachine == true
        origins = urls.map(\.origin).filter { $0.isSecure || !own.isEmpty || isHere }
        guard !origins.isEmpty, !isWildcard || origins.allSatisfy(\.mayHaveSubdomains) else { return nil }
    }

    private static let schemes = ["https://", "http://"]

    /// Whether the name stands for an origin.
    package func matches(_ origin: Origin) -> Bool {
        let label = isWildcard ? origin.host.prefix { $0 != "." } : ""
        guard label.isEmpty != isWildcard else { return false }
        let host = isWildcard ? origin.host.dropFirst(label.count + 1) : origin.host[...]
        return origins.contains { ($0.scheme, $0.port, $0.host[...]) == (origin.scheme, origin.port, host) }
    }

    /// The name with scheme and port, as ``Origin/text`` is.
    package var text: String { texts[0] }

    /// Whether the name stands for what has this text.
    package func includes(_ text: String) -> Bool {
        texts.contains(text) || ((try? CheckedURL(text: text)).map { matches($0.origin) } ?? false)
    }

    private var texts: [String] {
        origins.map { isWildcard ? "\($0.scheme)://*.\($0.host):\($0.port)" : $0.text }
    }
}

extension Origin {
    /// Whether the names below the host may belong to one owner: it is no address, and no top-level domain.
    fileprivate var mayHaveSubdomains: Bool {
        let labels = host.split(separator: ".")
        return labels.count > 1 && !host.contains(":") && labels.last?.allSatisfy(\.isNumber) == false
    }
}
