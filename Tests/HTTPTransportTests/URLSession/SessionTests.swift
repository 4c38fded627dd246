import DemoServer
import Foundation
import HTTPTransport
import Locking
import PortableCombine
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.everyEngine) struct SessionTests {
    @Test func aThousandRequestsOneConnection() async throws {
        let session = Engine.makeSession()
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        for _ in 0..<1_000 {
            guard await session.fetch(make(.get, server.url()))?.text == "x" else {
                Issue.record("a request failed")
                return
            }
        }
        #expect(server.connections == 1)
        #expect(server.requests.count == 1_000)
    }

    @Test func aClosedSessionRefuses() async throws {
        let session = Engine.makeSession()
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        session.close()
        let error = await session.fetch(make(.get, server.url()))?.error
        #expect(error?.reason == .sessionClosed)
        #expect(error?.phase == .request)
        #expect(server.connections == 0)
    }

    @Test func aUsersSessionIsGuardedAsWell() async throws {
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
        configuration.httpAdditionalHeaders = ["X-Session": "s", "Authorization": "Bearer canary"]
        configuration.httpCookieAcceptPolicy = .always
        configuration.httpShouldSetCookies = true
        let session = URLSession(configuration: configuration)
        #expect(await session.fetch(make(.get, server.url("/401")))?.text == "who?")
        #expect(await session.fetch(make(.get, server.url("/1")))?.text == "end")
        #expect(await session.fetch(make(.get, server.url("/302"), ["X-Port": "\(server.port)"]))?.text == "end")
        let requests = server.requests
        #expect(requests.map(\.target) == ["/401", "/1", "/302", "/end"])
        #expect(requests.map { $0["X-Session"] } == ["s", "s", "s", "s"])
        #expect(requests.allSatisfy { $0["Cookie"] == nil })
        #if canImport(FoundationNetworking)
        #expect(requests.map { $0["Authorization"] } == ["Bearer canary", "Bearer canary", "Bearer canary", nil])
        #endif
    }

    @Test func aSessionMayGoWhenItsRequestHasStarted() async throws {
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let recorder = Recorder<Whole, TransportError>()
        do {
            let session = URLSession(configuration: .ephemeral)
            session.response(to: make(.get, server.url())).subscribe(recorder)
        }
        guard case .finished = await recorder.end() else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
    }

    @Test func manyShortSessionsDoNotPileUp() async throws {
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let sessions = Locked<[Weak]>([])
        for _ in 0..<20 {
            let session = URLSession(configuration: .ephemeral)
            #expect(await session.fetch(make(.get, server.url()))?.text == "x")
            sessions.withLock { $0.append(Weak(object: session)) }
            session.finishTasksAndInvalidate()
        }
        #expect(await settles { sessions.withLock { $0.filter { $0.object != nil }.count } == 0 })
        #expect(await settles { server.openConnections <= 2 }, "\(server.openConnections)")
    }

    @Test func theHeadIsTheSameInBothForms() async throws {
        let server = try ScriptedServer(always: reply("201 Made", ["etag: \"x\"", "X-A: 1", "x-a: 2"], body: "x"))
        defer { server.stop() }
        let recorder = Recorder<ExchangeEvent, TransportError>()
        Engine.makeSession().events(for: make(.get, server.url("/made?a=1"))).subscribe(recorder)
        _ = await recorder.end()
        let head = try #require(
            recorder.values.lazy.compactMap { if case .head(let head) = $0 { head } else { nil } }.first
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

    private struct Weak {
        weak var object: AnyObject?
    }
}
