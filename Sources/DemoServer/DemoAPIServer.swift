public import Foundation
import Basics

/// A server for demonstrations and tests that answers for four APIs, with data of its own making.
///
/// ```swift
/// let server = DemoAPIServer()
/// let url = try server.start()
/// // … send requests to url …
/// server.stop()
/// ```
///
/// | under | what | in the shapes of |
/// |---|---|---|
/// | `/` | users, logins and todos | Vapor's authentication template |
/// | `/jsonplaceholder` | users, posts, comments, todos, albums, photos | JSONPlaceholder |
/// | `/unsplash` | photos by page, by id, by word, by chance | Unsplash |
/// | `/rss` | charts by country | Apple's marketing feeds |
/// | `/lab` | events, files, uploads, tokens, failures | |
///
/// The rules are real: users are stored and a second one with the same e-mail address is refused, wrong passwords and
/// expired tokens are refused, todos belong to their owner, pages link to each other, and changes to the placeholder
/// lists are answered but not made. Answers in JSON have an `ETag`. Everything is kept in memory only, passwords as they are: use
/// made-up ones.
///
/// It speaks HTTP/1.1 without TLS, over POSIX sockets, with a thread for each connection.
public final class DemoAPIServer: Sendable {
    private let configuration: Configuration
    private let router: Router
    private let running = Locked<HTTPServer?>(nil)

    /// Prepares a server. Nothing listens before ``start()``.
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
        LabRoutes(now: configuration.now).add(to: &router, under: "/lab")
        self.router = router
    }

    deinit { stop() }

    /// Binds to the address and starts to answer. Does nothing where it runs already.
    ///
    /// A server that was stopped can be started again; it still has its users and todos, and gets a new port where the
    /// configuration leaves it open.
    ///
    /// - Returns: Where it listens, for example `http://127.0.0.1:49152`.
    /// - Throws: ``StartError/portInUse(host:port:)`` where another socket has the port,
    ///   ``StartError/invalidHost(_:)`` where the host is not a numeric IPv4 address, otherwise
    ///   ``StartError/refused(reason:)``.
    @discardableResult
    public func start() throws -> URL {
        // The lock is held while binding, so that of two starts only one binds. Nothing is called back there.
        let server = try running.withLock { running in
            if let running { return running }
            let server = try makeServer()
            running = server
            return server
        }
        return server.url
    }

    /// The URL at which the server listens; nil while it does not run.
    public var url: URL? { running.withLock { $0 }?.url }

    /// The port it listens on, nil while it does not.
    public var port: UInt16? { running.withLock { $0 }?.port }

    /// The number of connections accepted since the last start; 0 while the server does not run.
    public var acceptedConnections: Int { running.withLock { $0 }?.acceptedConnections ?? 0 }

    /// Stops listening, closes every connection and waits, ten seconds at the most, until no request is being answered.
    /// Does nothing where it does not run.
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
                limits: configuration.limits
            ) { [router] request in router.response(to: request).validated(for: request) }
        } catch SocketError.addressInUse(let host, let port) {
            throw StartError.portInUse(host: host, port: port)
        } catch SocketError.invalidAddress(let host) {
            throw StartError.invalidHost(host)
        } catch {
            throw StartError.refused(reason: error.localizedDescription)
        }
    }
}
