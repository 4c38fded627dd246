import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Changes on condition, against a server that keeps a counter.
@Suite(.tags(.concurrent), .everySession, .limited) struct RequestUpdateTests {
    struct Counter: Codable, Equatable, Sendable {
        var count = 0
        var writers: [String] = []
    }

    /// What a server does with a write.
    enum Fate { case answer, loseReply, loseReplyAndLetAnotherWrite, empty }

    private final class CounterRequest: JSONAPI, Request {
        typealias ModelType = Counter

        init(_ server: ScriptedServer) {
            super.init(.get("/counter"))
            (baseURL, session) = (server.url(""), EverySession.current)
        }
    }

    /// The counter and its version.
    private final class Store: Sendable {
        let state = Locked((counter: Counter(), version: 0))
        let tag: @Sendable (Int) -> String?

        init(tag: @escaping @Sendable (Int) -> String? = { "\"v\($0)\"" }) { self.tag = tag }

        var counter: Counter { state.withLock { $0.counter } }

        func write(by name: String) {
            state.withLock { state in
                state.counter.count += 1
                state.counter.writers.append(name)
                state.version += 1
            }
        }

        /// Answers a request, and performs a write whose condition holds.
        func answer(_ request: RawRequest, isEmpty: Bool = false) throws -> String {
            try state.withLock { state in
                if request.method != "GET" {
                    guard let condition = request["If-Match"], condition == tag(state.version) else {
                        return reply("412 Precondition Failed")
                    }
                    state.counter = try JSONDecoder().decode(Counter.self, from: Data(request.body))
                    state.version += 1
                    if isEmpty { return "HTTP/1.1 204 No Content\r\n\r\n" }
                }
                let body = String(decoding: try JSONEncoder().encode(state.counter), as: UTF8.self)
                let headers = ["Content-Type: application/json"] + (tag(state.version).map { ["ETag: \($0)"] } ?? [])
                return reply("200 OK", headers, body: body)
            }
        }

        /// A server whose writes have these fates, in order, and are answered from then on.
        func server(_ fates: [Fate] = []) throws -> ScriptedServer {
            let fates = Locked(fates)
            return try ScriptedServer { request, connection, _ in
                let isWrite = request.method != "GET"
                let fate = isWrite ? fates.withLock { $0.isEmpty ? .answer : $0.removeFirst() } : .answer
                let answer = try self.answer(request, isEmpty: fate == .empty)
                switch fate {
                case .answer, .empty: return try connection.write(answer)
                case .loseReplyAndLetAnotherWrite: self.write(by: "another")
                case .loseReply: break
                }
                connection.close()
            }
        }
    }

    private static func increment(_ counter: inout Counter, by name: String) {
        counter.count += 1
        counter.writers.append(name)
    }

    /// A call that is tried again. It writes by `PATCH`, since `URLSession` may send a `PUT` again without telling.
    private static func patient(_ server: ScriptedServer) -> CounterRequest {
        let call = CounterRequest(server)
        (call.retry, call.idempotencyKey) = (RetryPolicy(backoff: .constant(.milliseconds(1))), .automatic)
        // Where there are many, a call waits for all the others.
        call.timeout = .seconds(600)
        return call
    }

    @Test(arguments: [HTTPMethod.put, .patch])
    func `Calling update() writes the changed value with the ETag of the read as If-Match`(method: HTTPMethod)
        async throws
    {
        let store = Store()
        let server = try store.server()
        defer { server.stop() }
        let call = CounterRequest(server)
        call.idempotencyKey = .automatic
        let counter = try await call.update(method: method) { Self.increment(&$0, by: "a") }
        #expect(counter == Counter(count: 1, writers: ["a"]))
        #expect(store.counter == counter)
        let write = try #require(server.requests.last)
        #expect(server.requests.map(\.method) == ["GET", method.rawValue])
        #expect(write["If-Match"] == "\"v0\"")
        #expect(write["Content-Type"] == "application/json")
        #expect((write["Idempotency-Key"] != nil) == (method == .patch))
        #expect(call.method == .get && call.json == nil)
        #expect(server.requests[0]["If-Match"] == nil)
    }

    @Test func `Calling update() returns the written value when the reply to the write has no body`() async throws {
        let store = Store()
        let server = try store.server([.empty])
        defer { server.stop() }
        let counter = try await CounterRequest(server).update { Self.increment(&$0, by: "a") }
        #expect(counter == store.counter && counter.count == 1)
    }

    @Test func `After status 412, update() reads the value again with no-cache and writes again`() async throws {
        let store = Store()
        let server = try store.server()
        defer { server.stop() }
        let call = CounterRequest(server)
        call.sharing = .safeMethods
        call.idempotencyKey = .automatic
        var isFirst = true
        let counter = try await call.update(method: .patch) { counter in
            if isFirst { store.write(by: "another") }
            isFirst = false
            Self.increment(&counter, by: "a")
        }
        #expect(counter == Counter(count: 2, writers: ["another", "a"]))
        #expect(server.requests.map(\.method) == ["GET", "PATCH", "GET", "PATCH"])
        #expect(server.requests[2]["Cache-Control"] == "no-cache")
        #expect(server.requests[1]["Idempotency-Key"] != server.requests[3]["Idempotency-Key"])
    }

    @Test
    func `Calling update() throws httpFailure with 412 when the write of its last attempt is refused`() async throws {
        let store = Store()
        let server = try store.server()
        defer { server.stop() }
        await #expect {
            try await CounterRequest(server).update(attempts: 2) { counter in
                store.write(by: "another")
                Self.increment(&counter, by: "a")
            }
        } throws: { error in
            if case RequestError.httpFailure(412) = error { true } else { false }
        }
        #expect(store.counter.writers == ["another", "another"])
        #expect(server.requests.map(\.method) == ["GET", "PUT", "GET", "PUT"])
    }

    @Test(arguments: [nil, "W/\"1\""])
    func `Calling update() throws missingETag and writes nothing when the read has no strong ETag`(tag: String?)
        async throws
    {
        let server = try Store { _ in tag }.server()
        defer { server.stop() }
        await #expect { try await CounterRequest(server).update { $0.count += 1 } } throws: { error in
            if case RequestError.missingETag = error { true } else { false }
        }
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func `Calling update() writes nothing when its closure throws or its request is not a GET`() async throws {
        let server = try Store().server()
        defer { server.stop() }
        await #expect(throws: CancellationError.self) {
            try await CounterRequest(server).update { _ in throw CancellationError() }
        }
        let write = CounterRequest(server)
        write.method = .put
        await #expect(throws: RequestError.self) { try await write.update { $0.count += 1 } }
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func `Calling update() writes nothing when the task is canceled in its closure`() async throws {
        let server = try Store().server()
        defer { server.stop() }
        let task = Task {
            try await CounterRequest(server).update { counter in
                withUnsafeCurrentTask { $0?.cancel() }
                counter.count += 1
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test func `A write by update() whose reply is lost is applied once when it is retried`() async throws {
        let store = Store()
        let server = try store.server([.loseReply])
        defer { server.stop() }
        let counter = try await Self.patient(server).update(method: .patch) { Self.increment(&$0, by: "a") }
        #expect(counter == Counter(count: 1, writers: ["a"]) && store.counter == counter)
        #expect(server.requests.map(\.method) == ["GET", "PATCH", "PATCH", "GET"])
    }

    @Test
    func `Calling update() without retries throws TransportError when the reply to the write is lost`() async throws {
        let store = Store()
        let server = try store.server([.loseReply])
        defer { server.stop() }
        await #expect(throws: TransportError.self) {
            try await CounterRequest(server).update(method: .patch) { Self.increment(&$0, by: "a") }
        }
        #expect(store.counter.writers == ["a"])
        #expect(server.requests.map(\.method) == ["GET", "PATCH"])
    }

    @Test
    func `Calling update() throws 412 when its write's reply is lost and another client writes next`() async throws {
        let store = Store()
        let server = try store.server([.loseReplyAndLetAnotherWrite])
        defer { server.stop() }
        let call = Self.patient(server)
        await #expect { try await call.update(method: .patch) { Self.increment(&$0, by: "a") } } throws: { error in
            if case RequestError.httpFailure(412) = error { true } else { false }
        }
        #expect(store.counter.writers == ["a", "another"])
    }

    @Test(arguments: [false, true])
    func `Concurrent update() calls are each applied once, also when replies are lost`(losesReplies: Bool) async throws
    {
        let store = Store()
        let fates = (0..<60).map { losesReplies && $0 % 3 == 0 ? Fate.loseReply : .answer }
        let server = try store.server(fates)
        defer { server.stop() }
        // Each loss costs the others a further round, and those of Foundation take long.
        let names = (0..<load(EverySession.current is URLSession ? 20 : 200)).map(String.init)
        let unsure = try await withThrowingTaskGroup(of: String?.self) { group in
            for name in names {
                group.addTask {
                    do {
                        let counter = try await Self.patient(server).update(attempts: 1_000, method: .patch) {
                            Self.increment(&$0, by: name)
                        }
                        #expect(counter.writers.filter { $0 == name }.count == 1)
                        return nil
                    } catch RequestError.httpFailure(412) {
                        return name
                    } catch is TransportError {
                        return name
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { if let name = $1 { $0.insert(name) } }
        }
        let counter = store.counter
        #expect(counter.count == counter.writers.count)
        #expect(Set(counter.writers).count == counter.writers.count)
        #expect(Set(counter.writers).union(unsure) == Set(names))
        // The last write is followed by no other, so that its writer finds it as it was.
        #expect(unsure.count < names.count)
        #expect(losesReplies || unsure.isEmpty)
    }
}
