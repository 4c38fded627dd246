import APIBaseKit
import APIBaseStubs
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Compressed bodies of calls.
@Suite(.everySession, .limited) struct CompressedContentTests {
    private struct Report: Codable, Equatable, Sendable {
        var titleText = "T"
        var lines = Array(repeating: "line", count: 100)
    }

    private final class ReportRequest: JSONAPI, Request {
        typealias ModelType = Report

        init(_ server: ScriptedServer, _ content: HTTPBody) {
            super.init(.put("/report", content: content))
            baseURL = server.url("")
            session = EverySession.current
            encoder.keyEncodingStrategy = .convertToSnakeCase
            decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
    }

    /// A server that sends the body back as it is coded, after these other answers.
    private func echo(after answers: [String] = []) throws -> ScriptedServer {
        try ScriptedServer { request, connection, index in
            if index < answers.count { return try connection.write(answers[index]) }
            let lines = [
                "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: \(request.body.count)",
                "Content-Encoding: \(request["Content-Encoding"] ?? "identity")",
            ]
            try connection.write(lines.joined(separator: "\r\n") + "\r\n\r\n")
            try connection.write(request.body)
        }
    }

    @Test func `A JSON body with compressed() is sent as gzip and keeps its Content-Type`() async throws {
        let server = try echo()
        defer { server.stop() }
        for content in [HTTPBody.json(Report()).compressed(), .mergePatch(Report()).compressed()] {
            let call = ReportRequest(server, content)
            #expect(try await call.value() == Report())
            let sent = try #require(server.requests.last)
            #expect(sent["Content-Encoding"] == "gzip" && sent["Content-Type"] == content.contentType)
            #expect(sent.declaredLength == sent.body.count && sent.body.count < 120)
            #expect(call.request?.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
        }
    }

    @Test func `A JSON body without compressed() is sent as plain JSON without Content-Encoding`() async throws {
        let server = try echo()
        defer { server.stop() }
        #expect(try await ReportRequest(server, .json(Report())).value() == Report())
        let sent = try #require(server.requests.last)
        #expect(sent["Content-Encoding"] == nil && sent.body.starts(with: #"{"lines":["line""#.utf8))
    }

    @Test func `A compressed stream body is sent again with the same bytes after a 503 and a 401`() async throws {
        let server = try echo(after: [reply("503 Service Unavailable"), reply("401 Unauthorized")])
        defer { server.stop() }
        let data = try JSONEncoder().encode(Report())
        let call = ReportRequest(server, .stream(count: nil) { InputStream(data: data) }.compressed())
        call.decoder.keyDecodingStrategy = .useDefaultKeys
        call.retry = RetryPolicy(backoff: .constant(.milliseconds(1)))
        call.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
        #expect(try await call.value() == Report())
        #expect(server.requests.map { $0["Content-Encoding"] } == ["gzip", "gzip", "gzip"])
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    @Test func `A compressed multipart form with a streamed file is sent as gzip`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(request.body.count)\r\n\r\n"
            try connection.write(head)
            try connection.write(request.body)
        }
        defer { server.stop() }
        let call = Call(base: server.url("").absoluteString)
        call.session = EverySession.current
        call.method = .post
        let text = Data(repeating: 7, count: 100_000)
        let part = MultipartPart(name: "file", content: .stream(count: nil) { InputStream(data: text) })
        call.content = .multipart([part]).compressed()
        let reply = try await call.value()
        let parts = try MultipartParser.parse(reply.data, type: server.requests.first?["Content-Type"])
        #expect(parts.map(\.content) == [text])
        #expect(server.requests.first?["Content-Encoding"] == "gzip")
    }

    @Test
    func `A Content-Encoding header set on the call is sent instead of gzip for a compressed body`() async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let call = Call(base: server.url("").absoluteString)
        call.session = EverySession.current
        call.method = .post
        call.headers["content-encoding"] = "x-gzip"
        call.content = .data(Data("abc".utf8)).compressed()
        _ = try await call.value()
        #expect(server.requests.first?.values("Content-Encoding") == ["x-gzip"])
    }

    @Test func `Content-Encoding is not sent when the compressed body is empty`() async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let call = Call(base: server.url("").absoluteString)
        call.session = EverySession.current
        call.method = .post
        call.content = .data(Data(), type: "text/plain").compressed()
        _ = try await call.value()
        #expect(server.requests.first?["Content-Encoding"] == nil)
    }

    @Test func `A stub matches the decompressed body of a compressed request`() async throws {
        let stubs = Stubs()
        stubs.on(body: .form(["password": "p"])).answer(.text("ok"))
        let data = Data("password=p".utf8)
        let stream = HTTPBody.stream(count: nil) { InputStream(data: data) }
        for content in [.form(["password": "p"]), stream] {
            let call = Call()
            call.session = stubs
            call.method = .post
            call.content = content.compressed()
            #expect(try await call.value().data == Data("ok".utf8))
        }
        #expect(stubs.calls.allSatisfy { $0.headers["Content-Encoding"] == "gzip" })
    }

    @Test func `The curl command for a compressed body reads standard input instead of listing the bytes`() {
        let call = Call()
        call.method = .post
        call.content = .form(["password": "p"]).compressed()
        #expect(call.curlText.contains("--data-binary @-") && !call.curlText.contains("printf"))
    }
}
