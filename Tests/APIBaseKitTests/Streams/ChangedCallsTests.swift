import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Writes of an update that are tried again, and meet a 412 then.
@Suite(.limited) struct ChangedCallsTests {
    private final class Leaf: JSONAPI, Request {
        typealias ModelType = JSONValue

        init(_ url: URL? = URL(string: "http://notes.example")) {
            super.init(.get("/x"))
            baseURL = url
            retry = RetryPolicy(attempts: 3, statusCodes: [401, 408, 429, 500, 502, 503, 504], backoff: .none)
        }
    }

    /// How an update ends whose first write has this answer, and whose second one the status 412.
    private func update(_ answer: StubAnswer) async throws -> (value: JSONValue?, methods: [HTTPMethod]) {
        let stubs = Stubs()
        stubs.on(.get).answer(.json(#"{"n": 1}"#, headers: ["ETag": "\"1\""]))
        stubs.on(.put).answer(inOrder: answer, .status(412), .json("3"))
        let value = try await stubs.runUnchecked { () -> JSONValue? in
            do { return try await Leaf().update { $0 = 2 } } catch RequestError.httpFailure(412) { return nil }
        }
        return (value, stubs.calls.map(\.method))
    }

    @Test(
        arguments: [
            .fault(.connectionRefused), .fault(.hostNotFound), .status(429),
        ] as [StubAnswer]
    )
    func `After a write that was surely not performed, update() reads and writes again on a 412`(answer: StubAnswer)
        async throws
    {
        let (value, methods) = try await update(answer)
        #expect(value == 3)
        #expect(methods == [.get, .put, .put, .get, .put])
    }

    @Test(
        arguments: [
            .fault(.connectionLost), .status(408), .status(500), .status(502), .status(503), .status(504),
            .error(URLError(.networkConnectionLost)),
        ] as [StubAnswer]
    )
    func `After a write that may have been performed, update() reads once more and fails on a 412`(answer: StubAnswer)
        async throws
    {
        let (value, methods) = try await update(answer)
        #expect(value == nil)
        #expect(methods == [.get, .put, .put, .get])
    }

    @Test func `After a write for which there was no token, update() reads and writes again on a 412`() async throws {
        let stubs = Stubs()
        stubs.on(.get).answer(.json(#"{"n": 1}"#, headers: ["ETag": "\"1\""]))
        stubs.on(.put).answer(inOrder: .status(401), .status(412), .json("3"))
        let tokens = TokenSource(Token("1")) { [first = FirstTime()] _ in
            if first.isNow { throw TransportError(phase: .connect, reason: .cannotConnect, url: nil) }
            return Token("2")
        }
        let value = try await stubs.run {
            let leaf = Leaf()
            leaf.authorization = .tokens(tokens)
            return try await leaf.update { $0 = 2 }
        }
        #expect(value == 3)
        #expect(stubs.calls.map(\.method) == [.get, .put, .put, .get, .put])
    }

    /// A leaf whose first write goes to a port where nobody listens.
    private final class Detour: JSONAPI, Request {
        typealias ModelType = JSONValue
        private let closed: URL
        private let first = FirstTime()

        init(_ url: URL, closed: URL) {
            self.closed = closed
            super.init(.get("/x"))
            (baseURL, retry) = (url, RetryPolicy(attempts: 3, backoff: .none))
        }

        override func intercept(
            _ request: URLRequest,
            next: @escaping (URLRequest) -> ReplyPublisher
        ) -> ReplyPublisher {
            var request = request
            if request.httpMethod == "PUT", first.isNow { request.url = closed }
            return next(request).handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher()
        }
    }

    @Test(.everySession)
    func `After a write to a port where nobody listens, update() reads and writes again on a 412`() async throws {
        let writes = Counter()
        let server = try ScriptedServer { request, connection, _ in
            let read = reply("200 OK", ["Content-Type: application/json", "ETag: \"1\""], body: #"{"n":1}"#)
            guard request.method == "PUT" else { return try connection.write(read) }
            let refusal = reply("412 Precondition Failed")
            let done = reply("200 OK", ["Content-Type: application/json"], body: "3")
            try connection.write(writes.next() == 1 ? refusal : done)
        }
        defer { server.stop() }
        let closed = try RefusingPort(path: "/x")
        let leaf = Detour(server.url(""), closed: closed.url)
        leaf.session = EverySession.current
        #expect(try await leaf.update { $0 = 2 } == 3)
        #expect(server.requests.map(\.method) == ["GET", "PUT", "GET", "PUT"])
    }

    @Test(.everySession)
    func `After a 429 from a real server, update() reads and writes again on a 412`() async throws {
        let writes = Counter()
        let server = try ScriptedServer { request, connection, _ in
            let read = reply("200 OK", ["Content-Type: application/json", "ETag: \"1\""], body: #"{"n":1}"#)
            guard request.method == "PUT" else { return try connection.write(read) }
            switch writes.next() {
            case 1: try connection.write(reply("429 Too Many Requests"))
            case 2: try connection.write(reply("412 Precondition Failed"))
            default: try connection.write(reply("200 OK", ["Content-Type: application/json"], body: "3"))
            }
        }
        defer { server.stop() }
        let leaf = Leaf(server.url(""))
        leaf.session = EverySession.current
        #expect(try await leaf.update { $0 = 2 } == 3)
        #expect(server.requests.map(\.method) == ["GET", "PUT", "PUT", "GET", "PUT"])
    }
}

private final class Counter: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

private final class FirstTime: Sendable {
    private let counter = Counter()

    var isNow: Bool { counter.next() == 1 }
}
