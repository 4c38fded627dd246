import Foundation
import HostileServer
import HTTPTransport
import PortableCombine
import TestTiers
import Testing

@Suite(.everyEngine, .limited) struct ExchangeTests {
    @Test func `A GET request arrives with its headers and User-Agent, and its response is delivered`() async throws {
        let server = try ScriptedServer(always: reply(body: "hello"))
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port, "/a?b=c", headers: ["X-Trace": "1"])
        let reply = try await Engine.makeSession().reply(to: request)
        #expect(reply.text == "hello")
        #expect(reply.status == 200)
        #expect(server.requests.first?.requestLine == "GET /a?b=c HTTP/1.1")
        #expect(server.requests.first?["X-Trace"] == "1")
        #expect(server.requests.first?["User-Agent"] == PackageVersion.product)
    }
}
