import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

@testable import APIBaseCore

/// Equal calls that are under way at the same time.
@Suite(.tags(.concurrent), .limited) struct SharingTests {
    private let clock = StubClock.manual(movedWithin: .seconds(120))

    private func stubs(_ answer: StubAnswer = .text("ok").delayed(by: .seconds(1))) -> Stubs {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(answer)
        return stubs
    }

    private func call(_ change: (WatchedCall) -> Void = { _ in }) -> WatchedCall {
        let call = WatchedCall()
        call.sharing = .safeMethods
        change(call)
        return call
    }

    @Test func `A thousand equal concurrent calls that allow sharing are sent as one request`() async throws {
        let stubs = stubs()
        let calls = await stubs.runUnchecked { Calls((0..<1_000).map { _ in call() }) }
        #expect(calls.stories.filter { $0 == ["shared"] }.count == 999)
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.ended == 1_000 })
        // Of the first, all is reported once.
        #expect(calls.stories[0] == ["began 1", "sent 1", "head 200", "ended 200"])
        #expect(stubs.calls.count == 1)
        // The next is sent anew.
        let next = await stubs.runUnchecked { Calls([call()]) }
        #expect(stubs.calls.count == 2)
        next.cancel()
    }

    /// The line of a log for a call that has joined another has its URL as well.
    @Test
    func `A call that shares another call's request has its own timings and its URL in its events`() async throws {
        let stubs = stubs()
        let watched = [call(), call()]
        let calls = await stubs.runUnchecked { Calls(watched) }
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.ended == 2 })
        #expect(watched[1].timings?.whole == .seconds(1))
        let descriptions = watched[1].events.withLock { $0.map(\.call.description) }
        #expect(descriptions == Array(repeating: "WatchedCall GET http://api.example/x", count: 2))
    }

    @Test func `Hundreds of equal calls that allow sharing send fewer requests than there are calls`() async throws {
        let (stubs, ended) = (stubs(), Locked(0))
        let calls = (0..<(isSanitized ? 100 : 500)).map { _ in call() }
        try await stubs.run {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for call in calls {
                    group.addTask {
                        defer { ended.withLock { $0 += 1 } }
                        return try await call.value()
                    }
                }
                // No reply comes before a call has joined another.
                let isShared = try await holds { calls.contains { $0.story == ["shared"] } }
                #expect(isShared)
                let haveEnded = try await holds {
                    if clock.nextWait == .seconds(1) { clock.advance(by: .seconds(1)) }
                    return ended.withLock { $0 } == calls.count
                }
                #expect(haveEnded)
                for try await status in group { #expect(status == 200) }
            }
        }
        #expect((1..<calls.count).contains(stubs.calls.count))
    }

    /// Calls that differ in one thing from the first, by the property that is changed.
    static let differences: [(property: String, isShared: Bool, change: @Sendable (WatchedCall) -> Void)] = [
        ("", true, { _ in }),
        ("baseURL", false, { $0.baseURL = URL(string: "http://other.example") }),
        ("path", false, { $0.path = "/y" }),
        ("queryItems", false, { $0.queryItems = [URLQueryItem(name: "a", value: "1")] }),
        ("method", false, { $0.method = .head }),
        ("headers", false, { $0.headers["Accept"] = "text/plain" }),
        // Without a body it is not sent.
        ("contentType", true, { $0.contentType = "text/plain" }),
        ("body", false, { $0.body = Data("x".utf8) }),
        ("bodyStream", false, { $0.bodyStream = (InputStream(data: Data("x".utf8)), 1) }),
        ("content", false, { $0.content = .data(Data("x".utf8)) }),
        ("authorization", true, { $0.authorization = .bearer("a") }),
        ("authorization", false, { $0.authorization = .bearer("b") }),
        ("authorization", false, { $0.authorization = nil }),
        ("authorization", false, { $0.authorization = .tokens(TokenSource(Token("a")) { _ in Token("a") }) }),
        ("account", false, { $0.on(APIAccount()) }),
        ("session", false, { $0.session = Stubs() }),
        ("dataTaskPublisher", false, { $0.dataTaskPublisher = $0.stub(error: URLError(.timedOut)) }),
        ("timeout", false, { $0.timeout = .seconds(5) }),
        ("limits", false, { $0.limits.responseBytes = 100 }),
        ("limits", false, { $0.limits.redirects = 0 }),
        ("retry", false, { $0.retry = RetryPolicy(attempts: 1, deadline: .seconds(5)) }),
        ("retry", false, { $0.retry = .standard }),
        ("retry", false, { $0.retry = RetryPolicy(attempts: 1, statusCodes: [500]) }),
        ("retry", false, { $0.retry = RetryPolicy(attempts: 1, methods: [.put]) }),
        ("retry", false, { $0.retry = RetryPolicy(attempts: 1, longestRetryAfter: .zero) }),
        ("retry", false, { $0.retry = RetryPolicy(attempts: 1, budget: RetryBudget()) }),
        ("retry", true, { $0.retry = RetryPolicy(attempts: 1, backoff: .none) }),
        ("secretHeaders", false, { $0.secretHeaders.insert("X-Mine") }),
        ("idempotencyKey", false, { $0.idempotencyKey = .value("a") }),
        ("features", false, { $0.cache = ResponseCache() }),
        ("features", false, { $0.gate = CallGate() }),
        ("features", false, { $0.sharing = .none }),
        // Each call has its own events, and its own progress.
        ("watchers", true, { $0.watchers = [CallLog { _ in }] }),
        ("progressQueue", true, { $0.progressQueue = .main }),
        ("pathTemplate", true, { $0.pathTemplate = "/{}" }),
        ("place", true, { $0.here() }),
    ]

    @Test func `Every setting of a request object is among those that are compared to share a request`() {
        let state: Set = [
            "own", "shared", "overrides", "uploadProgress", "downloadProgress", "coders", "request", "head",
            "takenBody",
            "hasProgress",
        ]
        let parts: [Any] = [APIBase(), APIBase().own.value, SharedState()]
        let names = parts.flatMap { Mirror(reflecting: $0).children }.compactMap(\.label)
        let settings = Set(names.map { String($0.trimmingPrefix("_")) }).subtracting(state)
        #expect(settings == Set(Self.differences.map(\.property)).subtracting([""]))
    }

    @Test(arguments: differences.indices)
    func `Concurrent calls share a request unless they differ in a setting that can change the reply`(index: Int)
        async throws
    {
        let stubs = stubs()
        let (_, isShared, change) = Self.differences[index]
        let calls = await stubs.runUnchecked {
            Calls([
                call { $0.authorization = .bearer("a") },
                call {
                    $0.authorization = .bearer("a"); change($0)
                },
            ])
        }
        #expect(calls.stories[1].contains("shared") == isShared)
        calls.cancel()
    }

    @Test func `Equal concurrent calls of different classes do not share a request`() async throws {
        let stubs = stubs()
        let (calls, other) = await stubs.runUnchecked { (Calls([call()]), subscription(to: TracedCall().start())) }
        #expect(stubs.calls.count == 2)
        calls.cancel()
        other.cancel()
    }

    @Test func `Concurrent calls with different cache policies do not share a request`() async throws {
        let stubs = stubs()
        let policies: [URLRequest.CachePolicy] = [.useProtocolCachePolicy, .reloadIgnoringLocalCacheData]
        let subscriptions = await stubs.runUnchecked {
            policies.map { policy in
                let call = TracedCall()
                call.policy = policy
                return subscription(to: call.start())
            }
        }
        #expect(stubs.calls.count == 2)
        withExtendedLifetime(subscriptions) {}
    }

    /// Wherever they are subscribed to.
    @Test func `Concurrent calls that start under different task locals do not share a request`() async throws {
        let stubs = stubs()
        let subscriptions = await stubs.runUnchecked {
            let calls = ["a", "b"].map { trace in TracedCall.$trace.withValue(trace) { TracedCall().start() } }
            return calls.map { subscription(to: $0) }
        }
        #expect(stubs.calls.map { $0.headers["X-Trace"] } == ["a", "b"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `Concurrent OPTIONS calls with equal bodies do not share a request`() async throws {
        let stubs = stubs()
        let calls = await stubs.runUnchecked {
            Calls((0..<2).map { _ in call { ($0.method, $0.body) = (.options, Data("x".utf8)) } })
        }
        #expect(stubs.calls.count == 2)
        calls.cancel()
    }

    /// A body that has to be read cannot be compared.
    @Test(arguments: [
        (HTTPBody.data(Data("a".utf8), type: "application/sql"), true),
        (.data(Data("b".utf8), type: "application/sql"), false),
        (.data(Data("a".utf8), type: "text/plain"), false),
        (.data(Data(), type: "application/sql"), false),
        (.stream(count: 1, type: "application/sql") { InputStream(data: Data("a".utf8)) }, false),
    ])
    func `Concurrent QUERY calls share a request if they have the same body in memory and its media type`(
        body: HTTPBody,
        isShared: Bool
    ) async throws {
        let stubs = stubs()
        func query(_ body: HTTPBody) -> WatchedCall { call { ($0.method, $0.content) = (.query, body) } }
        let calls = await stubs.runUnchecked {
            Calls([query(.data(Data("a".utf8), type: "application/sql")), query(body)])
        }
        #expect(calls.stories[1].contains("shared") == isShared)
        // What is read is sent later.
        #expect(try await holds { stubs.calls.count == (isShared ? 1 : 2) })
        calls.cancel()
        let equal = await stubs.runUnchecked { Calls([query(body), query(body)]) }
        #expect(equal.stories[1].contains("shared") == !body.needsReading)
        equal.cancel()
    }

    /// The call for which it is made waits for it.
    @Test
    func `A call made by a token refresh does not share the request of the call that needs the token`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("ok"))
        let tokens = Locked<TokenSource?>(nil)
        @Sendable func own() -> WatchedCall {
            let call = WatchedCall()
            call.sharing = .safeMethods
            call.authorization = tokens.withLock { $0 }.map { .tokens($0) }
            return call
        }
        let source = TokenSource { _ in
            _ = try await own().value()
            return Token("a")
        }
        tokens.withLock { $0 = source }
        let calls = await stubs.runUnchecked { Calls([own()]) }
        #expect(try await holds { calls.ended == 1 })
        #expect(stubs.calls.map { $0.headers["Authorization"] } == [nil, "Bearer a"])
        calls.cancel()
        tokens.withLock { $0 = nil }
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch, HTTPMethod(rawValue: "MERGE")])
    func `Concurrent calls with an unsafe HTTP method do not share a request`(method: HTTPMethod) async throws {
        let stubs = stubs()
        let calls = await stubs.runUnchecked { Calls([call { $0.method = method }, call { $0.method = method }]) }
        #expect(calls.stories.allSatisfy { !$0.contains("shared") })
        calls.cancel()
    }

    @Test func `Canceling the first of several calls that share a request does not end the others`() async throws {
        let stubs = stubs()
        let first = await stubs.runUnchecked { Calls([call()]) }
        let others = await stubs.runUnchecked { Calls([call(), call()]) }
        first.cancel()
        clock.advance(by: .seconds(1))
        #expect(try await holds { others.ended == 2 })
        #expect(stubs.calls.count == 1)
    }

    /// An object whose call was cancelled may be used for another, while others still wait for what it has begun.
    @Test
    func `A shared request is retried unchanged after its first call's object is canceled and changed`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(503, headers: ["Retry-After": "1"]), .text("ok"))
        func own() -> WatchedCall { call { ($0.retry, $0.authorization) = (.standard, .bearer("a")) } }
        let (first, second) = (own(), own())
        let calls = await stubs.runUnchecked { (Calls([first]), Calls([second])) }
        #expect(try await holds { clock.waits == 1 })
        calls.0.cancel()
        (first.path, first.authorization) = ("/other", .bearer("b"))
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.1.ended == 1 })
        #expect(
            stubs.calls.map { "\($0.path) \($0.headers["Authorization"] ?? "")" } == ["/x Bearer a", "/x Bearer a"]
        )
    }

    @Test func `A call that shares a request and cancels when it gets its value gets no completion`() async throws {
        let stubs = stubs()
        let cancelling = Cancelling()
        let other = await stubs.runUnchecked { () -> Calls in
            call().start().subscribe(cancelling)
            return Calls([call()])
        }
        clock.advance(by: .seconds(1))
        #expect(try await holds { other.ended == 1 && cancelling.story.contains("value") })
        #expect(cancelling.story == ["value"])
    }

    @Test func `Canceling all calls that share a request ends the request`() async throws {
        let stubs = stubs()
        let calls = await stubs.runUnchecked { Calls([call(), call(), call()]) }
        #expect(clock.waits == 1)
        calls.cancel()
        #expect(calls.stories[0].last == "cancelled")
        #expect(calls.stories.dropFirst().allSatisfy { $0 == ["shared", "cancelled"] })
        clock.advance(by: .seconds(1))
        #expect(calls.ended == 0)
        let next = await stubs.runUnchecked { Calls([call()]) }
        #expect(stubs.calls.count == 2)
        next.cancel()
    }

    @Test func `An error of a shared request fails all calls that share it`() async throws {
        let stubs = stubs(.error(URLError(.timedOut)).delayed(by: .seconds(1)))
        let calls = await stubs.runUnchecked { Calls((0..<5).map { _ in call() }) }
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.failed == 5 })
        #expect(stubs.calls.count == 1)
    }

    @Test func `Each call that shares a request validates the status code of the reply`() async throws {
        let stubs = stubs(.status(404).delayed(by: .seconds(1)))
        let (first, second) = (call(), call())
        let outcomes = [Outcome<Int, any Error>(), Outcome<Int, any Error>()]
        let subscriptions = await stubs.runUnchecked {
            [outcomes[0].subscribe(to: first.start()), outcomes[1].subscribe(to: second.start())]
        }
        clock.advance(by: .seconds(1))
        #expect(try await holds { outcomes.allSatisfy { $0.failure != nil } })
        #expect(second.response?.statusCode == 404)
        #expect(stubs.calls.count == 1)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `All calls that share a request have its download progress`() async throws {
        let data = Data(count: 1 << 20)
        let stubs = stubs(.status(200, data: data).delayed(by: .seconds(1)))
        let watched = [call(), call()]
        let calls = await stubs.runUnchecked { Calls(watched) }
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.ended == 2 })
        for call in watched { #expect(call.downloadProgress.received == Int64(data.count)) }
        #expect(stubs.calls.count == 1)
    }

    @Test func `A call that allows sharing sends nothing before its subscriber requests a value`() async throws {
        let stubs = stubs()
        let subscribers = [Patient(), Patient(), Patient()]
        await stubs.runUnchecked { for subscriber in subscribers { call().start().subscribe(subscriber) } }
        #expect(stubs.calls.isEmpty)
        for subscriber in subscribers.dropFirst() { subscriber.ask() }
        #expect(stubs.calls.count == 1)
        clock.advance(by: .seconds(1))
        #expect(try await holds { subscribers.dropFirst().allSatisfy { $0.values == 1 && $0.isOver } })
        // What has not asked is no call under way: it is sent when it does.
        #expect(subscribers[0].values == 0 && !subscribers[0].isOver)
        subscribers[0].ask()
        #expect(stubs.calls.count == 2)
        clock.advance(by: .seconds(1))
        #expect(try await holds { subscribers[0].values == 1 })
    }

    /// Each has a thread of its own to take the reply on.
    @Test(arguments: 0..<3)
    func `A slow subscriber of one call does not delay the other calls that share its request`(slow: Int) async throws {
        let stubs = stubs()
        let (others, isOver) = (DispatchSemaphore(value: 0), Later<Bool>())
        let subscriptions = await stubs.runUnchecked {
            (0..<3).map { number in
                call().start().sink { _ in
                } receiveValue: { _ in
                    guard number == slow else { return _ = others.signal() }
                    isOver.set((0..<2).allSatisfy { _ in others.wait(timeout: .now() + 120) == .success })
                }
            }
        }
        clock.advance(by: .seconds(1))
        #expect(try await isOver.value())
        #expect(stubs.calls.count == 1)
        withExtendedLifetime(subscriptions) {}
    }

    @Test(arguments: [false, true])
    func `A shared request releases its session when all its calls have ended or are canceled`(isCancelled: Bool)
        async throws
    {
        weak var session: Stubs?
        do {
            let stubs = stubs()
            session = stubs
            let calls = Calls([call { $0.session = stubs }, call { $0.session = stubs }])
            #expect(stubs.calls.count == 1)
            if isCancelled { calls.cancel() }
            // A wait of the clock keeps what waits.
            clock.advance(by: .seconds(1))
            #expect(try await holds { isCancelled || calls.ended == 2 })
        }
        var tries = 0
        while session != nil, tries < 60_000 {
            tries += 1
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(session == nil)
    }

    @Test func `Equal calls with the same retry policy share the retries of their request`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(503).delayed(by: .seconds(1)), .status(503), .text("ok"))
        let calls = [call { $0.retry = .standard }, call { $0.retry = .standard }]
        let outcomes = [Outcome<Int, any Error>(), Outcome<Int, any Error>()]
        let subjects = await stubs.runUnchecked { zip(calls, outcomes).map { $1.subscribe(to: $0.start()) } }
        #expect(
            try await holds {
                clock.advance(by: .seconds(60))
                return outcomes.allSatisfy { $0.isFinished }
            }
        )
        #expect(stubs.calls.count == 3)
        withExtendedLifetime(subjects) {}
    }

    /// Each has the reply, or the error, that its own limits and attempts give.
    @Test
    func `Equal calls with different limits or retry policies get the results of their own settings`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on(query: ["status": "503"]).answer(inOrder: .status(503), .status(503), .text("ok"))
        stubs.on().answer(.text(String(repeating: "x", count: 200)).delayed(by: .seconds(1)))
        let small = call { $0.limits.responseBytes = 100 }
        let (impatient, patient) = (call(), call { $0.retry = .standard })
        for call in [impatient, patient] { call.queryItems = [URLQueryItem(name: "status", value: "503")] }
        let calls = await stubs.runUnchecked { Calls([small, call(), impatient, patient]) }
        #expect(
            try await holds {
                clock.advance(by: .seconds(60))
                return calls.ended == 3 && calls.failed == 1
            }
        )
        #expect(small.story.last == "failed")
        #expect(impatient.story.last == "ended 503")
        #expect(patient.story.last == "ended 200")
    }

    @Test func `Each call that shares a request gets the HTTP response from reply()`() async throws {
        let stubs = stubs(.text("ok", headers: ["X-A": "1"]).delayed(by: .seconds(1)))
        let calls = [call(), call()]
        try await stubs.run {
            async let first = calls[0].reply()
            async let second = calls[1].reply()
            let isShared = try await holds {
                calls.contains { $0.story == ["shared"] } && clock.nextWait == .seconds(1)
            }
            #expect(isShared)
            clock.advance(by: .seconds(1))
            for reply in try await [first, second] { #expect(reply.response.value(forHTTPHeaderField: "X-A") == "1") }
        }
        #expect(stubs.calls.count == 1)
    }
}

