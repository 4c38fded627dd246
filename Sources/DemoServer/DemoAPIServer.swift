public import Foundation
package import LoopbackServer
import Basics

/// A server for demonstrations and tests that imitates four APIs with its own data.
///
/// ```swift
/// let server = DemoAPIServer()
/// let url = try server.start()
/// // … send requests to url …
/// server.stop()
/// ```
///
/// | path | content | imitates |
/// |---|---|---|
/// | `/` | users, logins and todos | Vapor's authentication template |
/// | `/jsonplaceholder` | users, posts, comments, todos, albums, photos | JSONPlaceholder |
/// | `/unsplash` | photos: pages, one, search, random | Unsplash |
/// | `/rss` | charts by country | Apple's marketing feeds |
/// | `/lab` | events, files, uploads, failures | |
///
/// The server stores users and todos, and checks passwords, tokens and owners. Pages link to each other. Changes to the
/// placeholder lists are answered, but not stored. JSON responses have an `ETag`. All data is in memory only. Passwords
/// are not hashed, so use made-up ones.
///
/// It supports HTTP/1.1 without TLS, over POSIX sockets, with a thread for each connection.
public final class DemoAPIServer: Sendable {
    private let configuration: Configuration
    private let router: Router
    private let running = Locked<HTTPServer?>(nil)

    /// Prepares a server, which does not listen before ``start()``.
    ///
    /// - Parameter configuration: The address, the clock and the lifetime of tokens.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        let lifetime = configuration.tokenLifetime.timeInterval
        var router = Router()
        TodoRoutes(store: TodoStore(tokenLifetime: lifetime, now: configuration.now)).add(to: &router)
        PlaceholderRoutes().add(to: &router, under: "/jsonplaceholder")
        let rate = RateLimit(limit: configuration.photoRequestsPerHour, now: configuration.now)
        PhotoRoutes(rate: rate).add(to: &router, under: "/unsplash")
        FeedRoutes().add(to: &router, under: "/rss")
        ScenarioRoutes().add(to: &router, under: "/lab")
        self.router = router
    }

    deinit { stop() }

    /// Binds to the address and starts to answer. Does nothing if the server runs already.
    ///
    /// A stopped server can be started again. It keeps its users and todos, and gets a new port if the configuration
    /// has none.
    ///
    /// - Returns: The URL of the server, such as `http://127.0.0.1:49152`.
    /// - Throws: ``StartError/portInUse(host:port:)`` if another socket has the port, ``StartError/invalidHost(_:)`` if
    ///   the
    ///   host is not a numeric IPv4 address, otherwise ``StartError/refused(reason:)``.
    @discardableResult
    public func start() throws -> URL {
        // Binds under the lock, so that concurrent starts bind once. There are no callbacks.
        let server = try running.withLock { running in
            if let running { return running }
            let server = try makeServer()
            running = server
            return server
        }
        return server.url
    }

    /// The URL of the server; `nil` while it does not run.
    public var url: URL? { running.withLock { $0 }?.url }

    /// The port of the server; `nil` while it does not run.
    public var port: UInt16? { running.withLock { $0 }?.port }

    /// The number of connections accepted since the last start; 0 while the server does not run.
    public var acceptedConnections: Int { running.withLock { $0 }?.acceptedConnections ?? 0 }

    /// Stops listening, closes every connection, and waits at most ten seconds until all requests are answered. Does
    /// nothing if the server does not run.
    public func stop() {
        let server = running.withLock { running in
            defer { running = nil }
            return running
        }
        server?.stop()
    }

    private func makeServer() throws -> HTTPServer {
        do {
            return try HTTPServer(
                host: configuration.host,
                port: configuration.port,
                limits: configuration.limits,
                name: "DemoServer"
            ) { [router] request in router.response(to: request).withEntityTag(for: request) }
        } catch SocketError.addressInUse(let host, let port) {
            throw StartError.portInUse(host: host, port: port)
        } catch SocketError.invalidAddress(let host) {
            throw StartError.invalidHost(host)
        } catch {
            throw StartError.refused(reason: error.localizedDescription)
        }
    }
}

extension DemoAPIServer {
    /// The address and the rules of a ``DemoAPIServer``.
    public struct Configuration: Sendable {
        /// The numeric IPv4 address to listen on. The default is the loopback address, which other machines cannot
        /// reach.
        public var host = "127.0.0.1"
        /// The port to listen on; 0, the default, for any free port.
        public var port: UInt16 = 0
        /// The lifetime of a token of the todo API. The default is five hours, as in Vapor's template.
        public var tokenLifetime: Duration = .seconds(5 * 60 * 60)
        /// The number of requests that the photo API answers in an hour. More are answered with 403. The default is a
        /// million.
        public var photoRequestsPerHour = 1_000_000
        /// The clock for tokens and the rate limit, by default that of the system. Called on any thread.
        public var now: @Sendable () -> Date = { Date() }
        /// The limits for clients.
        package var limits = HTTPLimits()

        /// Creates the default configuration for an address.
        ///
        /// - Parameters:
        ///   - host: The numeric IPv4 address to listen on.
        ///   - port: The port; 0 for any free port.
        public init(host: String = "127.0.0.1", port: UInt16 = 0) {
            self.host = host
            self.port = port
        }
    }

    /// An error of ``DemoAPIServer/start()``.
    public enum StartError: Error, Equatable, Sendable, LocalizedError {
        /// Another socket is bound to the port.
        case portInUse(host: String, port: UInt16)
        /// The host is not a numeric IPv4 address.
        case invalidHost(String)
        /// The system refused, for this reason.
        case refused(reason: String)

        /// A sentence with the address.
        public var errorDescription: String? {
            switch self {
            case .portInUse(let host, let port):
                "Port \(port) of \(host) is in use. Choose another, or 0 for a free one."
            case .invalidHost(let host): "\"\(host)\" is not a numeric IPv4 address."
            case .refused(let reason): "The server could not start: \(reason)"
            }
        }
    }
}
