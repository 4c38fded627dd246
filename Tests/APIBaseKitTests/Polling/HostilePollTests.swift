import APIBaseKit
import APIBaseStubs
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Operations at servers that mean harm.
@Suite(.everySession, .limited) struct HostilePollTests {
    private final class Job: JSONAPI, PolledRequest {
        typealias ModelType = JSONValue

        init(_ server: ScriptedServer? = nil) {
            super.init(.post("/a/b"))
            baseURL = server?.url("") ?? URL(string: "http://api.example")
            session = server == nil ? session : EverySession.current
        }
    }

    /// Where a server sends the polls, and what they ask; `nil` if they must not be sent.
    static let locations: [(String, String?)] = [
        ("javascript:alert(1)", nil), ("JavaScript://127.0.0.1/%0aalert(1)", nil), ("file:///etc/passwd", nil),
        ("file:/etc/passwd", nil), ("data:application/json,{}", nil), ("mailto:a@example.com", nil),
        ("ftp://127.0.0.1/x", nil), ("about:blank", nil), ("http://", nil), ("http:///x", nil), ("//", nil),
        ("http://127.0.0.1:99999/", nil),
        ("", "/a/b"), ("#x", "/a/b"), ("?q", "/a/b?q"), ("c", "/a/c"), (".", "/a/"), ("../../../c", "/c"),
        ("/c d", "/c%20d"), ("/\u{E9}", "/%C3%A9"), ("/a%2Fb", "/a%2Fb"), ("/%00", nil),
        ("/\(String(repeating: "x", count: 6_000))", "/\(String(repeating: "x", count: 6_000))"),
    ]

    /// Runs code on the clock of stubs that answer nothing: no wait between polls takes time.
    private func withoutWaits(_ body: () async throws -> Void) async throws {
        try await Stubs(unmatched: .passThrough).runUnchecked { try await body() }
    }

    @Test(arguments: locations)
    func `PolledRequest polls the Location of a 202, and fails with TransportError if it is invalid`(
        location: String,
        target: String?
    ) async throws {
        let server = try ScriptedServer { _, connection, index in
            let answer = index > 0 ? "200 OK" : "202 Accepted"
            let headers = ["Content-Type: application/json", "Retry-After: 0", "Location: \(location)"]
            try connection.write(reply(answer, headers, body: "{}"))
        }
        defer { server.stop() }
        try await withoutWaits {
            if let target {
                let result = try await Job(server).result(within: .seconds(600))
                #expect(result == [:])
                #expect(server.requests.map(\.requestLine) == ["POST /a/b HTTP/1.1", "GET \(target) HTTP/1.1"])
            } else {
                await #expect(throws: TransportError.self) { try await Job(server).result(within: .seconds(600)) }
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `PolledRequest fails with notDone at its time limit when each poll gets a 202`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let next = request.target == "/x" ? "/y" : "/x"
            let headers = ["Content-Type: application/json", "Retry-After: 0", "Location: \(next)"]
            try connection.write(reply("202 Accepted", headers, body: "{}"))
        }
        defer { server.stop() }
        await #expect(throws: RequestError.notDone(within: .milliseconds(150))) {
            try await Job(server).result(within: .milliseconds(150))
        }
        // A tenth of a second apart, however often the server asks for none.
        #expect(server.requests.count <= 2)
    }

    /// Polls follow redirects, and the transport ends their loops.
    @Test func `PolledRequest fails with TransportError when a poll is redirected in a loop`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let headers = ["Retry-After: 0", "Location: /x"]
            try connection.write(reply(request.method == "POST" ? "202 Accepted" : "302 Found", headers))
        }
        defer { server.stop() }
        try await withoutWaits {
            await #expect(throws: TransportError.self) { try await Job(server).result(within: .seconds(600)) }
        }
    }

    /// What comes before the result, and what is waited.
    static let delays: [(String, Duration)] = [
        ("-1", .seconds(1)), ("1e99", .seconds(1)), ("soon", .seconds(1)), ("", .seconds(1)), ("0x10", .seconds(1)),
        ("5, 5", .seconds(5)), ("NaN", .seconds(1)), ("Thu, 01 Jan 1970 00:00:00 GMT", .milliseconds(100)),
        ("0", .milliseconds(100)), (String(repeating: "0", count: 5_000) + "7", .seconds(7)),
        (String(repeating: "9", count: 5_000), .seconds(999_999_999)),
    ]

    @Test(arguments: delays)
    func `PolledRequest waits 1 s for a malformed Retry-After, 100 ms for 0, and fails for a huge one`(
        text: String,
        delay: Duration
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(
            inOrder: .json("{}", status: 202, headers: ["Retry-After": text]),
            .json("{}"),
            then: .repeatLast
        )
        try await stubs.run {
            if delay > .seconds(60) {
                await #expect(throws: RequestError.notDone(within: .seconds(60))) {
                    try await Job().result(within: .seconds(60))
                }
            } else {
                _ = try await Job().result(within: .seconds(60))
            }
        }
        #expect(stubs.waits == (delay > .seconds(60) ? [] : [.init(.poll, delay)]))
    }

    /// Each of two loops over one request object begins its own operation.
    @Test func `Two interleaved eachPoll() loops over one PolledRequest each start their own operation`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/a/b").answer { _ in .json("0", status: 202, headers: ["Location": "/job"]) }
        stubs.on(.get, "/job").answer(inOrder: .json("1", status: 202), .json("2", status: 202), .json("3"), .json("4"))
        try await stubs.run {
            let job = Job()
            let polls = job.eachPoll(within: .seconds(60))
            var (first, second) = (polls.makeAsyncIterator(), polls.makeAsyncIterator())
            var values: [JSONValue?] = []
            for _ in 0..<4 {
                values.append(try await first.next())
                values.append(try await second.next())
            }
            #expect(values == [0, 0, 1, 2, 3, 4, .none, .none])
        }
        #expect(stubs.calls.count == 6)
    }

    @Test func `PolledRequest fails with undecodable when its final 200 response is malformed JSON`() async throws {
        for body in ["", "<html>", "NaN", "{", String(repeating: "[", count: 100_000)] {
            let server = try ScriptedServer { _, connection, index in
                let headers = ["Content-Type: application/json", "Retry-After: 0"]
                try connection.write(reply(index > 1 ? "200 OK" : "202 Accepted", headers, body: body))
            }
            defer { server.stop() }
            try await withoutWaits {
                let error = await #expect(throws: RequestError.self) {
                    try await Job(server).result(within: .seconds(600))
                }
                guard case .undecodable? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(server.requests.count == 3)
            }
        }
    }
}
