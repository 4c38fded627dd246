import LoopbackServer
import Foundation
import HostileServer
import Basics
import TestTiers
import Testing

@testable import HTTPTransport

/// Chains of redirects: how long, with which bodies, and what is no redirect at all.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct RedirectChainTests {
    private let session = Engine.makeSession()

    /// Counts down: `/3` leads to `/2`, and `/0` answers.
    private func countdown() throws -> HTTPServer {
        try HTTPServer { request in
            let rest = Int(request.path.dropFirst()) ?? 0
            guard rest > 0 else { return .text("landed") }
            return ServerResponse(status: 302, headers: HTTPFields(["Location": "/\(rest - 1)"]))
        }
    }

    @Test(arguments: [(10, 10), (3, 3), (1, 1)])
    func `Redirects up to the limit are followed, and one more fails with tooManyRedirects`(limit: Int, hops: Int)
        async throws
    {
        let server = try countdown()
        defer { server.stop() }
        var limits = ExchangeRequest.Limits.default
        limits.redirects = limit
        #expect(
            try await session.reply(to: ExchangeRequest(port: server.port, "/\(hops)", limits: limits)).status == 200
        )
        let error = try await session.failure(of: ExchangeRequest(port: server.port, "/\(hops + 1)", limits: limits))
        #expect(error?.reason == .tooManyRedirects(limit: limit))
        #expect(error?.phase == .redirect)
    }

    @Test func `The default limit of redirects is ten`() async throws {
        let server = try countdown()
        defer { server.stop() }
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/10")).text == "landed")
        let error = try await session.failure(of: ExchangeRequest(port: server.port, "/11"))
        #expect(error?.reason == .tooManyRedirects(limit: 10))
    }

    @Test func `A redirect loop fails with tooManyRedirects after eleven requests`() async throws {
        let count = Locked(0)
        let server = try HTTPServer { _ in
            count.withLock { $0 += 1 }
            return ServerResponse(status: 308, headers: HTTPFields(["Location": "/again"]))
        }
        defer { server.stop() }
        let error = try await session.failure(of: ExchangeRequest(port: server.port, "/again"))
        #expect(error?.reason == .tooManyRedirects(limit: 10))
        #expect(count.withLock { $0 } == 11)
    }

    @Test func `With a limit of zero redirects, the redirect itself is the response`() async throws {
        let server = try countdown()
        defer { server.stop() }
        var limits = ExchangeRequest.Limits.default
        limits.redirects = 0
        let reply = try await session.reply(to: ExchangeRequest(port: server.port, "/1", limits: limits))
        #expect(reply.status == 302)
        #expect(reply.headers["Location"] == "/0")
    }

    @Test(arguments: [(300, "/x"), (304, "/x"), (305, "/x"), (306, "/x"), (201, "/x"), (302, nil), (307, "")])
    func `A status that is not a redirect, or a redirect without Location, is the response`(
        status: Int,
        location: String?
    ) async throws {
        let server = try HTTPServer { _ in
            .text("body", status: status, headers: location.map { HTTPFields(["Location": $0]) } ?? HTTPFields())
        }
        defer { server.stop() }
        let reply = try await session.reply(to: ExchangeRequest(port: server.port))
        #expect(reply.status == status)
        // Foundation on Linux keeps the body of what it takes for a redirect to itself.
        if ![302, 304, 307].contains(status) { #expect(reply.text == "body") }
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirected HEAD request stays a HEAD request`(status: Int) async throws {
        let methods = Locked<[String]>([])
        let server = try HTTPServer { request in
            methods.withLock { $0.append(request.method) }
            guard request.path == "/" else { return .text("end") }
            return .text("moved", status: status, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        #expect(try await session.reply(to: ExchangeRequest(.head, port: server.port)).status == 200)
        #expect(methods.withLock { $0 } == ["HEAD", "HEAD"])
    }

    // MARK: Bodies

    private func bodies(after status: Int, sending body: HTTPBody) async throws -> (reply: Reply, received: [String]) {
        let received = Locked<[String]>([])
        let server = try HTTPServer { request in
            received.withLock { $0.append("\(request.method) \(String(decoding: request.body, as: UTF8.self))") }
            guard request.path == "/" else { return .text("end") }
            return ServerResponse(status: status, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        let reply = try await session.reply(to: ExchangeRequest(.post, port: server.port, body: body))
        return (reply, received.withLock { $0 })
    }

    private func once() -> HTTPBody {
        .once(InputStream(data: Data("stream".utf8)), count: 6)
    }

    @Test(arguments: [307, 308])
    func `A 307 or 308 redirect of a one-shot stream upload is delivered instead of followed`(status: Int) async throws
    {
        let (reply, received) = try await bodies(after: status, sending: once())
        #expect(reply.status == status)
        #expect(received == ["POST stream"])
    }

    @Test(arguments: [301, 302, 303])
    func `A 301, 302 or 303 redirect of a one-shot stream upload is followed as GET without a body`(status: Int)
        async throws
    {
        let (reply, received) = try await bodies(after: status, sending: once())
        #expect(reply.status == 200)
        #expect(received == ["POST stream", "GET "])
    }

    @Test(arguments: [307, 308])
    func `A 307 or 308 redirect sends a replayable stream or a file again`(status: Int) async throws {
        let stream = HTTPBody.stream(count: 6) { InputStream(data: Data("stream".utf8)) }
        #expect(try await bodies(after: status, sending: stream).received == ["POST stream", "POST stream"])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await bodies(after: status, sending: .file(file)).received == ["POST file", "POST file"])
    }

    /// It breaks off, or stays away: then it is waited for, a second long.
    @Test(arguments: runsAllTests ? [true, false] : [true])
    func `A redirect is followed although its body is cut off or never ends`(closes: Bool) async throws {
        #if os(Linux)
        // Foundation reads the body before it tells of the redirect.
        guard Engine.current == .curl else { return }
        #endif
        let server = try ScriptedServer { request, connection, _ in
            if request.target == "/end" { return try connection.write(reply(body: "end")) }
            try connection.write("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 100\r\n\r\nhalf")
            if closes { connection.close() } else { _ = try? connection.readToEnd() }
        }
        defer { server.stop() }
        // Else it would be waited for without end.
        let limits = ExchangeRequest.Limits.with { $0.idle = nil }
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, limits: limits)).text == "end")
        #expect(server.requests.map(\.target) == ["/", "/end"])
    }

    @Test(arguments: [10, 60_000, 200_000, 3_000_000])
    func `The body of a followed redirect is dropped, whatever its size`(count: Int) async throws {
        let server = try HTTPServer { request in
            guard request.path == "/" else { return .text("end") }
            let fields = HTTPFields(["Location": "/end"])
            guard count < 1_000_000 else {
                return ServerResponse(
                    status: 302,
                    headers: fields,
                    body: .stream { write in
                        for _ in 0..<(count / 10_000) { try write(Data(repeating: 1, count: 10_000)) }
                    }
                )
            }
            return .text(String(repeating: "x", count: count), status: 302, headers: fields)
        }
        defer { server.stop() }
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "end")
    }
}
