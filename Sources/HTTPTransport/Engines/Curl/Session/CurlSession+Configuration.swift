#if os(Linux) || os(Android)
public import Foundation

extension CurlSession {
    /// The settings of a session. Certificates are always verified; nothing here turns that off.
    ///
    /// A setting that cannot be used, as a file that is not there, fails each exchange with
    /// ``TransportError/Reason/invalidConfiguration(setting:)``, before anything is sent; what a file holds is looked at
    /// when it is needed. A number below 1 counts as 1.
    public struct Configuration: Sendable, Hashable {
        /// The version of HTTP that is asked for.
        public enum HTTPVersion: Sendable, Hashable {
            /// HTTP/1.1 only.
            case http1
            /// HTTP/2 where a TLS server offers it (ALPN, RFC 7301), otherwise HTTP/1.1.
            case automatic
            /// HTTP/2 also without TLS, by prior knowledge (RFC 9113, section 3.3).
            case http2
        }

        /// The least version of TLS that is accepted.
        public enum TLSVersion: Sendable, Hashable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// A proxy between this process and the server.
        public enum Proxy: Sendable, Hashable {
            /// Nothing, whatever the environment says.
            case none
            /// The proxy that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name when an exchange starts.
            case environment
            /// This proxy, as `http://user:password@host:port`; `https` and `socks5h` also, where libcurl can.
            /// Hosts in `except` are reached directly: names, which stand for their subdomains too, or addresses.
            case url(String, except: [String] = [])
        }

        /// The certificate that the client shows to servers that ask for one.
        ///
        /// The files are read for each request over TLS. With other bytes in them a new connection is made, so a certificate can be
        /// replaced while the session works: put one file that has both certificate and key in the place of the old one
        /// (`rename`), which is read once and whole. Two files are read one after the other.
        public struct Identity: Sendable, Hashable {
            /// The certificate with those that vouch for it, in PEM.
            public var certificate: URL
            /// The private key in PEM; nil if it is in the certificate's file.
            public var key: URL?
            /// The key's password.
            public var password: String?

            /// Names the files.
            public init(certificate: URL, key: URL? = nil, password: String? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
            }
        }

        /// The version of HTTP. ``HTTPVersion/automatic``.
        public var httpVersion = HTTPVersion.automatic

        /// Connections with one origin, whichever event loop has opened them; other exchanges wait for their turn, without
        /// their clocks running. 8.
        ///
        /// Over HTTP/2 one connection carries up to a hundred exchanges at a time; an event loop opens one of its own only
        /// while the others are busy.
        public var connectionsPerHost = 8

        /// Connections with all origins together that are in use at a time. 256.
        public var connections = 256

        /// Event loops, each with a thread that moves bytes and calls subscribers. As many as there are processors, at
        /// most 8. More than 256 count as 256.
        ///
        /// A loop starts its thread with its first exchange. An exchange goes to the loop that has an idle connection with
        /// its origin, and to another only while that one is busy: a program that asks one thing after another uses one
        /// loop and one connection.
        public var threads = min(ProcessInfo.processInfo.activeProcessorCount, 8)

        /// The time that a connection may be idle and still be used again. 60 s.
        public var idleConnectionLifetime = Duration.seconds(60)

        /// The authorities that are trusted, in PEM, instead of the system's; nil for the system's.
        public var certificateAuthorities: URL?

        /// The client's certificate, for servers that ask for one.
        public var identity: Identity?

        /// SHA-256 digests of public keys (of their DER form, SubjectPublicKeyInfo), in Base64. If there are any, the
        /// server's key must be one of them, beside being certified.
        public var pinnedKeys: [String] = []

        /// The least version of TLS. 1.2.
        public var minimumTLSVersion = TLSVersion.tls12

        /// The proxy. None, whatever the environment says.
        public var proxy = Proxy.none

        /// The path of a Unix domain socket that all exchanges go through, whatever host they name.
        public var unixSocket: String?

        /// Addresses to connect to in place of what names resolve to: `"example.com:443": ["127.0.0.1"]`.
        public var addresses: [String: [String]] = [:]

        /// The numeric address, or the name of the network interface, to connect from.
        public var localAddress: String?

        /// The defaults; every setting can be changed afterwards.
        public init() {}
    }
}
#endif
