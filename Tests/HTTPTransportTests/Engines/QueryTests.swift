import Foundation
import HTTPTransport
import HostileServer
import TestTiers
import Testing

/// What a `QUERY` is on the wire (RFC 10008).
@Suite(.tags(.concurrent), .everyEngine, .limited) struct QueryTests {
    private let session = Engine.makeSession()

    private func received(_ body: HTTPBody) async throws -> RawRequest {
        let server = try ScriptedServer(always: reply(body: "ok"))
        defer { server.stop() }
        let headers = ["Content-Type": "application/sql"]
        let request = try ExchangeRequest(.query, port: server.port, headers: headers, body: body)
        #expect(try await session.reply(to: request).text == "ok")
        #expect(server.requests.count == 1)
        return try #require(server.requests.first)
    }

    @Test(arguments: BodyKind.allCases, [1, 300_000])
    func `A QUERY arrives with its whole body and its one media type, and expects no interim response`(
        kind: BodyKind,
        count: Int
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let data = Data.pattern(count)
        let request = try await received(kind.body(data, file: file))
        #expect(request.requestLine == "QUERY / HTTP/1.1")
        // Not in the expectation, which would print both.
        let isWhole = Data(request.body) == data
        #expect(isWhole)
        #expect(request.values("Content-Type") == ["application/sql"])
        #expect(request.values("Expect").isEmpty)
        let hasLength = request.values("Content-Length") == ["\(count)"]
        #expect(hasLength != (request.values("Transfer-Encoding") == ["chunked"]))
        if kind != .unknown { #expect(hasLength) }
    }

    /// RFC 9110, section 8.6: the method has a meaning for a body. Foundation says nothing.
    @Test func `A QUERY with an empty body has a media type and, by CurlSession, Content-Length: 0`() async throws {
        let request = try await received(.none)
        #expect(request.body.isEmpty)
        #expect(request.values("Content-Type") == ["application/sql"])
        #expect(request.values("Transfer-Encoding").isEmpty)
        if Engine.current == .curl { #expect(request.values("Content-Length") == ["0"]) }
    }
}
