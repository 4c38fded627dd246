#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

/// Heads and framings that libcurl takes, and that a client must not take, or must take right.
@Suite(.limited) struct CurlFramingTests {
    // With one loop, each transfer uses what the last one has left.
    private let session: CurlSession

    init() {
        var configuration = CurlSession.Configuration()
        configuration.threads = 1
        session = CurlSession(configuration: configuration)
    }

    /// The result of an answer. The next request on the same session is answered well.
    private func result(_ method: HTTPMethod = .get, limits: ExchangeRequest.Limits = .default, to bytes: [UInt8])
        async throws
        -> Result<Reply, TransportError>
    {
        let server = try ScriptedServer(hostile: { try $0.write(bytes) })
        defer { server.stop() }
        let request = try ExchangeRequest(method, port: server.port, "/bad", limits: limits)
        let result = try await session.result(of: request)
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/good")).text == "good")
        #expect(try await holds { session.runningExchanges == 0 })
        return result
    }

    private func result(_ method: HTTPMethod = .get, to text: String) async throws -> Result<Reply, TransportError> {
        try await result(method, to: Array(text.utf8))
    }

    @Test(arguments: [
        "Content-Length: 4\r\nContent-Length: 2\r\n\r\nbody", "Content-Length: 4, 2\r\n\r\nbody",
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "Content-Length: +4\r\n\r\nbody", "Content-Length: -4\r\n\r\nbody", "Content-Length: 4x\r\n\r\nbody",
        "Content-Length: 0x4\r\n\r\nbody", "Content-Length: 4 4\r\n\r\nbody", "Content-Length: 4,\r\n\r\nbody",
        "Content-Length:\r\n\r\nbody", "Content-Length: 9223372036854775808\r\n\r\nbody",
        "Content-Length: 99999999999999999999999\r\n\r\nbody", "Content-Length: 4\r\n 2\r\n\r\nbody",
        "Transfer-Encoding: chunked, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", "Transfer-Encoding: identity\r\n\r\nbody",
        "Transfer-Encoding: xchunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-4\r\nbody\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nx\r\n",
        "Transfer-Encoding: chunked\r\n\r\n4\r\nbodymore\r\n0\r\n\r\n",
        "Bad Name: x\r\nContent-Length: 0\r\n\r\n", "Name : x\r\nContent-Length: 0\r\n\r\n",
        "no colon\r\nContent-Length: 0\r\n\r\n", ": no name\r\nContent-Length: 0\r\n\r\n",
        "X: a\u{0}b\r\nContent-Length: 0\r\n\r\n", "X: a\rb\r\nContent-Length: 0\r\n\r\n",
        " folded: first\r\nContent-Length: 0\r\n\r\n",
    ])
    func `A response with ambiguous framing or a malformed header fails with malformedResponse`(rest: String)
        async throws
    {
        let result = try await result(to: "HTTP/1.1 200 OK\r\n" + rest)
        #expect(result.reason == .malformedResponse, "\(result)")
    }

    @Test(arguments: [
        ("200 OK\r\nContent-Length: 4\r\nContent-Length: 2", "The Content-Length has two different values"),
        ("200 OK\r\nContent-Length: 4, 2", "The Content-Length has two different values"),
        ("200 OK\r\nContent-Length: +3", "The Content-Length is not a number"),
        ("200 OK\r\nContent-Length: 0x3", "The Content-Length is not a number"),
        ("200 OK\r\nContent-Length: 4\r\n 2", "continues on a second line"),
        (
            "200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked",
            "There is both a Content-Length and a Transfer-Encoding"
        ),
        ("200 OK\r\nTransfer-Encoding: chunked, chunked", "The Transfer-Encoding names chunked twice"),
        ("200 OK\r\nTransfer-Encoding: gzip, chunked", "The Transfer-Encoding is another one than chunked"),
        ("200 OK\r\nName : x", "The name of a header has a blank before its colon"),
        ("200 OK\r\nBad Name: x", "The name of a header is empty, or contains a character that no name may have"),
        ("200 OK\r\nX: a\rb", "A header line contains a NUL or a single CR"),
        ("200 OK\r\n X: a", "The first header line is empty, or begins with a blank"),
        ("101 Switching Protocols\r\nUpgrade: x", "The status is 101"),
        (" 200 OK", "The status line is not one of HTTP"),
        ("2000 OK", "Unsupported response code"),
        ("302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0", "two different Location headers"),
    ])
    func `A response with a malformed head fails with a message that says what is wrong with it`(
        rest: String,
        text: String
    ) async throws {
        let failure = try await result(to: "HTTP/1.1 \(rest)\r\n\r\n").failure
        #expect(failure?.reason == .malformedResponse)
        #expect(failure?.description.contains(text) == true, "\(String(describing: failure))")
    }

