public import Foundation

/// The facts about the connection of one hop, a single request on the wire.
///
/// `CurlSession` on Linux reports all of it, also for a connection that was kept from an earlier request. `URLSession`
/// on Apple systems reports all but ``certificateExpiry``; on Linux it reports nothing.
public struct ConnectionInfo: Sendable, Hashable {
    /// The version of HTTP in which the response came: `1.0`, `1.1`, `2` or `3`; `nil` without a response.
    public let httpVersion: String?
    /// The version of TLS: `1.0` to `1.3`; `nil` without TLS, and if libcurl does not use OpenSSL.
    public let tlsVersion: String?
    /// The numeric address that the connection leads to, without the port: the server's, or that of a proxy. `nil` for
    /// a Unix domain socket.
    public let address: String?
    /// The port that the connection leads to, of the same host as ``address``; `nil` without an address.
    public let port: Int?
    /// The time at which the server's own certificate ends (`notAfter`; RFC 5280, section 4.1.2.5), to be warned before
    /// it does. `nil` without TLS, on Apple systems, and if libcurl does not use OpenSSL.
    public let certificateExpiry: Date?

    package init(httpVersion: String?, tlsVersion: String?, address: String?, port: Int?, certificateExpiry: Date?) {
        self.httpVersion = httpVersion
        self.tlsVersion = tlsVersion
        (self.address, self.port) = (address, port)
        self.certificateExpiry = certificateExpiry
    }

    /// The version of HTTP with this name in ALPN (RFC 7301, section 6).
    static func httpVersion(named name: String) -> String? {
        switch name.lowercased() {
        case "h2", "h2c": "2"
        case "h3": "3"
        case let name where name.hasPrefix("http/"): String(name.dropFirst("http/".count))
        default: nil
        }
    }

    /// The version of TLS with this number on the wire (RFC 8446, section 4.2.1).
    static func tlsVersion(numbered number: Int) -> String? {
        (0x0301...0x0304).contains(number) ? "1.\(number - 0x0301)" : nil
    }
}
