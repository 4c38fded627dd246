#if os(Linux)
import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The addresses that a session connects with. Whatever is not allowed is refused before a socket is created.
@Suite(.limited) struct CurlReachTests {
    private func session(
        allowing networks: [CIDR] = [],
        _ change: (inout CurlSession.Configuration) -> Void = { _ in }
    ) -> CurlSession {
        var configuration = CurlSession.Configuration()
        configuration.reach = .publicOnly(allowing: networks)
        change(&configuration)
        return CurlSession(configuration: configuration)
    }

    private func expectRefusal(_ error: TransportError?, _ comment: Comment? = nil) {
        #expect(error?.reason == .addressNotAllowed, comment)
        #expect(error?.phase == .connect, comment)
    }

    /// Spellings of this machine: without the check, each of them reaches the server.
    private static let here = [
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "0177.1", "0x7f.1",
        "0x7f.0x0.0x0.0x1", "127.0.0.1.", "0.0.0.0", "0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost",
    ]

    @Test
    func `With reach = publicOnly, every spelling of a loopback address fails with addressNotAllowed`() async throws {
        let server = try ScriptedServer(always: reply(body: "inside"))
        defer { server.stop() }
        let session = session()
        for host in Self.here {
            expectRefusal(try await session.failure(of: ExchangeRequest(port: server.port, host: host)), "\(host)")
        }
        #expect(server.connections == 0)
    }

    /// Addresses that must never be dialed, by name and as they are written.
    @Test(arguments: ReachTests.special)
    func `With reach = publicOnly, a URL or configured address that is not public gets no connection`(host: String)
        async throws
    {
        let server = try ScriptedServer(always: reply(body: "inside"))
        defer { server.stop() }
        if let request = try? ExchangeRequest(port: server.port, host: host) {
            let error = try await session().failure(of: request)
            if case .invalidRequest = error?.reason {} else { expectRefusal(error) }
        }
        let session = session { $0.addresses = ["inside.example:\(server.port)": [host]] }
        let error = try await session.failure(of: ExchangeRequest(port: server.port, host: "inside.example"))
        // Only standard spellings are taken for `addresses`.
        if error?.reason != .invalidConfiguration(setting: "addresses") { expectRefusal(error) }
        #expect(server.connections == 0)
    }

    // Like the next one with an address that no other test has, as the port may be taken there.
    @Test
    func `With reach = publicOnly, a host name connects only to those of its addresses that are allowed`() async throws
    {
        let inside = try ScriptedServer(always: reply(body: "inside"))
        let outside = try ScriptedServer(host: "127.0.9.1", port: inside.port, always: reply(body: "outside"))
        defer { for server in [inside, outside] { server.stop() } }
        let place = "shop.example:\(inside.port)"
        let request = try ExchangeRequest(port: inside.port, host: "shop.example")
        for addresses in [["127.0.9.1"], ["127.0.0.1", "127.0.9.1"], ["127.0.9.1", "127.0.0.1"]] {
            let session = session(allowing: ["127.0.9.1"]) { $0.addresses = [place: addresses] }
            #expect(try await session.reply(to: request).text == "outside", "\(addresses)")
        }
        expectRefusal(try await session { $0.addresses = [place: ["127.0.0.1", "::1"]] }.failure(of: request))
        #expect(inside.connections == 0)
    }

    /// When the session connects again, only the address that is not allowed still has a server.
    @Test
    func `With reach = publicOnly, a reconnect does not fall back to an address that is not allowed`() async throws {
        let inside = try ScriptedServer(always: reply(body: "inside"))
        let outside = try ScriptedServer(host: "127.0.9.2", port: inside.port) { _, connection, _ in
            try connection.write(reply(body: "outside"))
            connection.close()
        }
        defer { inside.stop() }
        let session = session(allowing: ["127.0.9.2"]) {
            $0.addresses = ["shop.example:\(inside.port)": ["127.0.9.2", "127.0.0.1"]]
        }
        let request = try ExchangeRequest(port: inside.port, host: "shop.example")
        #expect(try await session.reply(to: request).text == "outside")
        outside.stop()
        // Nothing listens at the allowed address any more, which may change.
        #expect(try await session.failure(of: request)?.reason == .cannotConnect)
        #expect(inside.connections == 0)
    }