    @Test(arguments: [256 << 10, 4 << 20])
    func `A header line over 100 KiB fails with libcurl's limit, whatever headerBytes is, and several pass`(
        limit: Int
    ) async throws {
        func bytes(_ lines: Int, of count: Int) -> [UInt8] {
            let line = "X: \(String(repeating: "y", count: count))\r\n"
            return Array("HTTP/1.1 200 OK\r\n\(String(repeating: line, count: lines))Content-Length: 0\r\n\r\n".utf8)
        }
        let limits = ExchangeRequest.Limits.with { $0.headerBytes = limit }
        #expect(try await result(limits: limits, to: bytes(2, of: 100_000)).get().status == 200)
        let failure = try await result(limits: limits, to: bytes(1, of: 200_000)).failure
        #expect(failure?.reason == .tooLarge(.headerLine, limit: 102_400))
        #expect(failure?.description.hasPrefix("A header line is over libcurl's own limit of 102400 bytes") == true)
    }

    @Test(arguments: [
        " folded: first\r\n", "\tfolded\r\n", " \r\n", " " + String(repeating: "x", count: 100_000) + "\r\n",
        "HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\n folded: first\r\n",
    ])
    func `A response whose headers start with a continuation line fails with malformedResponse`(rest: String)
        async throws
    {
        for _ in 0..<5 {
            #expect(try await result(to: answer(field: "X: y")).get().text == "body")
            let isInterim = rest.hasPrefix("HTTP")
            let malformed = try await result(to: (isInterim ? "" : "HTTP/1.1 200 OK\r\n") + rest + "\r\n")
            #expect(malformed.reason == .malformedResponse, "\(malformed)")
        }
    }

    @Test(arguments: ["X: ", "X:", "X: y\r\n\t"])
    func `A response whose first header line contains 100 KB of whitespace is accepted`(start: String) async throws {
        let field = start + "y" + String(repeating: " \t", count: 50_000) + "z"
        for _ in 0..<2 { #expect(try await result(to: answer(field: field)).get().text == "body") }
    }

    private func answer(field: String) -> String { "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 4\r\n\r\nbody" }

    @Test(arguments: [
        "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 2x0 OK", "HTTP/1.1  200 OK", "HTTP/1.1 099 OK", "HTTP/1.1",
        "HTTP/1.1 200OK", "HTTP/11 200 OK", "http/1.1 200 OK", "HTTP/1.1\t200 OK", "ICY 200 OK", "HTTP 200 OK",
        "HTTP/1.1 101 Switching",
    ])
    func `A response with a malformed status line fails with malformedResponse`(line: String) async throws {
        let result = try await result(to: line + "\r\nContent-Length: 4\r\n\r\nbody")
        #expect(result.reason == .malformedResponse, "\(result)")
    }

    @Test(arguments: [
        ("HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nbody", "body"),
        ("HTTP/1.1 200 \r\nContent-Length: 4\r\n\r\nbody", "body"),
        ("HTTP/1.0 200 OK\r\n\r\nbody", "body"),
        ("HTTP/1.1 200 OK\nContent-Length: 4\n\nbody", "body"),
        ("HTTP/1.1 200 OK\r\nContent-Length:4\r\n\r\nbody", "body"),
        ("HTTP/1.1 200 OK\r\nContent-Length: \t 4 \t\r\n\r\nbody", "body"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody", "body"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nbody", "body"),
        ("HTTP/1.1 200 OK\r\nTRANSFER-encoding: Chunked\r\n\r\n4;a=\"b\"\r\nbody\r\n0\r\n\r\n", "body"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX-Trailer: 1\r\n\r\n", "body"),
        (
            "HTTP/1.1 103 Early\r\nX: 1\r\n\r\nHTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
            "body"
        ),
        ("HTTP/1.1 200 \u{FC}\u{FC}\r\nContent-Length: 4\r\n\r\nbody", "body"),
        ("HTTP/1.1 999 Odd\r\nContent-Length: 4\r\n\r\nbody", "body"),
    ])
    func `A response head that is unusual but unambiguous, such as with bare line feeds, is accepted`(
        bytes: String,
        body: String
    ) async throws {
        #expect(try await result(to: bytes).get().text == body)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 100 Continue\r\n\r\n", "",
    ])
    func `A connection that closes inside the response head fails with connectionLost`(bytes: String) async throws {
        let result = try await result(to: bytes)
        #expect(result.reason == .connectionLost, "\(result)")
        #expect(result.failure?.phase == .head)
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nbody", "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n",
        "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n", "Transfer-Encoding: chunked\r\n\r\n9\r\nbody",
        "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX-Trailer: 1\r\n",
    ])
    func `A response body shorter than its Content-Length or chunks declare fails with connectionLost`(rest: String)
        async throws
    {
        let result = try await result(to: "HTTP/1.1 200 OK\r\n" + rest)
        #expect(result.reason == .connectionLost, "\(result)")
        #expect(result.failure?.phase == .body)
    }

