import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// A limiter that answers as a test says, and keeps the questions.
private final class TestLimiter: SharedLimiter {
    struct Away: Error {}

    private let waits: Locked<[Result<Duration, Away>]>
    private let places: Locked<[Result<Bool, Away>]>
    private let list = Locked<[String]>([])

    /// The last answer is given again and again.
    init(
        waits: [Result<Duration, Away>] = [.success(.zero)],
        places: [Result<Bool, Away>] = [.success(true)],
        isAskedForStubs: Bool = true
    ) {
        (self.waits, self.places, self.isAskedForStubs) = (Locked(waits), Locked(places), isAskedForStubs)
    }

    let isAskedForStubs: Bool

    /// The questions in their order.
    var questions: [String] { list.withLock { $0 } }

    /// The number of questions for a place.
    var placeCount: Int { questions.count { $0.hasPrefix("one of") } }

    func wait(for key: String, limit: RateLimit.Policy, now: Date) throws -> Duration {
        list.withLock { $0.append("\(limit.quota) in \(limit.window) for \(key)") }
        return try waits.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
    }

    func pause(_ key: String, for duration: Duration) { list.withLock { $0.append("pause \(key) for \(duration)") } }

    func takePlace(_ id: String, for key: String, of count: Int, lease: Duration) throws -> Bool {
        list.withLock { $0.append("one of \(count) for \(key)") }
        return try places.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
    }

    func leavePlace(_ id: String, for key: String) { list.withLock { $0.append("leave \(key)") } }
}

