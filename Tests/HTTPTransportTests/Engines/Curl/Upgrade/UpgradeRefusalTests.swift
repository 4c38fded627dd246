#if os(Linux)
import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Answers to a request for a switch that do not switch, or not properly.
@Suite(.tags(.concurrent), .limited) struct UpgradeRefusalTests {
    private let session = CurlSession()

    /// The answer, its status, and its body.
    private static let refusals: [(String, Int, String)] = [
        (reply(body: "no"), 200, "no"),
        (reply("401 Who", ["WWW-Authenticate: Bearer"], body: "no"), 401, "no"),
        (reply("426 Upgrade Required", ["Upgrade: y"], body: "no"), 426, "no"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", 200, "no"),
        ("HTTP/1.1 426 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nn\r\n1\r\no\r\n0\r\nA: b\r\n\r\n", 426, "no"),
        ("HTTP/1.1 204 No\r\n\r\n", 204, ""), ("HTTP/1.1 304 Not\r\n\r\n", 304, ""),
        ("HTTP/1.1 100 Continue\r\n\r\n" + reply("401 No", body: "no"), 401, "no"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, ""),
        ("HTTP/1.0 404 Not\r\n\r\nno", 404, "no"), ("HTTP/1.1 500 No\r\nConnection: close\r\n\r\nno", 500, "no"),
        (
            reply("503 Later", body: String(repeating: "no", count: 100_000)), 503,
            String(repeating: "no", count: 100_000)
        ),
    ]

    @Test(arguments: refusals)
    func `A refusal is an ordinary response`(answer: String, status: Int, body: String) async throws {
        let isDelimited = answer.contains("Length") || answer.contains("chunked") || body.isEmpty
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(answer)
            if isDelimited { connection.waitForTheEnd() }
            connection.close()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        client.send("never sent")
        #expect(try await client.end() == nil)
        #expect(try await client.status() == status)
        #expect(client.text == body)
        client.cancel()
        #expect(try await holds { session.runningExchanges == 0 && server.openConnections == 0 })
        #expect(server.connections == 1)
    }

    /// A 101 has no body (RFC 9110, section 8.6).
    @Test(arguments: ["Content-Length: 5", "Content-Length: 0", "Transfer-Encoding: chunked"])
    func `A 101 with the framing of a body is an error`(field: String) async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\(field)\r\n\r\nhello")
            connection.waitForTheEnd()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        let error = try #require(try await client.end())
        #expect(error.phase == .head)
        #expect(client.data.isEmpty)
        #expect(!client.isAnswered)
    }

    @Test func `A 101 that nobody has asked for is an error`() async throws {
        let server = try ScriptedServer(always: switching)
        defer { server.stop() }
        #expect(try await session.failure(of: ExchangeRequest(port: server.port))?.phase == .head)
    }

    @Test(arguments: ["", "HTTP/1.1 101 Swi", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n"])
    func `A connection that ends before the head of the 101 is lost, and not tried again`(start: String) async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(start)
            connection.close()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        #expect(try await client.end() != nil)
        #expect(!client.isAnswered)
        #expect(server.connections == 1)
        client.send("late")
        // Its caller may make another exchange; only the end of a switched connection ends the sending.
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect leads to the switch`(status: Int) async throws {
        let server = try ScriptedServer { request, connection, _ in
            guard request.target == "/there" else {
                return try connection.write(reply("\(status) Go", ["Location: /there"], body: "there"))
            }
            try connection.write(switching)
            try connection.write(connection.read())
            connection.close()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url("/here"), on: session)
        client.send("after the redirect")
        #expect(try await client.end() == nil)
        #expect(client.text == "after the redirect")
        #expect(server.requests.map(\.target) == ["/here", "/there"])
        #expect(server.requests.allSatisfy { $0["Upgrade"] == "x" })
    }
}
#endif