/// Asks for a value when it is told to.
private final class Patient: Subscriber, Sendable {
    private let state = Locked((subscription: (any Subscription)?.none, values: 0, isOver: false))

    var values: Int { state.withLock { $0.values } }
    var isOver: Bool { state.withLock { $0.isOver } }
    func ask() { state.withLockUnchecked { $0.subscription }?.request(.max(1)) }
    func receive(subscription: any Subscription) { state.withLock { $0.subscription = subscription } }

    func receive(_ input: Int) -> Subscribers.Demand {
        state.withLock { $0.values += 1 }
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) { state.withLock { $0.isOver = true } }
}

/// Cancels when its value has come.
private final class Cancelling: Subscriber, Sendable {
    private let state = Locked((subscription: (any Subscription)?.none, story: [String]()))

    var story: [String] { state.withLock { $0.story } }

    func receive(subscription: any Subscription) {
        state.withLock { $0.subscription = subscription }
        subscription.request(.unlimited)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        let subscription = state.withLockUnchecked { state in
            state.story.append("value")
            return state.subscription
        }
        subscription?.cancel()
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) { state.withLock { $0.story.append("end") } }
}

/// Another class, which sends where it was started.
private final class TracedCall: APIBase, Request {
    @TaskLocal static var trace: String?

    var policy = URLRequest.CachePolicy.useProtocolCachePolicy

    override init() {
        super.init()
        (baseURL, path, sharing) = (URL(string: "http://api.example"), "/x", .safeMethods)
    }

    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        request.cachePolicy = policy
        if let trace = Self.trace { request.setValue(trace, forHTTPHeaderField: "X-Trace") }
        return request
    }

    func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }
}

/// Subscribes, whatever comes.
private func subscription(to publisher: AnyPublisher<Int, any Error>) -> AnyCancellable {
    publisher.sink { _ in
    } receiveValue: { _ in
    }
}
