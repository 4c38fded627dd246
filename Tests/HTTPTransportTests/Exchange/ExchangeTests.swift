import DemoServer
import Foundation
import HTTPTransport
import PortableCombine
import Testing

@Suite(.everyEngine) struct ExchangeTests {
    @Test func answersOneRequest() async throws {
        let server = try ScriptedServer(always: reply(body: "hello"))
        defer { server.stop() }
        let result = await Engine.makeSession().fetch(make(.get, server.url("/a?b=c"), ["X-Trace": "1"]))
        #expect(result?.text == "hello")
        #expect(result?.status == 200)
        #expect(server.requests.first?.requestLine == "GET /a?b=c HTTP/1.1")
        #expect(server.requests.first?["X-Trace"] == "1")
        #expect(server.requests.first?["User-Agent"] == "APIBaseKit/1.0")
    }
}
