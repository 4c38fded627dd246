import DemoServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
    /// Answers with the method and the path, and the body where there is one.
    private func echo(_ limits: HTTPLimits = HTTPLimits()) throws -> HTTPServer {
        try HTTPServer(limits: limits) { request in
            .text("\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
    }

    @Test func answersWithTheHeadersOfTheProtocol() throws {
        let server = try echo()
        defer { server.stop() }
        let response = try RawClient(server).exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(response.status == 200)
        #expect(response.text == "GET /a ")
        #expect(response["Content-Length"] == "7")
        #expect(response["Content-Type"] == "text/plain; charset=utf-8")
        #expect(response["Server"] == "DemoServer")
        #expect(response["Date"]?.hasSuffix(" GMT") == true)
        #expect(response["Connection"] == nil)
    }
}
