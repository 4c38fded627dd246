#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import TestTiers
import Testing

/// The variables of the environment for proxies, which only a new process can be given.
@Suite(.limited) final class CurlProxyTests {
    private let server: ScriptedServer
    private let proxy: ScriptedServer

    init() throws {
        server = try ScriptedServer(always: reply(body: "direct"))
        proxy = try ScriptedServer { request, connection, _ in
            let status = request.method == "CONNECT" ? "403 Forbidden" : "200 OK"
            try connection.write(reply(status, body: "by proxy"))
        }
    }

    deinit {
        server.stop()
        proxy.stop()
    }

    /// The responses that a child with this environment gets. Variables that are set for the tests do not count.
    private func fetch(
        _ environment: [String: String],
        _ urls: [URL]? = nil,
        asking kind: String = "environment"
    ) async throws -> [Substring] {
        let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
        var settings: [String: String] = [:]
        for name in names + names.map({ $0.uppercased() }) { settings[name] = "" }
        let urls = urls ?? [server.url("/a?b")]
        let children = try #require(Children())
        return try await children.run(
            ["fetch", kind] + urls.map(\.absoluteString),
            environment: settings.merging(environment) { $1 }
        ).lines
    }

    private var address: String { "http://127.0.0.1:\(proxy.port)" }

    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func `A CurlSession that uses the environment sends requests to the proxy in http_proxy or all_proxy`(name: String)
        async throws
    {
        #expect(try await fetch([name: "http://name:word@127.0.0.1:\(proxy.port)"]) == ["by proxy"])
        #expect(proxy.requests.map(\.requestLine) == ["GET \(server.url("/a?b")) HTTP/1.1"])
        #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic bmFtZTp3b3Jk")
        #expect(server.connections == 0)
    }

    @Test func `CurlSession ignores proxy environment variables unless it is configured to use them`() async throws {
        let environment = ["http_proxy": address, "all_proxy": address, "ALL_PROXY": address]
        #expect(try await fetch(environment, asking: "none") == ["direct"])
        #expect(proxy.connections == 0)
    }

    @Test func `A CurlSession that takes proxies from the environment connects directly if none is set`() async throws {
        #expect(try await fetch([:]) == ["direct"])
    }

    /// A server that runs as a CGI script would find a client's `Proxy` field there.
    @Test func `CurlSession ignores the uppercase environment variable HTTP_PROXY`() async throws {
        #expect(try await fetch(["HTTP_PROXY": address]) == ["direct"])
        #expect(proxy.connections == 0)
    }

    @Test(arguments: ["127.0.0.1", "*", "other.example, 127.0.0.1"])
    func `Hosts listed in the environment variable no_proxy or NO_PROXY are reached without the proxy`(
        exceptions: String
    ) async throws {
        #expect(try await fetch(["http_proxy": address, "no_proxy": exceptions]) == ["direct"])
        #expect(try await fetch(["http_proxy": address, "NO_PROXY": exceptions]) == ["direct"])
        #expect(proxy.connections == 0)
    }

    @Test func `Hosts that no_proxy does not list are reached through the proxy`() async throws {
        let elsewhere = try #require(URL(string: "http://elsewhere.example:1/"))
        let environment = ["http_proxy": address, "no_proxy": "localhost,.place.example"]
        let lines = try await fetch(environment, [server.url(host: "localhost"), elsewhere, server.url()])
        #expect(lines == ["direct", "by proxy", "by proxy"])
        #expect(proxy.requests.map(\.target) == [elsewhere.absoluteString, server.url().absoluteString])
    }

    /// Through a tunnel, which their proxy refuses here. At the address of the proxy for http there is no server.
    @Test func `An https request uses https_proxy with a CONNECT tunnel, and not http_proxy`() async throws {
        let url = try #require(URL(string: "https://secure.example/"))
        let dead = "http://127.0.0.1:1"
        let lines = try await fetch(["http_proxy": dead, "https_proxy": address], [url, server.url()])
        #expect(lines.last == "\(TransportError.Reason.cannotConnect)")
        #expect(proxy.requests.map(\.requestLine) == ["CONNECT secure.example:443 HTTP/1.1"])
        #expect(lines.count == 2 && !lines.contains("by proxy"), "\(lines)")
        #expect(server.connections == 0)
    }
}
#endif
