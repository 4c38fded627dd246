import Basics
package import Foundation

/// A server: scheme, host and effective port (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    var isSecure: Bool { scheme == "https" }

    /// The origin as a URL that always names its port.
    package var text: String { "\(scheme)://\(host):\(port)" }
}

extension URL {
    /// The URL's origin, with the scheme's port if it names none.
    package var origin: Origin {
        if let checked = try? CheckedURL(self) { return checked.origin }
        let scheme = (scheme ?? "").lowercasedASCII()
        return Origin(
            scheme: scheme,
            host: (host ?? "").lowercasedASCII(),
            port: port ?? (scheme == "https" ? 443 : 80)
        )
    }

    package var isSecure: Bool { scheme?.lowercasedASCII() == "https" }

    /// Whether the host is this machine: `localhost`, a name that ends in it, `127.0.0.0/8`, `0.0.0.0` or `::1`.
    package var isOnThisMachine: Bool {
        guard let host else { return false }
        let withoutZone = host.prefix { $0 != "%" }
        let name = withoutZone.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name == "0.0.0.0"
            || name.isLoopbackAddress
    }
}

extension String {
    fileprivate var isLoopbackAddress: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
