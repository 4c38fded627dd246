import APIBaseKit
import APIBaseStubs
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// What timings tell of the connection.
@Suite(.limited) struct CallConnectionTests {
    @Test func `The timings of a stubbed call have no connection details`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let call = WatchedCall()
        _ = try await stubs.run { try await call.value() }
        #expect(call.timings != nil)
        #expect(call.timings?.connection == nil)
    }

    #if os(Linux)
    private func connection(
        _ base: String,
        on session: any HTTPSession
    ) async throws -> (connection: ConnectionInfo?, isReused: Bool?) {
        let call = WatchedCall(base: base)
        call.session = session
        _ = try await call.value()
        return (call.timings?.connection, call.timings?.isConnectionReused)
    }

    @Test func `The timings of a URLSession call on Linux have no connection details`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let seen = try await connection("http://127.0.0.1:\(server.port)", on: URLSession(configuration: .ephemeral))
        #expect(seen.connection == nil)
    }

    @Test func `The timings of an HTTP call have its HTTP version and address but no TLS version`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = CurlSession()
        for isReused in [false, true] {
            let seen = try await connection("http://localhost:\(server.port)", on: session)
            #expect(seen.isReused == isReused)
            #expect(seen.connection?.httpVersion == "1.1")
            #expect(seen.connection?.address == "127.0.0.1")
            let connection = try #require(seen.connection)
            #expect(connection.tlsVersion == nil && connection.certificateExpiry == nil)
        }
        await session.shutdown()
    }

    @Test func `The timings have no connection details when the server cannot be reached`() async throws {
        // Nothing listens there; the port of a server that has stopped may be given to another test.
        let call = WatchedCall(base: "http://127.0.0.1:1")
        call.session = CurlSession()
        #expect((await call.failure() as? TransportError)?.reason == .cannotConnect)
        #expect(call.timings != nil)
        #expect(call.timings?.connection == nil)
    }

    /// A redirect from one server to another that cannot be reached.
    @Test func `The timings have no connection details when the target of a redirect cannot be reached`() async throws {
        let server = try HTTPServer { _ in
            .text("", status: 302, headers: HTTPFields(["Location": "http://127.0.0.1:1/"]))
        }
        defer { server.stop() }
        let call = WatchedCall(base: "http://127.0.0.1:\(server.port)")
        call.session = CurlSession()
        #expect(await call.failure() != nil)
        #expect(call.timings?.bytesReceived == 0)
        #expect(call.timings?.connection == nil)
    }

    private static let openSSL: ConditionTrait = .enabled(
        if: OpenSSL.program != nil && CurlSession.libraryVersion.contains(" OpenSSL/"),
        "the command openssl makes the certificates, and only a libcurl with OpenSSL tells of TLS"
    )

    @Test(openSSL, arguments: [("-tls1_2", "1.2"), ("-tls1_3", "1.3")])
    func `The timings of an HTTPS call have the TLS version and the certificate's expiry date`(
        option: String,
        version: String
    ) async throws {
        let authority = try await Authority.make()
        let (days, before) = (30, Date.now)
        let server = try await TLSServer.start(authority.certify("localhost", days: days), options: [option])
        let after = Date.now
        defer {
            server.stop()
            authority.remove()
        }
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = authority.certificate
        let session = CurlSession(configuration: configuration)
        let seen = try await connection("https://localhost:\(server.port)", on: session).connection
        #expect(seen?.httpVersion == "1.0")
        #expect(seen?.tlsVersion == version)
        #expect(seen?.address == "127.0.0.1")
        let start = try #require(seen?.certificateExpiry).addingTimeInterval(-TimeInterval(days * 86_400))
        // A certificate has whole seconds.
        #expect(before.addingTimeInterval(-2) < start && start < after.addingTimeInterval(2))
        await session.shutdown()
    }

    @Test(
        openSSL,
        .enabled(if: Nginx.isAvailable, "needs nginx"),
        arguments: [
            (CurlSession.Configuration.HTTPVersion.http1, "1.1"), (.automatic, "2"),
        ]
    )
    func `The details of a reused connection equal those that its first call had`(
        version: CurlSession.Configuration.HTTPVersion,
        text: String
    ) async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let nginx = try await Nginx.start(for: server.port)
        defer { nginx.stop() }
        var configuration = nginx.configuration
        configuration.httpVersion = version
        let session = CurlSession(configuration: configuration)
        var seen: Set<ConnectionInfo> = []
        for isReused in [false, true, true] {
            let (connection, wasReused) = try await connection("https://localhost:\(nginx.securePort)", on: session)
            #expect(wasReused == isReused)
            seen.insert(try #require(connection))
        }
        #expect(seen.count == 1)
        #expect(seen.first?.httpVersion == text)
        #expect(["1.2", "1.3"].contains(seen.first?.tlsVersion))
        #expect(seen.first?.address == "127.0.0.1")
        #expect(seen.first?.certificateExpiry.map { $0 > .now } == true)
        await session.shutdown()
    }

    /// Streams that share one connection, most of which have not opened it.
    @Test(openSSL, .enabled(if: Nginx.isAvailable, "needs nginx"))
    func `Concurrent calls over one HTTP 2 connection all have the same connection details`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let nginx = try await Nginx.start(for: server.port)
        defer { nginx.stop() }
        let session = CurlSession(configuration: nginx.configuration)
        let base = "https://localhost:\(nginx.securePort)"
        let seen = try await withThrowingTaskGroup(of: ConnectionInfo?.self) { group in
            for _ in 0..<20 { group.addTask { try await connection(base, on: session).connection } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(seen.count == 20)
        #expect(Set(seen).count == 1)
        #expect(seen.first??.httpVersion == "2")
        #expect(seen.first??.certificateExpiry != nil)
        await session.shutdown()
    }

    @Test(.enabled(if: Nginx.isAvailable, "needs nginx"))
    func `The connection details of a call over a Unix domain socket have no IP address`() async throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("\(UUID().uuidString.prefix(8)).socket").path
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let nginx = try await Nginx.start(for: server.port, "listen unix:\(path);")
        defer {
            nginx.stop()
            unlink(path)
        }
        var configuration = CurlSession.Configuration()
        configuration.unixSocket = path
        let session = CurlSession(configuration: configuration)
        let seen = try await connection("http://localhost", on: session).connection
        #expect(seen?.httpVersion == "1.1")
        #expect(try #require(seen).address == nil)
        await session.shutdown()
    }
    #endif
}
