@testable import APIBaseStubs
import LoopbackServer
import JSONPlaceholder
import Basics
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct ScopeTests {
    private func stubs(_ text: String) -> Stubs {
        let stubs = Stubs()
        stubs.on(.get, "/").answer(.text(text))
        return stubs
    }

    @Test func `Each of 64 concurrent synchronous Stubs.run scopes answers only its own call`() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "threads").async {
                DispatchQueue.concurrentPerform(iterations: 64) { number in
                    let got = DispatchSemaphore(value: 0)
                    let text = Locked("")
                    let subscription = Locked<AnyCancellable?>(nil)
                    try? stubs("\(number)").run {
                        let sink = Call().start().sink { _ in
                            got.signal()
                        } receiveValue: { value in
                            text.withLock { $0 = String(decoding: value.data, as: UTF8.self) }
                        }
                        subscription.withLockUnchecked { $0 = sink }
                    }
                    #expect(got.wait(timeout: .now() + 120) == .success)
                    #expect(text.withLock { $0 } == "\(number)")
                }
                continuation.resume()
            }
        }
    }

    @Test
    func `An inner Stubs.run answers first, and the outer one answers what the inner one does not match`() async throws
    {
        let (outer, inner) = (stubs("outer"), stubs("inner"))
        outer.on(.get, "/rest").answer(.text("rest"))
        try await outer.run {
            #expect(await Call().outcome() == .success("outer"))
            try await inner.run {
                #expect(await Call().outcome() == .success("inner"))
                #expect(await Call(.get, "/rest").outcome() == .success("rest"))
                #expect(Stubs.current === inner)
            }
            #expect(await Call().outcome() == .success("outer"))
            #expect(Stubs.current === outer)
        }
        #expect(Stubs.current == nil)
        #expect(outer.calls.count == 4)
        #expect(inner.calls.map(\.stub) == ["GET /", "GET /rest"])
    }

    @Test
    func `A child task's call is stubbed, and a detached task's call to a local server reaches the server`()
        async throws
    {
        let server = try HTTPServer { _ in .text("network") }
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        try await stubs("stub").run {
            async let child = Call(base: base).outcome()
            #expect(await child == .success("stub"))
            #expect(await Task { await Call(base: base).outcome() }.value == .success("stub"))
            #expect(await Task.detached { await Call(base: base).outcome() }.value == .success("network"))
        }
    }

    @Test
    func `A call started in a publisher's flatMap or tryCatch closure is stubbed like the first call`() async throws {
        final class Chain: Call, @unchecked Sendable {
            override func start() -> AnyPublisher<DataResponseTuple, any Error> {
                sendRequest()
                    .flatMap { _ in Call(.get, "/second").start() }
                    .tryCatch { _ in Call(.get, "/third").start() }
                    .eraseToAnyPublisher()
            }
        }
        let stubs = stubs("first")
        stubs.on(.get, "/second").answer(.fault(.connectionLost))
        stubs.on(.get, "/third").answer(.text("third"))
        try await stubs.run {
            #expect(await Chain().outcome() == .success("third"))
        }
    }

    @Test
    func `A call is answered by the stub scope in which start() was called, even after the scope has ended`()
        async throws
    {
        let publisher = try stubs("scope").unchecked { Call().start() }
        let value = try #require(await publisher.values.first { _ in true })
        #expect(String(decoding: value.data, as: UTF8.self) == "scope")
    }

    @Test func `Stubs set as a request's own session come before the stubs of the enclosing Stubs.run`() async throws {
        let own = stubs("own")
        try await stubs("scope").run {
            let call = Call()
            call.session = own
            #expect(await call.outcome() == .success("own"))
            let helped = Call()
            helped.dataTaskPublisher = helped.stubResponse(statusCode: 200, data: Data("helper".utf8))
            #expect(await helped.outcome() == .success("helper"))
            #expect(await Call().outcome() == .success("scope"))
        }
    }

    @Test func `A request is stubbed when its class overrides session with stubs`() async throws {
        class StubbedAPI: Call, @unchecked Sendable {
            let stubs = Stubs()
            override var session: any HTTPSession {
                get { stubs }
                set {}
            }
        }
        final class Leaf: StubbedAPI, @unchecked Sendable {}
        let leaf = Leaf()
        leaf.stubs.on(Leaf.self).answer(.text("class"))
        #expect(await leaf.outcome() == .success("class"))
    }

    @Test func `Each retry of a call gets the next answer of the stub's sequence`() async throws {
        final class Retried: Call, @unchecked Sendable {
            override func start() -> AnyPublisher<DataResponseTuple, any Error> {
                sendRequest().validateStatusCode(in: 200..<300).retry(2).eraseToAnyPublisher()
            }
        }
        let stubs = Stubs()
        let stub = stubs.on(Retried.self).answer(inOrder: .status(503), .fault(.connectionLost), .text("third"))
        try await stubs.run {
            #expect(await Retried().outcome() == .success("third"))
        }
        #expect(stub.callCount == 3)
    }

    @Test(arguments: [
        (Stub.SequenceEnd.repeatLast, "12222"), (.cycle, "12121"), (.fallThrough, "12nnn"), (.fail, "12---"),
    ])
    func `A stub's sequence of answers ends by repeating, cycling, falling through or failing, as chosen`(
        end: Stub.SequenceEnd,
        expected: String
    ) async {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .text("1"), .text("2"), then: end)
        stubs.on().optional().answer(.text("n"))
        var texts = ""
        for _ in 0..<5 {
            let call = Call()
            call.session = stubs
            texts += (try? await call.outcome()?.get()) ?? "-"
        }
        #expect(texts == expected)
        let exhausted = StubProblem.exhausted(stub: "any request", answers: 2)
        #expect(stubs.problems == (end == .fail ? [exhausted, exhausted, exhausted] : []))
    }

    @Test func `The error of Stubs.run lists stubs that are exhausted, lack an answer or were never used`() async {
        let stubs = Stubs()
        stubs.on(.get, "/once").answer(inOrder: .status(200))
        stubs.on(UsersRequest.self).answer(.status(200))
        stubs.on(.get, "/dumb").named("dumb")
        await #expect {
            try await stubs.run {
                _ = try? await Call(.get, "/once").value()
                _ = try? await Call(.get, "/once").value()
                _ = try? await Call(.get, "/dumb").value()
            }
        } throws: { error in
            error.localizedDescription == """
                The stub “GET /once” has given its only answer.
                The stub “dumb” has no answer.
                The stub “UsersRequest” was never used.
                """
        }
    }

    /// Stubs by how they are set up, and what the message says of the one that is not used.
    @Test(arguments: [
        (["GET /a", "GET /a"], ["“GET /a” (ScopeTests.swift:7)"]),
        (["GET /b", "GET /a", "GET /*"], ["“GET /b” (ScopeTests.swift:7)", "“GET /a” (ScopeTests.swift:8)"]),
        (["any request", "GET /a"], ["“any request” (ScopeTests.swift:7)"]), (["GET /a", "GET /c"], []),
        (["GET /a", "GET /c", "GET /:x"], ["“GET /a” (ScopeTests.swift:7)"]),
    ])
    func `The error of an unused stub names the stubs before it that have answered its calls, with their lines`(
        patterns: [String],
        takers: [String]
    ) async throws {
        let stubs = Stubs()
        for (index, pattern) in patterns.enumerated() {
            let path = pattern.split(separator: " ").last.map(String.init)
            let isAny = pattern == "any request"
            let stub = stubs.on(isAny ? nil : .get, isAny ? nil : path, line: 7 + index).answer(.text("ok"))
            if pattern == "GET /c" { stub.optional() }
        }
        let isUnusedAlone = patterns == ["GET /a", "GET /c"]
        if isUnusedAlone { stubs.on(.get, "/d").named("alone").answer(.text("ok")) }
        let error = await #expect(throws: StubProblems.self) {
            try await stubs.run {
                for path in ["/a", "/b"] where path == "/a" || patterns.contains("GET /b") {
                    _ = try await Call(.get, path).value()
                }
            }
        }
        let name = isUnusedAlone ? "alone" : patterns.last ?? ""
        let text =
            takers.isEmpty
            ? "The stub “\(name)” was never used."
            : """
            The stub “\(name)” was never used: its calls went to \(takers.joined(separator: ", ")), set up before it.
            To have this one asked first: overriding(). If it need not be used: optional()
            """
        #expect(error?.localizedDescription == text)
        #expect(error?.problems == [.unused(stub: name)])
    }

    @Test func `Stubs.run throws the error of the tested code rather than the problems of the stubs`() async {
        struct Own: Error {}
        await #expect(throws: Own.self) {
            try await stubs("unused").run {
                await Task.yield()
                throw Own()
            }
        }
        #expect(throws: Own.self) { try stubs("unused").run { throw Own() } }
        #expect(throws: StubProblems.self) { try stubs("unused").run {} }
    }

    @Test func `Stubs record calls with URL, headers and the body, also of a stream or file`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stubs = Stubs()
        let stub = stubs.on(.post).named("all").answer(.status(204))
        try await stubs.run {
            let stream = Call(.post)
            stream.bodyStream = (InputStream(data: Data("stream".utf8)), 6)
            stream.headers["X-A"] = "1"
            _ = try await stream.value()
            let url = try #require(URL(string: "https://api.example/v1/"))
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            let exchange = ExchangeRequest(request, body: .file(file))
            _ = try #require(await stubs.response(to: exchange).values.first { _ in true })
        }
        #expect(stub.calls.map { String(decoding: $0.body, as: UTF8.self) } == ["stream", "file"])
        #expect(stubs.calls.map(\.stub) == ["all", "all"])
        #expect(stub.calls.first?.headers["x-a"] == "1")
        #expect(stub.calls.first?.url?.absoluteString == "https://api.example/v1/")
    }

    @Test
    func `A request that no stub answers reaches the network when Stubs(unmatched:) is passThrough`() async throws {
        let server = try HTTPServer { _ in .text("network") }
        defer { server.stop() }
        let stubs = Stubs(unmatched: .passThrough)
        try await stubs.run {
            #expect(await Call(base: "http://127.0.0.1:\(server.port)").outcome() == .success("network"))
        }
        #expect(stubs.calls.map(\.stub) == [nil])
    }
}

extension Stubs {
    /// Runs `body` in the scope without checks at its end.
    fileprivate func unchecked<Value>(_ body: () throws -> Value) throws -> Value {
        try StandIns.$current.withValue(NestedScope(self), operation: body)
    }
}