    @Test(arguments: ["204 No Content", "304 Not Modified"])
    func `A 204, 304 or HEAD response has an empty body even if another response follows its head`(status: String)
        async throws
    {
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        for framing in ["Content-Length: \(forged.utf8.count)\r\n", "Transfer-Encoding: chunked\r\n", ""] {
            let reply = try await result(to: "HTTP/1.1 \(status)\r\n\(framing)\r\n" + forged).get()
            #expect(reply.data.isEmpty)
        }
        let reply = try await result(.head, to: "HTTP/1.1 200 OK\r\nContent-Length: 46\r\n\r\n" + forged).get()
        #expect(reply.data.isEmpty)
    }

    @Test func `Response headers keep their order, their duplicates and the case of their names`() async throws {
        let head = "HTTP/1.1 200 OK\r\nB: 1\r\na: 2\r\nSet-Cookie: x=1, y\r\nb:3\r\nset-cookie: z=2\r\nEmpty:\r\n"
        let folded = "Folded: one\r\n  two\r\n\tthree\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer(always: head + folded)
        defer { server.stop() }
        let log = EventLog()
        session.events(for: ExchangeRequest(to: server.url())).subscribe(log)
        _ = try await log.end.value()
        guard case .head(let head)? = log.events.first else {
            Issue.record("\(log.events)")
            return
        }
        #expect(
            head.headers.map { "\($0.name)=\($0.value)" } == [
                "B=1", "a=2", "Set-Cookie=x=1, y", "b=3", "set-cookie=z=2", "Empty=", "Folded=one two three",
                "Content-Length=0",
            ]
        )
        #expect(head.httpVersion == "HTTP/1.1")
        #expect(head.headers.values(for: "SET-COOKIE") == ["x=1, y", "z=2"])
    }

    @Test func `A response header value that is not valid UTF-8 is read as Latin-1 by CurlSession`() async throws {
        let bytes =
            Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [0xFC, 0x80] + Array("\r\nY: ü\r\nContent-Length: 0\r\n\r\n".utf8)
        let reply = try await result(to: bytes).get()
        #expect(reply.headers["X"] == "\u{FC}\u{80}")
        #expect(reply.headers["Y"] == "ü")
    }

    @Test(arguments: [
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 50_000),
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 1 << 20),
        "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 100_000),
        "HTTP/1.1 " + String(repeating: "2", count: 1 << 20),
    ])
    func `An endless response head fails with tooLarge or malformedResponse`(bytes: String) async throws {
        let server = try ScriptedServer(hostile: { try $0.write(bytes) })
        defer { server.stop() }
        let failure = try await session.failure(of: ExchangeRequest(port: server.port, "/bad"))
        switch failure?.reason {
        case .tooLarge(.headerBytes, _)?, .tooLarge(.headerLine, _)?, .malformedResponse?: break
        default: Issue.record("\(String(describing: failure))")
        }
    }

    @Test func `Response trailers larger than headerBytes fail with tooLarge`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n"
        let result = try await result(to: head + String(repeating: "X-Trailer: y\r\n", count: 100_000) + "\r\n")
        guard case .tooLarge(.headerBytes, _)? = result.reason else {
            Issue.record("\(result)")
            return
        }
    }
}
#endif