/// The limits of a gate that other processes share, on the stubs' clock.
@Suite(.tags(.concurrent), .limited) struct SharedLimiterTests {
    private let clock = StubClock.manual(movedWithin: .seconds(120))
    private let stubs: Stubs

    init() {
        stubs = Stubs(clock: clock)
        stubs.on().optional().answer(.text("ok"))
    }

    private func start(_ count: Int, _ gate: CallGate) async -> Calls {
        await stubs.runUnchecked { Calls((0..<count).map { _ in WatchedCall(gate: gate) }) }
    }

    @Test func `Attempts wait for the moments of the limiter, which is asked for one after another`() async throws {
        let limiter = TestLimiter(waits: [.success(.zero), .success(.seconds(2)), .success(.seconds(3))])
        let gate = CallGate(perSecond: 4, burst: 2, shared: limiter, name: "books")
        let calls = await start(2, gate)
        #expect(try await holds { calls.ended == 1 && clock.waits == 1 })
        let more = await start(1, gate)
        clock.advance(by: .seconds(2) - .milliseconds(1))
        #expect(limiter.questions == ["2 in 0.5 seconds for books", "2 in 0.5 seconds for books"])
        clock.advance(by: .milliseconds(1))
        #expect(try await holds { calls.ended == 2 && clock.waits == 1 })
        #expect(limiter.questions.count == 3 && more.ended == 0)
        clock.advance(by: .seconds(3))
        #expect(try await holds { more.ended == 1 && clock.waits == 0 })
    }

    @Test func `Each account with a name has a key of its own, and a gate without a rate asks for the pauses`()
        async throws
    {
        let limiter = TestLimiter()
        let gate = CallGate(shared: limiter, name: "books")
        try await stubs.run {
            _ = try await WatchedCall(gate: gate).value()
            try await WatchedCall.with(APIAccount(name: "eu")) { _ = try await WatchedCall(gate: gate).value() }
        }
        #expect(limiter.questions == ["1000000 in 1.0 seconds for books", "1000000 in 1.0 seconds for books/eu"])
    }

    @Test func `While the limiter fails, the gate keeps to its own part, says so, and asks again after a second`()
        async throws
    {
        let limiter = TestLimiter(waits: [.failure(.init()), .failure(.init()), .success(.zero)])
        let gate = CallGate(perSecond: 40, burst: 4, shared: limiter, name: "books", replicas: 4)
        let calls = await start(3, gate)
        // One at once, and then one in each tenth of a second.
        #expect(try await holds { calls.ended == 1 && clock.waits == 1 })
        for count in 2...3 {
            clock.advance(by: .milliseconds(99))
            #expect(calls.ended == count - 1)
            clock.advance(by: .milliseconds(1))
            #expect(try await holds { calls.ended == count })
        }
        #expect(limiter.questions.count == 1)
        #expect(calls.stories.map { $0.contains("noted") } == [true, false, false])
        clock.advance(by: .seconds(1))
        let later = await start(1, gate)
        #expect(try await holds { later.ended == 1 })
        #expect(later.stories[0].contains("noted") && limiter.questions.count == 2)
        clock.advance(by: .seconds(1))
        let last = await start(10, gate)
        clock.advance(by: .seconds(1))
        #expect(try await holds { last.ended == 10 })
        #expect(limiter.questions.count == 12 && last.stories.allSatisfy { !$0.contains("noted") })
    }

    @Test func `A call that waits by its own part asks again after a second`() async throws {
        let limiter = TestLimiter(waits: [.failure(.init()), .failure(.init()), .success(.zero)])
        let calls = await start(2, CallGate(perSecond: 1, shared: limiter, replicas: 50))
        #expect(try await holds { calls.ended == 1 && clock.waits == 1 })
        clock.advance(by: .seconds(1))
        #expect(try await holds { limiter.questions.count == 2 && clock.waits == 1 })
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.ended == 2 })
    }

    @Test func `The moment of a call that is canceled is used by the next`() async throws {
        let limiter = TestLimiter(waits: [.success(.seconds(5)), .success(.seconds(100))])
        let gate = CallGate(shared: limiter)
        let first = await start(1, gate)
        #expect(try await holds { clock.waits == 1 })
        first.cancel()
        let second = await start(1, gate)
        #expect(try await holds { clock.waits == 1 })
        clock.advance(by: .seconds(5))
        #expect(try await holds { second.ended == 1 })
        #expect(limiter.questions.count == 1)
    }

    @Test func `A call for which the limiter has no moment in time fails with gateTimedOut`() async throws {
        let limiter = TestLimiter(waits: [.success(.seconds(61)), .success(.zero)])
        let gate = CallGate(concurrent: 1, shared: limiter)
        let error = await stubs.runUnchecked { await WatchedCall(gate: gate).failure() }
        #expect(error as? RequestError == .gateTimedOut(after: .seconds(60)))
        #expect(limiter.questions.last == "leave gate" || limiter.questions.count < 3)
        clock.advance(by: .seconds(62))
        try await stubs.run { _ = try await WatchedCall(gate: gate).value() }
    }

    @Test func `A call waits for one of the places of all processes, and leaves it at its end`() async throws {
        let limiter = TestLimiter(places: [.success(false), .success(true)])
        let gate = CallGate(concurrent: 3, shared: limiter)
        let calls = await start(1, gate)
        #expect(try await holds { clock.waits == 1 })
        clock.advance(by: .milliseconds(50))
        #expect(try await holds { calls.ended == 1 && limiter.questions.count == 4 })
        #expect(
            limiter.questions == [
                "one of 3 for gate", "one of 3 for gate", "1000000 in 1.0 seconds for gate", "leave gate",
            ]
        )
    }

    @Test func `The lease of a place is renewed while its call runs, and no longer`() async throws {
        let limiter = TestLimiter()
        stubs.on(.get, "/x").overriding().answer(.text("ok").delayed(by: .seconds(50)))
        let calls = await start(1, CallGate(concurrent: 3, shared: limiter))
        #expect(try await holds { stubs.calls.count == 1 && clock.waits == 2 })
        for count in 2...3 {
            clock.advance(by: .seconds(20))
            #expect(try await holds { limiter.placeCount == count && clock.waits == 2 })
        }
        clock.advance(by: .seconds(10))
        #expect(try await holds { calls.ended == 1 && limiter.questions.last == "leave gate" && clock.waits == 0 })
        clock.advance(by: .seconds(20))
        #expect(limiter.placeCount == 3)
    }

    @Test func `A call that is canceled leaves its place`() async throws {
        let limiter = TestLimiter(waits: [.success(.seconds(5))])
        let calls = await start(1, CallGate(concurrent: 1, shared: limiter))
        // For its moment, and to renew the lease.
        #expect(try await holds { clock.waits == 2 })
        calls.cancel()
        #expect(try await holds { limiter.questions.last == "leave gate" })
    }

    @Test func `While the limiter fails, each process has its part of the places`() async throws {
        let limiter = TestLimiter(places: [.failure(.init())])
        stubs.on(.get, "/x").overriding().answer(.text("ok").delayed(by: .seconds(10)))
        let calls = await start(5, CallGate(concurrent: 8, shared: limiter, replicas: 4))
        #expect(try await holds { stubs.calls.count == 2 })
        clock.advance(by: .seconds(9))
        #expect(stubs.calls.count == 2)
        // The others ask again and again.
        let others = try await holds {
            clock.advance(by: .milliseconds(50))
            return calls.ended >= 2 && stubs.calls.count >= 4
        }
        #expect(others)
        calls.cancel()
    }

    @Test func `What a response asks for is told to the limiter`() async throws {
        let limiter = TestLimiter()
        stubs.on(.get, "/x").overriding().answer(.status(429, headers: ["Retry-After": "7"]))
        await stubs.runUnchecked { _ = await WatchedCall(gate: CallGate(shared: limiter)).failure() }
        #expect(try await holds { limiter.questions.last == "pause gate for 7.0 seconds" })
    }

    @Test func `Stubbed calls ask no limiter, unless it says so`() async throws {
        let limiter = TestLimiter(isAskedForStubs: false)
        stubs.on(.get, "/x").overriding().answer(.status(429, headers: ["Retry-After": "7"]))
        await stubs.runUnchecked { _ = await WatchedCall(gate: CallGate(concurrent: 2, shared: limiter)).failure() }
        #expect(limiter.questions.isEmpty)
    }

    @Test func `The longest wait counts from the arrival, also of a call with others before it`() async throws {
        let limiter = TestLimiter(waits: [.success(.zero), .success(.seconds(40)), .success(.seconds(40))])
        let calls = await start(3, CallGate(shared: limiter))
        #expect(try await holds { calls.ended == 1 && clock.waits == 1 })
        clock.advance(by: .seconds(40))
        // After 40 s, the last one would have to wait for another 40.
        #expect(try await holds { calls.ended == 2 && calls.stories.contains(["failed"]) })
        #expect(limiter.questions.count == 3 && stubs.calls.count == 2)
    }

    @Test func `A place for which the answer was lost is given back`() async throws {
        let limiter = TestLimiter(places: [.failure(.init())])
        stubs.on(.get, "/x").overriding().answer(.text("ok").delayed(by: .seconds(10)))
        let gate = CallGate(concurrent: 2, shared: limiter, replicas: 2)
        let first = await start(1, gate)
        #expect(try await holds { stubs.calls.count == 1 && clock.waits == 2 })
        let second = await start(1, gate)
        #expect(try await holds { clock.waits == 3 })
        second.cancel()
        #expect(try await holds { limiter.questions.last == "leave gate" })
        first.cancel()
    }

    @Test func `A limiter is asked where waits take no time, too`() async throws {
        let limiter = TestLimiter(waits: [.success(.seconds(50))])
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let call = WatchedCall(gate: CallGate(shared: limiter))
        _ = try await stubs.run { try await call.value() }
        #expect(limiter.questions.count == 1 && (call.timings?.gate ?? .zero) >= .seconds(49))
    }
}
