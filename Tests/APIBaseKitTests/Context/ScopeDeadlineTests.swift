import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// A limit of time for all calls of a scope.
@Suite(.tags(.concurrent), .limited) struct ScopeDeadlineTests {
    private class ShopAPI: JSONAPI {
        override class var baseURL: URL? { URL(string: "https://shop.example") }
    }

    private final class Item: ShopAPI, Request {
        typealias ModelType = Int
        init(_ path: String = "/item") { super.init(.get("\(path)")) }
    }

    private final class Items: ShopAPI, PagedRequest {
        typealias ModelType = [Int]
        override init() { super.init(.get("/items")) }
        func nextPage(after page: [Int], _ response: HTTPURLResponse) -> NextPage? {
            page.isEmpty ? nil : .query(["after": "\(response.url?.query ?? "")1"])
        }
    }

    private final class Export: ShopAPI, PolledRequest {
        typealias ModelType = JSONValue
        override init() { super.init(.post("/exports")) }
    }

    private final class Chat: ShopAPI, EventRequest {
        typealias EventType = Int
        override init() { super.init(.post("/chat")) }
    }

    /// A call whose value is any JSON.
    private final class Token: ShopAPI, Request {
        typealias ModelType = JSONValue
        override init() { super.init(.get("/item")) }
    }

    private final class Careful: ShopAPI, Request {
        typealias ModelType = Int
        override init() { super.init(.get("/item")) }
        override func intercept(
            _ request: URLRequest,
            next: @escaping (URLRequest) -> ReplyPublisher
        ) -> ReplyPublisher {
            AnyPublisher.awaiting {
                _ = try await Item("/first").value()
                return request
            }
            .flatMap(next).eraseToAnyPublisher()
        }
    }

    private final class Slow: Authenticator {
        var identity: String { "slow" }
        func authorize(_ request: URLRequest) async throws -> URLRequest {
            _ = try await Item("/slow").value()
            return request
        }
    }

    /// Something that takes longer than its deadline.
    struct Work: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answer = StubAnswer.json("1").delayed(by: .milliseconds(600))
        var limit = Duration.seconds(1)
        let run: @Sendable () async throws -> Void
    }

    private static let works = [
        Work(testDescription: "one call", limit: .milliseconds(500)) { _ = try await Item().value() },
        Work(testDescription: "a call after another") {
            _ = try await Item().value()
            _ = try await Item().value()
        },
        Work(testDescription: "a call's publisher", limit: .milliseconds(500)) {
            for try await _ in CallSequence(Item().start()) {}
        },
        Work(testDescription: "the delay before another attempt", answer: .status(503, headers: ["Retry-After": "5"])) {
            let item = Item()
            item.retry = .standard
            _ = try await item.value()
        },
        Work(testDescription: "a second attempt", answer: .status(503).delayed(by: .milliseconds(600))) {
            let item = Item()
            item.retry = RetryPolicy(attempts: 3, backoff: .constant(.milliseconds(1)))
            _ = try await item.value()
        },
        Work(testDescription: "the refresh of a token") {
            let item = Item()
            item.authorization = .tokens(TokenSource { _ in APIBaseKit.Token("\(try await Item("/token").value())") })
            _ = try await item.value()
        },
        Work(testDescription: "an authenticator's call") {
            let item = Item()
            item.authorization = .authenticator(Slow())
            _ = try await item.value()
        },
        Work(
            testDescription: "the refresh of a stored token",
            answer: .json(#"{"access_token": "b", "refresh_token": "s"}"#).delayed(by: .milliseconds(600))
        ) {
            let url = try #require(URL(string: "https://shop.example/token"))
            let store = MemoryTokenStore(StoredToken("a", expiresAt: .distantPast, refreshToken: "r"))
            let item = Token()
            item.authorization = .tokens(.stored(in: store, tokenAt: url, id: "me"))
            _ = try await item.value()
        },
        Work(testDescription: "a call that an override awaits") { _ = try await Careful().value() },
        Work(testDescription: "the rate of a gate", answer: .json("1")) {
            let gate = CallGate(perSecond: 0.5)
            for _ in 1...3 {
                let item = Item()
                item.gate = gate
                _ = try await item.value()
            }
        },
        Work(testDescription: "pages", answer: .json("[1]").delayed(by: .milliseconds(400))) {
            for try await _ in Items().eachPage() {}
        },
        Work(testDescription: "a delay between polls", answer: .json("{}", status: 202, headers: ["Retry-After": "5"]))
        {
            _ = try await Export().result(within: .seconds(60))
        },
        Work(
            testDescription: "polls",
            answer: .json("{}", status: 202, headers: ["Retry-After": "0"]).delayed(by: .milliseconds(400))
        ) {
            _ = try await Export().result(within: .seconds(60))
        },
        Work(
            testDescription: "events",
            answer: .events([.init(data: "1"), .init(data: "2"), .init(data: "3")], every: .milliseconds(400))
        ) {
            for try await _ in Chat().eachValue() {}
        },
        Work(
            testDescription: "the delay before a reconnection",
            answer: .events([.init(data: "1")], retry: .seconds(5))
        ) {
            for try await _ in Item().eachEvent() {}
        },
        Work(testDescription: "lines", answer: .text("1\n2\n3\n").inChunks(of: 2, every: .milliseconds(400))) {
            for try await _ in Item().eachLine() {}
        },
        Work(
            testDescription: "an update",
            answer: .json("1", headers: ["ETag": "\"a\""]).delayed(by: .milliseconds(600))
        ) {
            _ = try await Item().update { $0 += 1 }
        },
        Work(testDescription: "a download", answer: .text("123456").inChunks(of: 2, every: .milliseconds(400))) {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            _ = try await Item().downloaded(to: file)
        },
        Work(testDescription: "a shared call", limit: .milliseconds(500)) {
            let item = Item()
            item.sharing = .safeMethods
            _ = try await item.value()
        },
        Work(testDescription: "a sleep") { try await CallScope.sleep(for: .seconds(5)) },
        Work(testDescription: "a sleep after a call") {
            _ = try await Item().value()
            try await CallScope.sleep(for: .milliseconds(500))
        },
    ]

    @Test(arguments: works)
    func `Whatever takes longer than the deadline of its scope fails with deadlineExceeded`(work: Work) async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().optional().answer(work.answer)
        await #expect(throws: RequestError.deadlineExceeded(after: work.limit)) {
            try await stubs.run { try await CallScope.withDeadline(work.limit) { try await work.run() } }
        }
    }

    private static let endless: Set = ["the rate of a gate", "the delay before a reconnection"]

    @Test(arguments: works.filter { !endless.contains($0.testDescription) })
    func `Whatever fits into the deadline of its scope is as without one`(work: Work) async throws {
        func outcome(_ limit: Duration?) async throws -> String {
            let stubs = Stubs(clock: .immediate)
            stubs.on().optional().answer(
                inOrder: work.answer,
                work.answer,
                .json("[]"),
                .json("[]"),
                .json("[]"),
                then: .repeatLast
            )
            return try await stubs.run {
                do {
                    guard let limit else {
                        try await work.run()
                        return "done"
                    }
                    try await CallScope.withDeadline(limit) { try await work.run() }
                    return "done"
                } catch {
                    return "\(error)"
                }
            }
        }
        #expect(try await outcome(nil) == outcome(.seconds(600)))
    }

    // MARK: The time of a scope

    @Test func `The time of a scope moves by calls one after another, and once for calls at the same time`()
        async throws
    {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .milliseconds(900)))
        try await stubs.run {
            let start = CallScope.now
            async let first = Item().value()
            async let second = Item().value()
            _ = try await (first, second)
            #expect(CallScope.now - start == .milliseconds(900))
            _ = try await Item().value()
            _ = try await Item().value()
            #expect(CallScope.now - start == .milliseconds(1_800))
            try await CallScope.sleep(for: .seconds(10))
            #expect(CallScope.now - start == .milliseconds(11_800))
        }
    }

    @Test func `Outside of stubs, the time of a scope is real time`() async throws {
        let start = CallScope.now
        let clock = ContinuousClock.now
        try await CallScope.sleep(for: .milliseconds(20))
        let elapsed = ContinuousClock.now - clock
        #expect(CallScope.now - start >= .milliseconds(20))
        #expect(CallScope.now - start <= elapsed + (ContinuousClock.now - clock))
    }

    @Test func `A deadline counts the time that is left after other calls`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .milliseconds(300)))
        let count = Locked(0)
        await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) {
            try await stubs.run {
                try await CallScope.withDeadline(.seconds(1)) {
                    while true {
                        _ = try await Item().value()
                        count.withLock { $0 += 1 }
                    }
                }
            }
        }
        #expect(count.withLock { $0 } == 3)
    }

    @Test(arguments: 0..<20)
    func `Calls of child tasks that wait at the same time share the time of a deadline`(_: Int) async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .milliseconds(600)))
        try await stubs.run {
            // Whatever has been before.
            _ = try await Item().value()
            try await CallScope.withDeadline(.seconds(1)) {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<6 { group.addTask { try await Item().value() } }
                    try await group.waitForAll()
                }
                async let child = Item().value()
                let own = try await Item().value()
                let others = try await child
                #expect(own + others == 2)
            }
        }
    }

    @Test func `A deadline lets a loop read all events that came before it`() async throws {
        let events = (1...4).map { ServerSentEvent(data: "\($0)") }
        for _ in 0..<20 {
            let stubs = Stubs(clock: .immediate)
            stubs.on().answer(.events(events, every: .milliseconds(300)))
            let values = Locked<[Int]>([])
            await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) {
                try await stubs.run {
                    try await CallScope.withDeadline(.seconds(1)) {
                        for try await value in Chat().eachValue() { values.withLock { $0.append(value) } }
                    }
                }
            }
            #expect(values.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test func `The wait for a token is a part of the time of its call, on an immediate clock too`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .milliseconds(900)))
        let tokens = TokenSource { _ in APIBaseKit.Token("\(try await Item("/token").value())") }
        let times = Locked<[Duration?]>([])
        try await stubs.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let item = Item()
                        item.authorization = .tokens(tokens)
                        let timings = try await Timed.timings(of: { _ = try await item.value() })
                        times.withLock { $0 += [timings?.whole, timings?.credentials] }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(times.withLock { $0 }.count == 6)
        // A call that has begun after the refresh does not wait for it.
        #expect(times.withLock { Set($0) }.isSubset(of: [.milliseconds(1_800), .milliseconds(900), nil, .zero]))
        #expect(times.withLock { $0 }.contains(.milliseconds(1_800)))
    }

    /// Keeps the timings of a call.
    private struct Timed: CallWatcher {
        let last = Locked<CallTimings?>(nil)

        static func timings(of body: () async throws -> Void) async throws -> CallTimings? {
            let watcher = Timed()
            try await CallScope.watching(watcher, body)
            return watcher.last.withLock { $0 }
        }

        func report(_ event: CallEvent) {
            if case .ended(let timings) = event, timings.call.sent?.url?.path == "/item" {
                last.withLock { $0 = timings }
            }
        }
    }

    // MARK: Deadlines in one another

    @Test(arguments: [(Duration.seconds(1), Duration.seconds(5)), (.seconds(5), .seconds(1))])
    func `The earlier one of two deadlines in one another counts`(outer: Duration, inner: Duration) async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .seconds(2)))
        await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) {
            try await stubs.run {
                try await CallScope.withDeadline(outer) {
                    try await CallScope.withDeadline(inner) { try await Item().value() }
                }
            }
        }
    }

    @Test func `After an inner deadline, the outer one still has time`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .seconds(2)))
        try await stubs.run {
            try await CallScope.withDeadline(.seconds(5)) {
                await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) {
                    try await CallScope.withDeadline(.seconds(1)) { try await Item().value() }
                }
                let value = try await Item().value()
                #expect(value == 1)
            }
        }
    }

    @Test func `The deadline of a call that is earlier than that of its scope fails it as without one`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .seconds(3)))
        let item = Item()
        item.retry = RetryPolicy(attempts: 1, deadline: .seconds(1))
        let error = await #expect(throws: TransportError.self) {
            try await stubs.run { try await CallScope.withDeadline(.seconds(2)) { try await item.value() } }
        }
        #expect(error?.reason == .timedOut(which: .total, after: .seconds(1)))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `A deadline of zero or less sends nothing`(limit: Duration) async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1")).optional()
        await #expect(throws: RequestError.deadlineExceeded(after: .zero)) {
            try await stubs.run { try await CallScope.withDeadline(limit) { try await Item().value() } }
        }
        #expect(stubs.calls.isEmpty)
    }

    // MARK: What others wait for

    @Test func `Equal calls get the shared response after the deadline of the call that was sent for them`()
        async throws
    {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.json("1").delayed(by: .seconds(3)))
        @Sendable func shared() -> Item {
            let item = Item()
            item.sharing = .safeMethods
            return item
        }
        try await stubs.run {
            let hurried = Task { try await CallScope.withDeadline(.seconds(1)) { try await shared().value() } }
            await clock.settled()
            let patient = Task { try await shared().value() }
            await clock.settled()
            clock.advance(by: .seconds(1))
            await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) { try await hurried.value }
            clock.advance(by: .seconds(2))
            let value = try await patient.value
            #expect(value == 1)
        }
        #expect(stubs.calls.count == 1)
    }

    @Test func `The refresh of a token goes on for other calls after the deadline of the one that began it`()
        async throws
    {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on(.get, "/token").answer(.json("1").delayed(by: .seconds(3)))
        stubs.on(.get, "/item").answer(.json("2"))
        let tokens = TokenSource { _ in APIBaseKit.Token("\(try await Item("/token").value())") }
        @Sendable func item() -> Item {
            let item = Item()
            item.authorization = .tokens(tokens)
            return item
        }
        try await stubs.run {
            let hurried = Task { try await CallScope.withDeadline(.seconds(1)) { try await item().value() } }
            await clock.settled()
            let patient = Task { try await item().value() }
            await clock.settled()
            clock.advance(by: .seconds(1))
            await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) { try await hurried.value }
            clock.advance(by: .seconds(2))
            let value = try await patient.value
            #expect(value == 2)
        }
        #expect(stubs.calls.map(\.url?.path) == ["/token", "/item"])
    }

    // MARK: Real time, and where a deadline reaches

    @Test func `A deadline in real time ends a call to a silent server, and its connection`() async throws {
        let server = try ScriptedServer { _, connection, _ in _ = try connection.readToEnd() }
        defer { server.stop() }
        let base = server.url()
        await #expect(throws: RequestError.deadlineExceeded(after: .milliseconds(50))) {
            try await CallScope.withDeadline(.milliseconds(50)) {
                let item = Item()
                item.baseURL = base
                return try await item.value()
            }
        }
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test func `A deadline in real time ends a loop over a body that stalls, after what has come`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\none\n")
            _ = try connection.readToEnd()
        }
        defer { server.stop() }
        let base = server.url()
        let lines = Locked<[String]>([])
        await #expect(throws: RequestError.deadlineExceeded(after: .milliseconds(300))) {
            try await CallScope.withDeadline(.milliseconds(300)) {
                let item = Item()
                item.baseURL = base
                for try await line in item.eachLine() { lines.withLock { $0.append(line) } }
            }
        }
        #expect(lines.withLock { $0 } == ["one"])
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test func `A deadline reaches child tasks and scopes that are handed on, and no detached tasks`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .seconds(2)))
        try await stubs.run {
            await CallScope.withDeadline(.seconds(1)) {
                let scope = CallScope.here
                let child = Task { try await Item().value() }
                await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) { try await child.value }
                let handed = Task.detached { try await scope.run { try await Item().value() } }
                await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) { try await handed.value }
            }
            #expect(await (try? Item().value()) == 1)
        }
    }

    @Test(arguments: [true, false])
    func `A deadline in real time ends a call that waits on a manual clock of its own stubs`(isInner: Bool) async throws
    {
        let stubs = Stubs(clock: .manual(movedWithin: nil))
        stubs.on().answer(.json("1").delayed(by: .seconds(5)))
        await #expect(throws: RequestError.deadlineExceeded(after: .milliseconds(50))) {
            try await CallScope.withDeadline(.milliseconds(50)) {
                if isInner { return try await stubs.run { try await Item().value() } }
                let item = Item()
                item.session = stubs
                return try await item.value()
            }
        }
    }

    @Test func `A deadline in real time does not count the time of stubs on another clock`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(.json("1").delayed(by: .seconds(100)))
        let item = Item()
        (item.session, item.timeout) = (stubs, .seconds(200))
        item.limits.idle = .seconds(200)
        nonisolated(unsafe) let own = item
        let value = try await CallScope.withDeadline(.seconds(60)) { try await own.value() }
        #expect(value == 1)
    }

    @Test func `A refresh that takes longer than the deadline fails a call whose answer takes no time`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.get, "/token").answer(.json("1").delayed(by: .seconds(5)))
        stubs.on(.get, "/item").optional().answer(.json("2"))
        let item = Item()
        item.authorization = .tokens(TokenSource { _ in APIBaseKit.Token("\(try await Item("/token").value())") })
        nonisolated(unsafe) let own = item
        await #expect(throws: RequestError.deadlineExceeded(after: .seconds(1))) {
            try await stubs.run { try await CallScope.withDeadline(.seconds(1)) { try await own.value() } }
        }
        #expect(stubs.calls.map(\.path) == ["/token"])
    }

    @Test(arguments: [Sharing.none, .safeMethods])
    func `The deadline of a call names the phase that its exchange has reached, also a shared one`(sharing: Sharing)
        async throws
    {
        let server = try ScriptedServer { _, connection, _ in _ = try connection.readToEnd() }
        defer { server.stop() }
        let item = Item()
        item.baseURL = server.url()
        item.sharing = sharing
        item.retry = RetryPolicy(attempts: 1, deadline: .milliseconds(300))
        nonisolated(unsafe) let own = item
        let error = await #expect(throws: TransportError.self) { try await own.value() }
        #expect(error?.phase == .head)
        #expect(error?.reason == .timedOut(which: .total, after: .milliseconds(300)))
    }

    @Test func `The deadline of a call that its token has passed on an immediate clock names the credentials`()
        async throws
    {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.get, "/token").answer(.json("1").delayed(by: .seconds(5)))
        let item = Item()
        item.retry = RetryPolicy(attempts: 1, deadline: .seconds(1))
        item.authorization = .tokens(TokenSource { _ in APIBaseKit.Token("\(try await Item("/token").value())") })
        nonisolated(unsafe) let own = item
        let error = await #expect(throws: TransportError.self) { try await stubs.run { try await own.value() } }
        #expect(error?.phase == .credentials)
    }

    /// The events of all calls until the deadline.
    private struct Ends: CallWatcher {
        let failures = Locked<[any Error]>([])
        func report(_ event: CallEvent) {
            if case .failed(let error, _) = event { failures.withLock { $0.append(error) } }
        }
    }

    @Test(arguments: ["shared", "download", "lines"])
    func `The end of a call at a deadline is reported with its error`(kind: String) async throws {
        let ends = Ends()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\none\n")
            _ = try connection.readToEnd()
        }
        defer { server.stop() }
        let base = server.url()
        await #expect(throws: RequestError.deadlineExceeded(after: .milliseconds(100))) {
            try await CallScope.watching(ends) {
                try await CallScope.withDeadline(.milliseconds(100)) {
                    let item = Item()
                    item.baseURL = base
                    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                    defer { try? FileManager.default.removeItem(at: file) }
                    switch kind {
                    case "shared":
                        item.sharing = .safeMethods
                        _ = try await item.value()
                    case "download": _ = try await item.downloaded(to: file)
                    default: for try await _ in item.eachLine() {}
                    }
                }
            }
        }
        #expect(try await holds { !ends.failures.withLock { $0.isEmpty } })
        #expect(
            ends.failures.withLock { $0 }.map { $0 as? RequestError } == [.deadlineExceeded(after: .milliseconds(100))]
        )
    }

    @Test func `A cancel within a deadline is a cancel`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.json("1").delayed(by: .seconds(2)))
        try await stubs.run {
            let task = Task { try await CallScope.withDeadline(.seconds(10)) { try await Item().value() } }
            await clock.settled()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `The text of deadlineExceeded names the limit`() {
        #expect(
            RequestError.deadlineExceeded(after: .milliseconds(1_500)).localizedDescription
                == "The calls of this scope were not done within 1.5 s."
        )
    }
}
