import APIBaseKit
import APIBaseRecording
import APIBaseStubs
import Basics
import Foundation
import TestTiers
import Testing

/// Every kind of call with every feature: the rows are ``Kind/all``, and each test is a column. Where a pair is not like
/// the others of its column, the test says what holds and why.
@Suite(.tags(.concurrent), .limited) struct PairTests {
    /// Runs a call of a kind under stubs whose server answers.
    private func run(
        _ kind: Kind,
        within limit: Duration = .seconds(3_600),
        answering answer: @escaping @Sendable (StubbedCall) -> StubAnswer = PairServer.answer,
        setting change: @escaping @Sendable (JSONAPI) -> Void = { _ in }
    ) async throws -> (result: Result<String, any Error>, calls: [StubbedCall]) {
        let stubs = Stubs(clock: .immediate)
        stubs.on().optional().answer(with: answer)
        let result = try await stubs.run {
            await outcome { try await CallScope.withDeadline(limit) { try await kind.make(change)() } }
        }
        return (result, stubs.calls)
    }

    private func outcome(_ body: () async throws -> String) async -> Result<String, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    // MARK: Stubs

    @Test(arguments: Kind.all)
    func `Stubs answer every request of every kind of call`(kind: Kind) async throws {
        let (result, calls) = try await run(kind)
        #expect(try result.get() == kind.result)
        #expect(calls.map(\.line) == kind.requests)
    }

    // MARK: Credentials and accounts

    @Test(arguments: Kind.all)
    func `A token is sent with every request, and refreshed where the server refuses it`(kind: Kind) async throws {
        let refreshes = Locked(0)
        let tokens = TokenSource { _ in Token("t\(refreshes.withLock { $0 += 1; return $0 })") }
        let (result, calls) = try await run(kind) { call in
            call.headers["Authorization"] == "Bearer t1" ? .status(401) : PairServer.answer(call)
        } setting: {
            $0.authorization = .tokens(tokens)
        }
        #expect(try result.get() == kind.result)
        #expect(calls.map(\.line) == [kind.requests[0]] + kind.requests)
        #expect(calls.map { $0.headers["Authorization"] } == ["Bearer t1"] + kind.requests.map { _ in "Bearer t2" })
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test(arguments: Kind.all)
    func `An account gives every request its headers, and every event its name`(kind: Kind) async throws {
        let accounts = Locked<Set<String?>>([])
        let watcher = Watcher { event in accounts.withLock { _ = $0.insert(event.call.account) } }
        let (result, calls) = try await run(
            kind,
            setting: { $0.on(APIAccount(name: "acme", headers: ["X-Tenant": "acme"], watchers: [watcher])) }
        )
        #expect(try result.get() == kind.result)
        #expect(calls.map { $0.headers["X-Tenant"] } == kind.requests.map { _ in "acme" })
        #expect(accounts.withLock { $0 } == ["acme"])
    }

    // MARK: The cache, the gate and sharing

    /// The requests of a second call with a cache.
    private static let notCached = [
        "poll": ["POST /exports", "GET /exports/7"],  // A poll asks for the state of now.
        "events": ["POST /chat"],  // Neither a POST nor a body that is delivered in pieces is stored.
        "GraphQL": ["POST /graphql"],  // A POST; as a persisted query it would be a GET.
        "GraphQL list": ["POST /graphql", "POST /graphql"],  // The same.
        "update": ["GET /note", "PUT /note"],  // The change is of the value of now.
    ]

    @Test(arguments: Kind.all)
    func `A cache answers what may be stored, and nothing else`(kind: Kind) async throws {
        let cache = ResponseCache()
        let answer: @Sendable (StubbedCall) -> StubAnswer = { call in
            PairServer.answer(call, at: call.path, adding: ["Cache-Control": "max-age=60"])
        }
        let stubs = Stubs()
        stubs.on().optional().answer(with: answer)
        try await stubs.run {
            for _ in 1...2 {
                let result = try await kind.make { $0.cache = cache }()
                #expect(result == kind.result)
            }
        }
        #expect(stubs.calls.map(\.line) == kind.requests + (Self.notCached[kind.testDescription] ?? []))
    }

    @Test(arguments: Kind.all)
    func `A gate with one place lets the requests of every kind of call pass one after another`(kind: Kind) async throws
    {
        let gate = CallGate(concurrent: 1)
        let (result, calls) = try await run(kind, setting: { $0.gate = gate })
        #expect(try result.get() == kind.result)
        #expect(calls.map(\.line) == kind.requests)
    }

    /// The requests of two calls where some are shared. A `POST` and a `PUT` are not safe, and a stream has one reader.
    private static let shared = ["leaf": 1, "one-line call": 1, "pages": 2, "update": 3]

    @Test(arguments: Kind.all)
    func `Equal calls at the same time share their exchange, if they are safe and no streams`(kind: Kind) async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().optional().answer { PairServer.answer($0).delayed(by: .seconds(1)) }
        let ended = Locked(0)
        let results = try await stubs.run {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...2 {
                    group.addTask {
                        defer { ended.withLock { $0 += 1 } }
                        return try await kind.make { $0.sharing = .safeMethods }()
                    }
                }
                while ended.withLock({ $0 }) < 2 {
                    await clock.settled()
                    clock.advance(by: .seconds(1))
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(results == [kind.result, kind.result])
        #expect(stubs.calls.count == Self.shared[kind.testDescription] ?? 2 * kind.requests.count)
    }

    // MARK: Attempts and time

    @Test(arguments: Kind.all)
    func `A call whose first request fails is tried again, with a key if it is not safe`(kind: Kind) async throws {
        let count = Locked(0)
        let (result, calls) = try await run(kind) { call in
            count.withLock {
                $0 += 1; return $0
            } == 1 ? .status(503) : PairServer.answer(call)
        } setting: {
            $0.retry = .standard
            $0.idempotencyKey = .automatic
        }
        #expect(try result.get() == kind.result)
        #expect(calls.map(\.line) == [kind.requests[0]] + kind.requests)
    }

    @Test(arguments: Kind.all)
    func `Every kind of call ends at the deadline of its scope`(kind: Kind) async throws {
        let limit = Duration.milliseconds(500) * kind.requests.count
        let (result, calls) = try await run(kind, within: limit) {
            PairServer.answer($0).delayed(by: .milliseconds(600))
        }
        #expect(throws: RequestError.deadlineExceeded(after: limit)) { try result.get() }
        #expect(calls.map(\.line) == kind.requests)
    }

    @Test(arguments: Kind.all)
    func `Every kind of call ends with CancellationError when its task is canceled`(kind: Kind) async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().optional().answer(.never)
        try await stubs.run {
            let task = Task { try await kind.make { _ in }() }
            await clock.settled()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(stubs.calls.map(\.line) == [kind.requests[0]])
    }

    @Test(arguments: Kind.all)
    func `Every kind of call follows redirects that keep the method`(kind: Kind) async throws {
        let (result, calls) = try await run(kind) { call in
            let query = call.url?.query.map { "?\($0)" } ?? ""
            guard call.path.hasPrefix("/moved") else {
                return .status(307, headers: ["Location": "/moved\(call.path)\(query)"])
            }
            return PairServer.answer(call, at: String(call.path.dropFirst("/moved".count)), adding: [:])
        }
        #expect(try result.get() == kind.result)
        #expect(calls.filter { $0.path.hasPrefix("/moved") }.count == kind.requests.count)
    }

    // MARK: Watching

    @Test(arguments: Kind.all)
    func `A watcher of a scope sees every request, to which it may add a header, and an end for each`(kind: Kind)
        async throws
    {
        let ends = Locked<[Int]>([])
        let watcher = Watcher { event in
            if case .ended = event { ends.withLock { $0.append(event.call.id) } }
        }
        let (result, calls) = try await CallScope.watching(watcher) { try await run(kind) }
        #expect(try result.get() == kind.result)
        #expect(calls.map { $0.headers["Traceparent"] } == kind.requests.map { _ in "00-1" })
        #expect(ends.withLock { Set($0).count } == kind.requests.count)
    }

    @Test(arguments: Kind.all)
    func `A recording of every kind of call answers it again without a server`(kind: Kind) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let stubs = Stubs()
        stubs.on().optional().answer(with: PairServer.answer)
        let matching: Set<Recording.Criterion> = [.method, .origin, .path, .query, .body]
        let recorded = try await stubs.run {
            try await Recording(file: file, mode: .new, matching: matching).run { try await kind.make { _ in }() }
        }
        let replayed = try await Recording(file: file, mode: .replay, matching: matching).run {
            try await kind.make { _ in }()
        }
        #expect(recorded == kind.result && replayed == kind.result)
        #expect(stubs.calls.map(\.line) == kind.requests)
    }

    @Test(arguments: Kind.all)
    func `A CallLog writes a line for every request, as the inspector has a row for it: both are watchers`(kind: Kind)
        async throws
    {
        let lines = Locked<[String]>([])
        let log = CallLog { line in lines.withLock { $0.append(line) } }
        let (result, _) = try await CallScope.watching(log) { try await run(kind) }
        #expect(try result.get() == kind.result)
        #expect(lines.withLock { $0.count } == kind.requests.count)
    }
}

/// Adds a header to each request, and hands the events on.
private struct Watcher: CallWatcher {
    let take: @Sendable (CallEvent) -> Void

    func attempt(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue("00-1", forHTTPHeaderField: "Traceparent")
        return request
    }

    func report(_ event: CallEvent) { take(event) }
}
