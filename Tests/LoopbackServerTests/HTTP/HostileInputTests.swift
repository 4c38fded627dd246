import Foundation
import LoopbackServer
import RawClient
import TestTiers
import Testing

/// A request that must be refused, and its status.
struct HostileRequest: CustomTestStringConvertible, Sendable {
    let status: Int
    let text: String

    init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }

    var testDescription: String { "\(status) for \(text.prefix(60).debugDescription)" }

    private static let host = "Host: h\r\n"
    private static let chunked = "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"

    static let heads = [
        HostileRequest(400, "\r\n\r\n"),
        HostileRequest(400, "GET /\r\n\r\n"),
        HostileRequest(400, "GET  / HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET / HTTP/1.1 \r\n\(host)\r\n"),
        HostileRequest(400, " GET / HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "G(T / HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET / http/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET / HTTP/11\r\n\(host)\r\n"),
        HostileRequest(505, "GET / HTTP/2.0\r\n\(host)\r\n"),
        HostileRequest(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\n\(host)\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)X: a\0b\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)X: a\u{1}b\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)X: a\u{7F}b\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)X: a\r\n b\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)X : a\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)X\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host): a\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\n\(host)\(host)\r\n"),
        HostileRequest(400, "GET / HTTP/1.0\r\n\(host)\(host)\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        HostileRequest(400, "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n"),
    ]

    static let targets = [
        HostileRequest(400, "GET a HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET * HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /a#b HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /% HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /%4 HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /%zz HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /%00 HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /%ff HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /?a=%C0%AF HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /?%=1 HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET /\u{E9} HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET http:// HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET http:///a HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET http://a@b/ HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(400, "GET ftp://h/ HTTP/1.1\r\n\(host)\r\n"),
        HostileRequest(501, "CONNECT h:443 HTTP/1.1\r\n\(host)\r\n"),
    ]

    static let framings = [
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\na"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: 1x\r\n\r\na"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: 0x1\r\n\r\na"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: \r\n\r\n"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: 1, 1\r\n\r\na"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        HostileRequest(413, "POST / HTTP/1.1\r\n\(host)Content-Length: 9999999\r\n\r\n"),
        HostileRequest(413, "POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999999\r\n\r\n"),
        HostileRequest(
            400,
            "POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        HostileRequest(
            400,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: \r\n\r\n"),
        HostileRequest(501, "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        HostileRequest(400, "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n"),
        HostileRequest(501, "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        HostileRequest(400, "POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        HostileRequest(417, "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nExpect: 200-ok\r\n\r\na"),
        HostileRequest(400, chunked + "x\r\n"),
        HostileRequest(400, chunked + "\r\n"),
        HostileRequest(400, chunked + "-1\r\n"),
        HostileRequest(400, chunked + "0x1\r\na\r\n"),
        HostileRequest(400, chunked + "1\na\r\n"),
        HostileRequest(400, chunked + "1\r\nab\r\n0\r\n\r\n"),
        HostileRequest(400, chunked + "1\r\na\n0\r\n\r\n"),
        HostileRequest(400, chunked + "0\r\nbad trailer\r\n\r\n"),
        HostileRequest(400, chunked + "0\r\n folded: x\r\n\r\n"),
        HostileRequest(400, chunked + "1;" + String(repeating: "e", count: 2_000) + "\r\na\r\n"),
        HostileRequest(413, chunked + "fffffffffffffffff\r\n"),
        HostileRequest(413, chunked + "7fffffffffffffff\r\n"),
        HostileRequest(413, chunked + "800\r\n" + String(repeating: "x", count: 2_048) + "\r\n800\r\n"),
    ]

    static let sizes = [
        HostileRequest(414, "GET /" + String(repeating: "a", count: 600)),
        HostileRequest(431, "GET / HTTP/1.1\r\n\(host)X: " + String(repeating: "a", count: 1_100)),
        HostileRequest(431, "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 21)),
        HostileRequest(431, chunked + "0\r\n" + String(repeating: "X: y\r\n", count: 21) + "\r\n"),
    ]
}

@Suite(.limited) struct HostileInputTests {
    private static func limits() -> HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytes = 512
        limits.headerBytes = 1_024
        limits.headerCount = 20
        limits.bodyBytes = 4_000
        // Until the client closes, however slow it is.
        limits.lingerTime = .seconds(60)
        return limits
    }

    @Test(arguments: HostileRequest.heads + HostileRequest.targets + HostileRequest.framings + HostileRequest.sizes)
    func `HTTPServer answers a malformed request with the error status for its fault, then disconnects`(
        _ request: HostileRequest
    )
        throws
    {
        let server = try HTTPServer(limits: Self.limits()) { request in
            Issue.record("The handler was asked: \(request.target)")
            return ServerResponse()
        }
        defer { server.stop() }
        let client = try RawClient(server)
        let response = try client.exchange(request.text)
        #expect(response.status == request.status)
        #expect(response["Connection"] == "close")
        let refusal = try response.json(Refusal.self)
        #expect(refusal.error)
        #expect(!refusal.reason.isEmpty)
        #expect(client.isEnded())
    }

    @Test(arguments: HostileRequest.heads + HostileRequest.targets + HostileRequest.framings)
    func `HTTPServer refuses a malformed request with the right status even if it arrives byte by byte`(
        _ request: HostileRequest
    ) throws {
        let server = try HTTPServer(limits: Self.limits()) { _ in ServerResponse() }
        defer { server.stop() }
        let client = try RawClient(server)
        // The server may answer and close before the last byte.
        for byte in request.text.utf8 { guard (try? client.connection.write([byte])) != nil else { break } }
        #expect(try client.response().status == request.status)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func `HTTPServer closes the connection of a truncated request without calling the handler`(_ request: String) throws
    {
        let server = try HTTPServer(limits: Self.limits()) { request in
            Issue.record("The handler was asked: \(request.target)")
            return ServerResponse()
        }
        defer { server.stop() }
        for length in 0..<request.utf8.count {
            let client = try RawClient(server)
            try client.connection.write(Array(request.utf8.prefix(length)))
            client.connection.finishWriting()
            #expect(client.isEnded())
        }
    }

    @Test func `HTTPServer never answers a request that is smuggled in the body of a request it refuses`() throws {
        let server = try HTTPServer(limits: Self.limits()) { _ in .text("smuggled") }
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "0\r\n\r\nGET /secret HTTP/1.1\r\nHost: h\r\n\r\n"
        )
        #expect(try client.response().status == 400)
        #expect(client.isEnded())
    }

    @Test func `HTTPServer answers 408 and closes when a request head is incomplete at the time limit`() throws {
        var limits = Self.limits()
        limits.headTime = .milliseconds(60)
        let server = try HTTPServer(limits: limits) { _ in ServerResponse() }
        defer { server.stop() }
        let client = try RawClient(server)
        #expect(try client.exchange("GET / HT").status == 408)
        #expect(client.isEnded())
    }

    @Test(arguments: ["Content-Length: 3\r\n\r\na", "Transfer-Encoding: chunked\r\n\r\n5\r\na"])
    func `HTTPServer answers 408 when a request body is incomplete at the time limit`(_ rest: String) throws {
        var limits = Self.limits()
        limits.bodyTime = .milliseconds(60)
        let server = try HTTPServer(limits: limits) { _ in ServerResponse() }
        defer { server.stop() }
        #expect(try RawClient(server).exchange("POST / HTTP/1.1\r\nHost: h\r\n\(rest)").status == 408)
    }

    @Test func `HTTPServer answers 408 at the time limit of a request head even if bytes keep arriving`() throws {
        var limits = Self.limits()
        limits.headTime = .milliseconds(100)
        let server = try HTTPServer(limits: limits) { _ in ServerResponse() }
        defer { server.stop() }
        let client = try RawClient(server)
        var answer: [UInt8] = []
        try client.send("GET /")
        // More would be too long a request line.
        for _ in 0..<500 where answer.isEmpty {
            try client.send("a")
            answer = (try? client.connection.read(before: .now + .milliseconds(20))) ?? []
        }
        if answer.isEmpty { answer = try client.connection.read() }
        #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    }

    @Test func `HTTPServer closes an idle connection at its time limit without sending a response`() throws {
        var limits = Self.limits()
        limits.idleTime = .milliseconds(50)
        let server = try HTTPServer(limits: limits) { _ in ServerResponse() }
        defer { server.stop() }
        #expect(try RawClient(server).isEnded())
        // On a slow machine a connection is closed before its first request has come.
        let client = (0..<20).lazy.compactMap { _ in
            let client = try? RawClient(server)
            return (try? client?.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")) == nil ? nil : client
        }.first
        #expect(try #require(client).isEnded())
    }

    @Test func `HTTPServer stops streaming a response when the client has not read it within the time limit`() throws {
        var limits = Self.limits()
        limits.responseTime = .milliseconds(100)
        let ended = DispatchSemaphore(value: 0)
        let server = try HTTPServer(limits: limits) { _ in
            ServerResponse(
                body: .stream { write in
                    defer { ended.signal() }
                    while true { try write(Data(count: 100_000)) }
                }
            )
        }
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(ended.wait(timeout: .now() + 60) == .success)
        client.connection.close()
    }
}
