#if os(Linux) || os(Android)
public import Foundation

extension CurlSession {
    /// The settings of a session. Certificates are always verified; nothing here turns that off.
    ///
    /// A setting that cannot be used, such as a missing file, fails each request with
    /// ``TransportError/Reason/invalidConfiguration(setting:)``, before anything is sent. The content of a file is
    /// checked when it is needed. A number below 1 counts as 1.
    public struct Configuration: Sendable, Hashable {
        /// The version of HTTP.
        public enum HTTPVersion: Sendable, Hashable {
            /// HTTP/1.1 only.
            case http1
            /// HTTP/2 where a TLS server offers it (ALPN, RFC 7301), otherwise HTTP/1.1.
            case automatic
            /// HTTP/2 also without TLS, by prior knowledge (RFC 9113, section 3.3).
            case http2
        }

        /// The minimum version of TLS.
        public enum TLSVersion: Sendable, Hashable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// A proxy between this process and the server.
        public enum Proxy: Sendable, Hashable {
            /// No proxy, whatever the environment says.
            case none
            /// The proxy that `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name when an exchange starts.
            case environment
            /// This proxy, as `http://user:password@host:port`; also with `https` and `socks5h`, if libcurl
            /// supports them. Hosts in `except` are reached directly: names, with their subdomains, or addresses.
            case url(String, except: [String] = [])
        }

        /// The client's certificate, for servers that request one.
        ///
        /// The files are read anew when they change: within a second, new connections use the new certificate, and
        /// running exchanges go on. Files that are missing or half-written, or a key that does not fit, change nothing:
        /// the last good pair stays in use, and ``CurlSession/init(configuration:fileChanged:)`` is told. Two files may
        /// be replaced one after the other. Best replace one file with both (`rename`): written in place, a certificate
        /// may be taken before the rest of its chain is there.
        ///
        /// That needs libcurl 7.71 or later with OpenSSL. With others, libcurl reads the files for each connection.
        public struct Identity: Sendable, Hashable {
            /// The certificate with its chain, in PEM.
            public var certificate: URL
            /// The private key in PEM; nil if it is in the certificate's file.
            public var key: URL?
            /// The password of the key.
            public var password: String?

            /// Creates an identity of these files.
            public init(certificate: URL, key: URL? = nil, password: String? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
            }
        }

        /// The version of HTTP. ``HTTPVersion/automatic``.
        public var httpVersion = HTTPVersion.automatic

        /// The most connections with one origin, on all event loops. Other exchanges wait for their turn, without their
        /// clocks running. 8.
        ///
        /// Over HTTP/2 one connection carries up to a hundred exchanges at a time; an event loop opens another only
        /// while the others are busy.
        ///
        /// An exchange whose body is a stream or a sequence takes a connection when the first bytes are there. As many
        /// of them as there may be connections are read at a time. While they have sent nothing, half of the connections
        /// are kept for them, and the other half is for other exchanges.
        public var connectionsPerHost = 8

        /// The most connections in use at a time, with all origins together. 256.
        public var connections = 256

        /// The number of event loops, each with a thread that moves bytes and calls subscribers. As many as there are
        /// processors, at most 8. More than 256 count as 256.
        ///
        /// A loop starts its thread with its first exchange. An exchange goes to the loop that has an idle connection
        /// with its origin, and to another only while that one is busy: a program that sends one request after another
        /// uses one loop and one connection.
        public var threads = min(ProcessInfo.processInfo.activeProcessorCount, 8)

        /// The time after which an idle connection is closed. 60 s.
        public var idleConnectionLifetime = Duration.seconds(60)

        /// The age from which a connection is not used for another request; nil for no limit. nil.
        ///
        /// Without a limit, a connection that is never idle for long is used as long as the server keeps it: it stays
        /// with one of several servers behind a balancer, and with an address that the name does not have any more.
        ///
        /// Not all connections end at once: each has a limit of its own in the last tenth of the lifetime, and a request
        /// that begins on it after that is its last. Over a ``unixSocket`` there is no such limit. The lifetime is
        /// counted in whole seconds, and at least two. A request that is being sent is not ended, and an HTTP/2
        /// connection is ended while no request uses it. With libcurl older than 7.80, each request fails with
        /// ``TransportError/Reason/invalidConfiguration(setting:)``.
        public var connectionLifetime: Duration?

        /// The trusted authorities, in PEM; nil for the system's.
        ///
        /// The file is read anew when it changes, like the files of an ``Identity``: new connections trust the new
        /// authorities within a second. That needs libcurl 7.77 or later with OpenSSL.
        public var certificateAuthorities: URL?

        /// The client's certificate, for servers that request one.
        public var identity: Identity?

        /// SHA-256 digests of public keys (of their DER form, SubjectPublicKeyInfo), in Base64. If there are any, the
        /// server's key must be one of them, in addition to a valid certificate.
        public var pinnedKeys: [String] = []

        /// The minimum version of TLS. 1.2.
        public var minimumTLSVersion = TLSVersion.tls12

        /// The proxy. None, whatever the environment says.
        public var proxy = Proxy.none

        /// The path of a Unix domain socket for all exchanges, whatever host they name.
        public var unixSocket: String?

        /// Addresses that replace the resolution of names: `"example.com:443": ["127.0.0.1"]`.
        public var addresses: [String: [String]] = [:]

        /// The addresses that exchanges may connect with. ``Reach/anywhere``.
        ///
        /// The address is checked when it is dialed, after the name has been resolved, for each request and each
        /// redirect. A kept connection was checked when it was made. The rule also holds for ``addresses`` and for the
        /// address of a ``proxy``; with ``Reach/publicOnly(allowing:)``, a ``unixSocket`` is refused. Behind a proxy,
        /// hosts that are written as addresses are checked; names are resolved by the proxy, and cannot be.
        public var reach = Reach.anywhere

        /// The local numeric address, or the name of the network interface, to connect from.
        public var localAddress: String?

        /// The defaults; every setting can be changed afterwards.
        public init() {}
    }
}

extension CurlSession.Configuration.Identity: CustomStringConvertible, CustomReflectable {
    /// The files, and whether there is a password.
    public var description: String {
        let fields = [
            "certificate: \(certificate.path)", key.map { "key: \($0.path)" },
            password.map { _ in "password: <redacted>" },
        ]
        return "Identity(\(fields.compactMap(\.self).joined(separator: ", ")))"
    }

    /// The mirror for `dump`: the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["identity": description], displayStyle: .struct) }
}

extension CurlSession.Configuration.Proxy: CustomStringConvertible, CustomReflectable {
    /// The case, with the redacted URL of the proxy.
    public var description: String {
        switch self {
        case .none: "none"
        case .environment: "environment"
        case .url(let text, let except):
            "url(\(Self.shown(text)), except: \(except))"
        }
    }

    /// Without a host, any part of the text may be a password.
    private static func shown(_ text: String) -> String {
        guard let url = URL(string: text), url.host?.isEmpty == false else { return "<no URL>" }
        return url.redacted?.absoluteString ?? "<no URL>"
    }

    /// The mirror for `dump`: the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description], displayStyle: .enum) }
}
#endif
