import Basics
package import Foundation

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

    var isSecure: Bool { scheme?.lowercasedASCII() == "https" }
}
