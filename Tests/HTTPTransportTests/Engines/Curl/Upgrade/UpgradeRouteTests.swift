#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer
import PortableCombine
import TestTiers
import Testing

/// The ways to a server that switches.
@Suite(.limited) struct UpgradeRouteTests {
    private func echoServer() throws -> ScriptedServer {
        try ScriptedServer { request, connection, _ in
            guard request.target == "/feed" else { return try connection.write(reply(body: "ok")) }
            try connection.write(switching)
            while case let bytes = try connection.read(), !bytes.isEmpty { try connection.write(bytes) }
        }
    }

    /// A proxy that opens tunnels to any port of this machine.
    private func proxy(to port: UInt16) throws -> ScriptedServer {
        try ScriptedServer { request, connection, _ in
            guard request.method == "CONNECT" else { return try connection.write(reply("405 No", body: "no")) }
            let server = try SocketConnection(connectingTo: port)
            try connection.write("HTTP/1.1 200 Tunnel\r\nVia: 1.1 proxy\r\n\r\n")
            Thread.detachNewThread {
                while let bytes = try? server.read(), !bytes.isEmpty { try? connection.write(bytes) }
                connection.finishWriting()
            }
            while case let bytes = try connection.read(), !bytes.isEmpty { try server.write(bytes) }
            server.close()
        }
    }

    private func expectEcho(_ client: SwitchingClient, after start: String = "") async throws {
        let head = try #require(try await client.head())
        #expect(head.statusCode == 101)
        #expect(head.headers["Via"] == nil)
        client.send("echo")
        try await client.wait(for: start.count + 4)
        #expect(client.text == start + "echo")
        client.cancel()
    }

    /// As RFC 6455, section 4.1 has it.
    @Test func `A switch goes through a proxy by CONNECT, though other requests without TLS do not`() async throws {
        let server = try echoServer()
        let proxy = try proxy(to: server.port)
        defer {
            proxy.stop()
            server.stop()
        }
        var configuration = CurlSession.Configuration()
        configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
        let session = CurlSession(configuration: configuration)
        try await expectEcho(SwitchingClient(to: server.url("/feed"), on: session))
        #expect(proxy.requests.map(\.requestLine) == ["CONNECT 127.0.0.1:\(server.port) HTTP/1.1"])
        #expect(server.requests.map(\.requestLine) == ["GET /feed HTTP/1.1"])
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).status == 405)
        #expect(proxy.requests.last?.requestLine == "GET \(server.url()) HTTP/1.1")
    }

    @Test func `A proxy that refuses the tunnel fails a switch with cannotConnect`() async throws {
        let proxy = try ScriptedServer(always: reply("403 No", body: "no"))
        defer { proxy.stop() }
        var configuration = CurlSession.Configuration()
        configuration.proxy = .url("http://127.0.0.1:\(proxy.port)")
        let url = try #require(URL(string: "http://feed.example/"))
        let client = SwitchingClient(to: url, on: CurlSession(configuration: configuration))
        #expect(try await client.end()?.reason == .cannotConnect)
    }

    @Test(
        .enabled(if: OpenSSL.program != nil, "the command openssl serves TLS"),
        arguments: [
            CurlSession.Configuration.HTTPVersion.http1, .automatic, .http2,
        ]
    )
    func `A switch over TLS asks for HTTP 1.1`(version: CurlSession.Configuration.HTTPVersion) async throws {
        let authority = try await Authority.make()
        let echo = try await TLSEcho.start(authority.certify("localhost"))
        defer {
            echo.stop()
            authority.remove()
        }
        var configuration = CurlSession.Configuration()
        (configuration.certificateAuthorities, configuration.httpVersion) = (authority.certificate, version)
        let url = try #require(URL(string: "https://localhost:\(echo.port)/feed"))
        let session = CurlSession(configuration: configuration)
        let client = SwitchingClient(to: url, on: session)
        try await client.wait(for: 5)
        try await expectEcho(client, after: "early")
    }

    @Test(.enabled(if: OpenSSL.program != nil, "the command openssl serves TLS"), arguments: [false, true])
    func `A switched connection over TLS ends also without close_notify`(isCut: Bool) async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), answering: switching + "bye")
        let relay = try TLSRelay(to: server.port, dropsAlerts: isCut)
        defer {
            relay.stop()
            server.stop()
            authority.remove()
        }
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = authority.certificate
        let url = try #require(URL(string: "https://localhost:\(relay.port)/response"))
        let client = SwitchingClient(to: url, on: CurlSession(configuration: configuration))
        #expect(try await client.status() == 101)
        #expect(try await client.end() == nil)
        #expect(client.text == "bye")
    }

    @Test func `A switch goes over a Unix domain socket`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("up-\(UUID().uuidString.prefix(8))")
        let server = try echoServer()
        let relay = try UnixRelay(path.path, to: server.port)
        defer {
            relay.stop()
            server.stop()
        }
        var configuration = CurlSession.Configuration()
        configuration.unixSocket = path.path
        let client = SwitchingClient(to: server.url("/feed"), on: CurlSession(configuration: configuration))
        try await expectEcho(client)
    }
}
#endif
