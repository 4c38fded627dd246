import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.tags(.concurrent), .everyEngine, .limited) struct URLSessionTests {
    @Test func `Hundreds of sequential requests use one connection on every engine`() async throws {
        let session = Engine.makeSession()
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let count = load(1_000)
        for _ in 0..<count {
            guard try await session.reply(to: ExchangeRequest(port: server.port)).text == "x" else {
                Issue.record("a request failed")
                return
            }
        }
        #expect(server.connections == 1)
        #expect(server.requests.count == count)
    }

    @Test func `A request on a closed session fails with sessionClosed and opens no connection`() async throws {
        let session = Engine.makeSession()
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        session.close()
        let error = try await session.failure(of: ExchangeRequest(port: server.port))
        #expect(error?.reason == .sessionClosed)
        #expect(error?.phase == .request)
        #expect(server.connections == 0)
    }

    @Test func `ResponseHead and its httpURLResponse have the same status and headers`() async throws {
        let server = try ScriptedServer(always: reply("201 Made", ["etag: \"x\"", "X-A: 1", "x-a: 2"], body: "x"))
        defer { server.stop() }
        let log = EventLog()
        Engine.makeSession().events(for: ExchangeRequest(to: server.url("/made?a=1"))).subscribe(log)
        _ = try await log.end.value()
        let head = try #require(
            log.events.lazy.compactMap { if case .head(let head) = $0 { head } else { nil } }.first
        )
        #expect(head.statusCode == 201)
        #expect(head.url == server.url("/made?a=1"))
        #expect(head.headers["ETag"] == "\"x\"")
        #expect(head.headers["X-A"]?.split(separator: ",").count == 2)
        #expect(head.httpURLResponse.statusCode == 201)
        let made = ResponseHead(
            statusCode: 404,
            headers: ["A": "1", "a": "2"],
            url: server.url(),
            httpVersion: "HTTP/2"
        )
        #expect(made.httpURLResponse.statusCode == 404)
        #expect(made.httpURLResponse.value(forHTTPHeaderField: "a") == "1, 2")
        #expect(made.httpURLResponse === made.httpURLResponse)
    }
}

/// A `URLSession` of the caller's.
@Suite(.tags(.concurrent), .limited) struct CallersURLSessionTests {
    @Test
    func `A caller's URLSession never sends cookies, and sends no Authorization to another origin`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            switch request.target {
            case "/401": try connection.write(reply("401 No", ["WWW-Authenticate: Basic realm=\"x\""], body: "who?"))
            case "/302":
                try connection.write(reply("302 R", ["Location: http://localhost:\(request["X-Port"] ?? "")/end"]))
            default: try connection.write(reply("200 OK", ["Set-Cookie: sid=1; Path=/"], body: "end"))
            }
        }
        defer { server.stop() }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Plain": "s", "Authorization": "Bearer canary"]
        configuration.httpCookieAcceptPolicy = .always
        configuration.httpShouldSetCookies = true
        let session = URLSession(configuration: configuration)
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/401")).text == "who?")
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/1")).text == "end")
        let away = try ExchangeRequest(port: server.port, "/302", headers: ["X-Port": "\(server.port)"])
        #expect(try await session.reply(to: away).text == "end")
        let requests = server.requests
        #expect(requests.map(\.target) == ["/401", "/1", "/302", "/end"])
        #expect(requests.map { $0["X-Plain"] } == ["s", "s", "s", "s"])
        #expect(requests.allSatisfy { $0["Cookie"] == nil })
        #if canImport(FoundationNetworking)
        #expect(requests.map { $0["Authorization"] } == ["Bearer canary", "Bearer canary", "Bearer canary", nil])
        #endif
    }

    @Test func `A request completes although its URLSession is released after the start`() async throws {
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let log = EventLog()
        do {
            let session = URLSession(configuration: .ephemeral)
            try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        }
        #expect(try await log.end.value() == nil)
    }

    @Test func `Short-lived URLSessions are released and close their connections`() async throws {
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let sessions = Locked<[Weak]>([])
        for _ in 0..<20 {
            let session = URLSession(configuration: .ephemeral)
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "x")
            sessions.withLock { $0.append(Weak(object: session)) }
            session.finishTasksAndInvalidate()
        }
        #expect(try await holds { sessions.withLock { $0.filter { $0.object != nil }.count } == 0 })
        #expect(try await holds { server.openConnections <= 2 }, "\(server.openConnections)")
    }

    private struct Weak {
        weak var object: AnyObject?
    }
}
