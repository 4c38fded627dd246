import APIBaseStubs
import Basics
import LoopbackServer
import Foundation
import TestTiers
import Testing

/// Places where code of a service runs. A call from each is in the test's scope, or fails without reaching the network.
/// All calls are for a host that does not exist, so a leak would cause another error.
@Suite(.tags(.concurrent), .limited) struct ScopeInheritanceTests {
    /// A way to run code in another place.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isInScope: Bool
        let run: @Sendable (@escaping @Sendable () async -> String) async -> String
    }

    /// A kind of call.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: @Sendable () async throws -> String
    }

    private actor Worker {
        func run(_ work: @Sendable () async -> String) async -> String { await work() }
    }

    /// Starts work in a place where only synchronous code can run.
    private static func elsewhere(
        _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> @Sendable (@escaping @Sendable () async -> String) async -> String {
        { work in
            await withCheckedContinuation { continuation in
                start {
                    // The new task inherits the task locals of this place.
                    Task { continuation.resume(returning: await work()) }
                }
            }
        }
    }

    static let places = [
        Place(testDescription: "the task itself", isInScope: true) { await $0() },
        Place(testDescription: "async let", isInScope: true) { work in
            async let text = work()
            return await text
        },
        Place(testDescription: "a task group", isInScope: true) { work in
            await withTaskGroup(of: String.self) { group in
                group.addTask { await work() }
                return await group.next() ?? ""
            }
        },
        Place(testDescription: "a task", isInScope: true) { work in await Task { await work() }.value },
        Place(testDescription: "a task in a task", isInScope: true) { work in
            await Task { await Task { await work() }.value }.value
        },
        Place(testDescription: "an actor", isInScope: true) { work in await Worker().run(work) },
        Place(testDescription: "the main actor", isInScope: true) { work in
            await Task { @MainActor in await work() }.value
        },
        Place(testDescription: "a detached task", isInScope: false) { work in await Task.detached { await work() }.value
        },
        Place(
            testDescription: "a queue",
            isInScope: false,
            run: elsewhere { DispatchQueue(label: "q").async(execute: $0) }
        ),
        Place(
            testDescription: "the global queue",
            isInScope: false,
            run: elsewhere { DispatchQueue.global().async(execute: $0) }
        ),
        Place(testDescription: "a thread", isInScope: false, run: elsewhere { Thread(block: $0).start() }),
        Place(
            testDescription: "a timer",
            isInScope: false,
            run: elsewhere { DispatchQueue.global().asyncAfter(deadline: .now(), execute: $0) }
        ),
        Place(
            testDescription: "after receive(on:)",
            isInScope: false,
            run: elsewhere { work in
                let kept = Locked<AnyCancellable?>(nil)
                let sink = Just(1).receive(on: DispatchQueue(label: "q")).sink { _ in
                    work()
                    kept.withLock { $0 = nil }
                }
                kept.withLockUnchecked { $0 = sink }
            }
        ),
    ]

    private class API: JSONAPI {
        init(_ path: String = "/books") {
            super.init()
            baseURL = URL(string: "https://api.invalid/v1")
            self.path = path
        }
    }

    private final class Books: API, LinkPagedRequest {
        typealias ModelType = [Int]
    }

    static let kinds = [
        Kind(testDescription: "a call") { "\(try await Books().value())" },
        Kind(testDescription: "a call with a stream for its body") {
            let call = Books()
            call.method = .post
            call.bodyStream = (InputStream(data: Data("body".utf8)), 4)
            return "\(try await call.value())"
        },
        Kind(testDescription: "a stream") {
            var data = Data()
            for try await reply in Books().sendStream().values {
                for try await piece in reply.body.values { data += piece }
            }
            return String(decoding: data, as: UTF8.self)
        },
        Kind(testDescription: "a download") {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            _ = try await Books().download(to: file).values.first { _ in true }
            return String(decoding: try Data(contentsOf: file), as: UTF8.self)
        },
        Kind(testDescription: "events") {
            let event = try await API("/events").serverSentEvents().values.first { _ in true }
            return "\(event?.data ?? "")"
        },
        Kind(testDescription: "pages") {
            "\(try await Books().pages().collect().values.first { _ in true }?.first ?? [])"
        },
        Kind(testDescription: "a refresh of a token") {
            let call = Books()
            call.authorization = .tokens(TokenSource { _ in Token(try await Books().value().description) })
            return "\(try await call.value())"
        },
        Kind(testDescription: "a cache") {
            let call = Books()
            call.cache = ResponseCache()
            return "\(try await call.value())"
        },
        Kind(testDescription: "a retry") {
            let call = Books()
            call.retry = .standard
            return "\(try await call.value())"
        },
        Kind(testDescription: "a shared call") {
            let call = Books()
            call.sharing = .safeMethods
            return "\(try await call.value())"
        },
    ]

    private func stubs() -> Stubs {
        let stubs = Stubs()
        stubs.on(nil, "/books").optional().answer(.json("[1]"))
        stubs.on(.get, "/events").optional().answer(.events([ServerSentEvent(data: "[1]")], staysOpen: true))
        return stubs
    }

    private static func outcome(_ kind: Kind) async -> String {
        do { return try await kind.call() } catch { return "\(error)" }
    }

    @Test(arguments: places, kinds)
    func `Each kind of call is stubbed in child tasks, and fails as out of scope in other tasks and threads`(
        place: Place,
        kind: Kind
    )
        async throws
    {
        let stubs = stubs()
        let outcome = try await stubs.run { await place.run { await Self.outcome(kind) } }
        if place.isInScope {
            #expect(outcome == "[1]")
            #expect(!stubs.calls.isEmpty)
        } else {
            #expect(outcome.contains("https://api.invalid/v1/"))
            #expect(outcome.contains("outside of every scope"))
            #expect(outcome.contains("CallScope.here"))
            #expect(outcome.contains("request.session = stubs"))
            #expect(stubs.calls.isEmpty)
        }
    }

    @Test(arguments: places)
    func `CallScope.here.run lets a call in any thread, queue or task use the stubs of the scope`(place: Place)
        async throws
    {
        let stubs = stubs()
        let outcome = try await stubs.run {
            let scope = CallScope.here
            return await place.run { await scope.run { await Self.outcome(Self.kinds[0]) } }
        }
        #expect(outcome == "[1]")
    }

    @Test(arguments: places)
    func `A call in any thread, queue or task is stubbed when its session is set to the stubs`(place: Place)
        async throws
    {
        let stubs = stubs()
        let outcome = await place.run {
            let call = Books()
            call.session = stubs
            return (try? await call.value())?.description ?? "an error"
        }
        #expect(outcome == "[1]")
    }

    @Test func `A call started after receive(on:) is stubbed when inScope(.here) follows receive(on:)`() async throws {
        let stubs = stubs()
        try await stubs.run {
            let numbers = Books().start()
                .receive(on: DispatchQueue(label: "q"))
                .inScope(.here)
                .flatMap { _ in Books().start() }
            let first = try await numbers.values.first { _ in true }
            #expect(first == [1])
        }
        #expect(stubs.calls.count == 2)
    }

    @Test func `The error for a call outside of every Stubs.run names a stub that would answer it`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/v1/only-here", query: ["page": "2"]).optional().answer(.json("[1]"))
        stubs.on(.get, "/only-here").named("the one of ScopeInheritanceTests").optional().answer(.json("[1]"))
        let text = try await stubs.run {
            await Task.detached {
                do { return "\(try await Books().with(path: "/only-here").value())" } catch { return "\(error)" }
            }.value
        }
        #expect(
            text.hasPrefix(
                "GET https://api.invalid/v1/only-here was started outside of every scope, where it would have gone to "
                    + "the network. The nearest:\n  “"
            )
        )
        // The message may name stubs of other tests, each with its place.
        #expect(text.contains(/” \(\w+\.swift:\d+\): would answer it\n/))
    }

    /// Servers on this machine can be reached, and others if a test passes requests through.
    @Test func `A call outside of every Stubs.run reaches a server on the same machine`() async throws {
        let server = try HTTPServer { _ in .text("[2]") }
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        try await stubs().run {
            #expect(await Task.detached { await Call(base: base).outcome() }.value == .success("[2]"))
        }
        #expect(await Call(base: base).outcome() == .success("[2]"))
        let open = Stubs(unmatched: .passThrough)
        let outcome = try await open.run { await Call(base: "http://host.invalid").outcome() }
        guard case .failure = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }

    @Test func `Each of many concurrent Stubs.run scopes answers only the calls of its own tasks`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<load(2_000) {
                group.addTask {
                    let stubs = Stubs()
                    stubs.on().answer(.json("[\(number)]"))
                    try await stubs.run {
                        let scope = CallScope.here
                        async let inherited = Books().value()
                        async let handed = Task.detached { try await scope.run { try await Books().value() } }.value
                        let numbers = try await (inherited, handed)
                        #expect(numbers.0 == [number])
                        #expect(numbers.1 == [number])
                    }
                    #expect(stubs.calls.count == 2)
                }
            }
            try await group.waitForAll()
        }
    }
}

extension JSONAPI {
    fileprivate func with(path: String) -> Self {
        self.path = path
        return self
    }
}
