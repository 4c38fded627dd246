#if os(Linux)
import LoopbackServer
import HostileServer
import HTTPTransport
import Testing

/// Runs a test with nginx before a server that answers so, on a session that trusts it. The session is left with
/// nothing.
func withNginx(
    _ settings: String = "",
    limits: HTTPLimits = HTTPLimits(),
    threads: Int? = nil,
    handler: @escaping HTTPServer.Handler = { _ in .text("ok") },
    _ body: (Nginx, CurlSession) async throws -> Void
) async throws {
    let server = try HTTPServer(limits: limits, handler: handler)
    defer { server.stop() }
    let nginx = try await Nginx.start(for: server.port, settings)
    defer { nginx.stop() }
    var configuration = nginx.configuration
    if let threads { configuration.threads = threads }
    let session = CurlSession(configuration: configuration)
    try await body(nginx, session)
    #expect(try await holds { session.runningExchanges == 0 })
    await session.shutdown()
    #expect(sockets(to: nginx.securePort) == 0)
}

extension CurlSession.Configuration {
    /// The settings of a session that trusts this authority alone.
    init(trusting authority: Authority) {
        self.init()
        certificateAuthorities = authority.certificate
    }
}

extension Trait where Self == ConditionTrait {
    /// Whether there are a server and a client for it.
    static var speaksHTTP2: Self {
        .enabled(
            if: Nginx.isAvailable && CurlSession.libraryVersion.contains("nghttp2"),
            "HTTP/2 needs nginx, openssl, and a libcurl with nghttp2"
        )
    }
}
#endif