    @Test(arguments: ["127.0.0.1", "inside.example", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"])
    func `A redirect to an address that the reach setting excludes fails with addressNotAllowed`(host: String)
        async throws
    {
        let inside = try ScriptedServer(always: reply(body: "inside"))
        let port = inside.port
        let outside = try ScriptedServer(
            host: "127.0.0.2",
            always: reply("302 Found", ["Location: http://\(host):\(port)/"])
        )
        defer { for server in [inside, outside] { server.stop() } }
        let session = session(allowing: ["127.0.0.2/32"]) { $0.addresses = ["inside.example:\(port)": ["127.0.0.1"]] }
        let request = try ExchangeRequest(port: outside.port, host: "127.0.0.2")
        for _ in 0..<2 { expectRefusal(try await session.failure(of: request)) }
        #expect(outside.connections == 1)
        #expect(inside.connections == 0)
    }

    @Test
    func `With reach = publicOnly, calls through a private proxy or to a private IP through a proxy fail`()
        async throws
    {
        let proxy = try ScriptedServer(always: reply(body: "by proxy"))
        defer { proxy.stop() }
        let settings = CurlSession.Configuration.Proxy.url("http://127.0.0.1:\(proxy.port)")
        let name = try ExchangeRequest(port: 80, host: "shop.example")
        expectRefusal(try await session { $0.proxy = settings }.failure(of: name))
        #expect(proxy.connections == 0)
        let allowed = session(allowing: ["127.0.0.1"]) { $0.proxy = settings }
        for host in ["10.0.0.1", "012.1", "169.254.169.254", "[fd00:ec2::254]", "[64:ff9b::a00:1]"] {
            expectRefusal(try await allowed.failure(of: ExchangeRequest(port: 80, host: host)))
        }
        #expect(proxy.connections == 0)
        #expect(try await allowed.reply(to: name).text == "by proxy")
    }

    @Test func `A Unix domain socket fails with addressNotAllowed when reach is publicOnly`() async throws {
        let session = session(allowing: ["0.0.0.0/0", "::/0"]) { $0.unixSocket = "/nowhere/at/all" }
        expectRefusal(try await session.failure(of: ExchangeRequest(port: 80, host: "docker.example")))
    }

    @Test func `A malformed network in the reach setting fails with invalidConfiguration`() async throws {
        let error = try await session(allowing: ["10.0.0.1/8"]).failure(of: ExchangeRequest(port: 80))
        #expect(error?.reason == .invalidConfiguration(setting: "reach"))
        #expect(error?.description.contains("10.0.0.1/8") == true)
    }

    @Test func `The description of an addressNotAllowed error does not contain the refused address`() async throws {
        let session = session { $0.addresses = ["inside.example:80": ["127.0.0.1"]] }
        let error = try await session.failure(of: ExchangeRequest(port: 80, host: "inside.example"))
        let text = "The address is not one that may be reached (http://inside.example:80/)"
        #expect(error?.description == text)
        #expect(error?.underlying == nil)
    }

    @Test func `A kept-alive connection to an address that reach = publicOnly allows is reused`() async throws {
        let server = try ScriptedServer(host: "127.0.0.2", always: reply(body: "outside"))
        defer { server.stop() }
        let session = session(allowing: ["127.0.0.2"])
        let request = try ExchangeRequest(port: server.port, host: "127.0.0.2")
        for _ in 0..<5 { #expect(try await session.reply(to: request).text == "outside") }
        #expect(server.connections == 1)
    }
}
#endif
