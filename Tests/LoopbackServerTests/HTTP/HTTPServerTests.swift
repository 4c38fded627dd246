import Foundation
import LoopbackServer
import RawClient
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct HTTPServerTests {
    /// Answers with the method, the path and the body.
    private func echo(_ limits: HTTPLimits = HTTPLimits()) throws -> HTTPServer {
        try HTTPServer(limits: limits) { request in
            .text("\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
    }

    @Test
    func `HTTPServer adds Content-Length, Content-Type, Server and Date to a response, but no Connection`() throws {
        let server = try echo()
        defer { server.stop() }
        let start = Date()
        let response = try RawClient(server).exchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        let end = Date()
        #expect(response.status == 200)
        #expect(response.text == "GET /a ")
        #expect(response["Content-Length"] == "7")
        #expect(response["Content-Type"] == "text/plain; charset=utf-8")
        #expect(response["Server"] == "HTTPServer")
        #expect(response["Connection"] == nil)
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        let date = try #require(format.date(from: response["Date"] ?? ""))
        // In whole seconds.
        #expect((start.addingTimeInterval(-1)...end).contains(date))
    }

    @Test func `HTTPServer answers 20 requests one after the other on the same connection`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        for number in 0..<20 {
            #expect(try client.exchange("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n").text == "GET /\(number) ")
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func `HTTPServer closes the connection after a request with the header Connection: close`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        let response = try client.exchange("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(response["Connection"] == "close")
        #expect(client.isEnded())
    }

    @Test func `HTTPServer closes the connection after an HTTP 1.0 request without keep-alive`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        #expect(try client.exchange("GET / HTTP/1.0\r\n\r\n").status == 200)
        #expect(client.isEnded())
    }

    @Test func `HTTPServer keeps the connection open after an HTTP 1.0 request with Connection: keep-alive`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        for _ in 0..<2 {
            let response = try client.exchange("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
            #expect(response["Connection"] == "keep-alive")
        }
    }

    @Test func `HTTPServer answers 50 requests sent at once on one connection in the order of the requests`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        let requests = (0..<50).map { number in
            let body = "\r\nContent-Length: 4\r\n\r\nbody"
            return "\(number % 2 == 0 ? "GET" : "POST") /\(number) HTTP/1.1\r\nHost: h"
                + (number % 2 == 0 ? "\r\n\r\n" : body)
        }
        try client.send(requests.joined())
        for number in 0..<50 {
            let expected = number % 2 == 0 ? "GET /\(number) " : "POST /\(number) body"
            #expect(try client.response().text == expected)
        }
    }

    @Test func `HTTPServer reads a request with a chunked body that arrives one byte at a time`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        let request =
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3\r\nabc\r\n2;e=1\r\nde\r\n0\r\nT: 1\r\n\r\n"
        for byte in request.utf8 { try client.connection.write([byte]) }
        #expect(try client.response().text == "POST /x abcde")
        #expect(try client.exchange("GET /next HTTP/1.1\r\nHost: h\r\n\r\n").text == "GET /next ")
    }

    @Test func `HTTPServer answers HEAD with the Content-Length of the body, but does not send the body`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send("HEAD /abc HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.response(toHead: true)["Content-Length"] == "10")
        #expect(try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "GET / ")
    }

    @Test func `HTTPServer sends status 100 when a request with Expect: 100-continue waits to send its body`() throws {
        let server = try echo()
        defer { server.stop() }
        let client = try RawClient(server)
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n"
        #expect(try client.exchange(head).status == 100)
        #expect(try client.exchange("ok").text == "POST / ok")
    }

    @Test func `HTTPServer answers 413, not 100, to Expect: 100-continue if Content-Length is over the limit`() throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 10
        let server = try echo(limits)
        defer { server.stop() }
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n"
        #expect(try RawClient(server).exchange(head).status == 413)
    }

    @Test
    func `A client that has sent a 2 MB body over the limit of HTTPServer still receives its status 413`() throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 10
        // Ends when the client closes.
        limits.lingerTime = .seconds(60)
        let server = try echo(limits)
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n")
        try client.send(String(repeating: "x", count: 2_000_000))
        #expect(try client.response().status == 413)
    }

    @Test func `HTTPServer chunks a streamed response for HTTP 1.1, and closes after it for HTTP 1.0`() throws {
        let server = try HTTPServer { _ in
            ServerResponse(body: .stream { write in for piece in ["a", "", "bc"] { try write(Data(piece.utf8)) } })
        }
        defer { server.stop() }
        let client = try RawClient(server)
        for _ in 0..<2 {
            let response = try client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(response["Transfer-Encoding"] == "chunked")
            #expect(response.text == "abc")
        }
        let old = try RawClient(server).exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(old["Transfer-Encoding"] == nil)
        #expect(old["Connection"] == "close")
        #expect(old.text == "abc")
    }

    @Test func `HTTPServer resets the connection when the body of a streamed response throws an error`() throws {
        struct Broken: Error {}
        let server = try HTTPServer { _ in
            ServerResponse(
                body: .stream { write in
                    try write(Data("a".utf8))
                    throw Broken()
                }
            )
        }
        defer { server.stop() }
        let client = try RawClient(server)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(throws: SocketError.system(call: "recv", code: ECONNRESET)) { try client.connection.readToEnd() }
    }

    @Test func `HTTPServer sends status 500 instead of a response whose header value has a line break`() throws {
        let server = try HTTPServer { _ in ServerResponse(headers: HTTPFields(["X": "a\r\nSet-Cookie: b"])) }
        defer { server.stop() }
        let response = try RawClient(server).exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(response.status == 500)
        #expect(response["Set-Cookie"] == nil)
    }

    @Test
    func `An HTTPServer handler gets the raw head, decoded path segments and query, and repeated headers`() throws {
        let head = "POST /a%2Fb/c?x=1&y=%26+2&z HTTP/1.1\r\nHost: h\r\nX-a:  1 \r\nx-A: 2\r\nContent-Length: 0\r\n\r\n"
        let server = try HTTPServer { request in
            #expect(String(decoding: request.rawHead, as: UTF8.self) == head)
            #expect(request.target == "/a%2Fb/c?x=1&y=%26+2&z")
            #expect(request.path == "/a%2Fb/c")
            #expect(request.pathSegments == ["a/b", "c"])
            #expect(request.query.map(\.name) == ["x", "y", "z"])
            #expect(request.query.map(\.value) == ["1", "& 2", ""])
            #expect(request.headers.values(for: "X-A") == ["1", "2"])
            return ServerResponse(status: 204)
        }
        defer { server.stop() }
        let response = try RawClient(server).exchange("\r\n" + head)
        #expect(response.status == 204)
        #expect(response["Content-Length"] == nil)
    }
}
