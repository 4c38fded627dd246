import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// How many calls pass a gate, and which, on the stubs' clock.
@Suite(.tags(.concurrent), .limited) struct CallGateTests {
    private let clock = StubClock.manual(movedWithin: .seconds(120))

    private func stubs(_ answer: StubAnswer = .text("ok")) -> Stubs {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(answer)
        return stubs
    }

    /// Starts calls one after another, with their numbers as paths.
    private func start(_ count: Int, with gate: CallGate, in stubs: Stubs, timeout: Duration = .seconds(60)) async
        -> Calls
    {
        await stubs.runUnchecked {
            Calls(
                (0..<count).map { number in
                    let call = WatchedCall(gate: gate)
                    call.path = "/\(number)"
                    call.timeout = timeout
                    return call
                }
            )
        }
    }

    @Test
    func `A CallGate for 8 concurrent calls never lets more than 8 calls reach the server at once`() async throws {
        let counts = Locked((all: 0, now: 0, most: 0))
        let haveCome = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            let number = counts.withLock { counts in
                counts = (counts.all + 1, counts.now + 1, max(counts.most, counts.now + 1))
                return counts.all
            }
            // The first eight wait for each other.
            if number == 8 { for _ in 0..<7 { haveCome.signal() } }
            if number < 8 { haveCome.wait() }
            sched_yield()
            counts.withLock { $0.now -= 1 }
            return .text("ok")
        }
        defer { server.stop() }
        // With more connections than the gate lets pass, which is not the default.
        let session = (Engine.available.last ?? .urlSession).makeSession(connectionsPerHost: 16)
        defer { session.close() }
        let gate = CallGate(concurrent: 8, longestWait: nil)
        let base = "http://127.0.0.1:\(server.port)"
        let failures = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<load(3_000) {
                group.addTask {
                    let call = WatchedCall(base: base, gate: gate)
                    call.session = session
                    // The last one waits for all the others.
                    call.timeout = .seconds(600)
                    if await call.failure() != nil { failures.withLock { $0 += 1 } }
                }
            }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(counts.withLock { $0.most } == 8)
    }

    @Test func `Calls pass a CallGate in the order in which they are started`() async throws {
        let stubs = stubs()
        let calls = await start(200, with: CallGate(concurrent: 1), in: stubs)
        #expect(try await holds { calls.ended == 200 })
        #expect(stubs.calls.map(\.path) == (0..<200).map { "/\($0)" })
    }

    @Test(arguments: [(10.0, 1), (10, 5), (40, 1), (0.5, 3)])
    func `A CallGate lets as many calls as its burst pass at once, and then perSecond calls a second`(
        perSecond: Double,
        burst: Int
    )
        async throws
    {
        let stubs = stubs()
        let count = burst + Int(perSecond * 10)
        let calls = await start(count + 10, with: CallGate(perSecond: perSecond, burst: burst), in: stubs)
        #expect(try await holds { calls.ended == burst })
        for half in 1...2 {
            clock.advance(by: .seconds(5))
            #expect(try await holds { calls.ended == burst + Int(perSecond * 5 * Double(half)) })
        }
        calls.cancel()
        #expect(stubs.calls.count == count)
        #expect(clock.waits <= 1)
    }

    @Test func `A CallGate that has been idle lets only one burst of calls pass at once`() async throws {
        let stubs = stubs()
        let gate = CallGate(perSecond: 1, burst: 2)
        _ = try await stubs.run { try await WatchedCall(gate: gate).value() }
        clock.advance(by: .seconds(1_000))
        let calls = await start(5, with: gate, in: stubs)
        #expect(try await holds { calls.ended == 2 })
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.ended == 3 })
        calls.cancel()
    }

    @Test(arguments: [0, -1, .nan, .infinity])
    func `A CallGate ignores a limit that is zero, negative, NaN or infinite`(perSecond: Double) async throws {
        let stubs = stubs()
        let calls = await start(30, with: CallGate(concurrent: 0, perSecond: perSecond, burst: -3), in: stubs)
        #expect(try await holds { calls.ended == 30 })
    }

    @Test func `A negative burst of a CallGate counts as a burst of 1 call`() async throws {
        let stubs = stubs()
        let calls = await start(3, with: CallGate(perSecond: 1, burst: -3), in: stubs)
        for number in 1...3 {
            #expect(try await holds { calls.ended == number })
            clock.advance(by: .seconds(1))
        }
    }

    @Test func `The wait at a CallGate does not count toward the timeout of a call`() async throws {
        let stubs = stubs(.text("ok").delayed(by: .seconds(9)))
        let calls = await start(3, with: CallGate(concurrent: 1), in: stubs, timeout: .seconds(10))
        for number in 1...3 {
            // The reply, and the longest wait of the others.
            #expect(try await holds { clock.waits == (number < 3 ? 2 : 1) })
            clock.advance(by: .seconds(9))
            #expect(try await holds { calls.ended == number })
        }
        #expect(calls.failed == 0)
    }

    @Test func `Calls canceled in the queue of a CallGate are never sent`() async throws {
        let stubs = stubs(.text("ok").delayed(by: .seconds(1)))
        let gate = CallGate(concurrent: 1)
        let first = await start(1, with: gate, in: stubs)
        let others = await start(1_000, with: gate, in: stubs)
        let last = await start(1, with: gate, in: stubs)
        others.cancel()
        #expect(others.stories.allSatisfy { $0 == ["cancelled"] })
        clock.advance(by: .seconds(1))
        #expect(try await holds { stubs.calls.count == 2 && clock.waits == 1 && first.ended == 1 })
        clock.advance(by: .seconds(1))
        #expect(try await holds { last.ended == 1 })
        #expect(stubs.calls.count == 2)
    }

    @Test func `Calls canceled in the queue of a CallGate do not use up its rate`() async throws {
        let stubs = stubs()
        let gate = CallGate(perSecond: 1)
        let first = await start(1, with: gate, in: stubs)
        let others = await start(9, with: gate, in: stubs)
        let last = await start(1, with: gate, in: stubs)
        others.cancel()
        clock.advance(by: .seconds(1))
        #expect(try await holds { first.ended == 1 && last.ended == 1 })
    }

    @Test func `Canceling a running call lets the next call pass the CallGate`() async throws {
        let stubs = stubs(.text("ok").delayed(by: .seconds(1)))
        let gate = CallGate(concurrent: 1)
        let first = await start(1, with: gate, in: stubs)
        let second = await start(1, with: gate, in: stubs)
        first.cancel()
        #expect(try await holds { stubs.calls.count == 2 })
        second.cancel()
    }

    @Test(arguments: [StubClock.immediate, .manual(movedWithin: .seconds(120))])
    func `A call fails with timedOut at its deadline while it waits at a CallGate`(clock: StubClock) async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(429, headers: ["Retry-After": "100"]))
        let gate = CallGate()
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        let call = WatchedCall(retry: RetryPolicy(attempts: 1, deadline: .seconds(5)), gate: gate)
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: await stubs.runUnchecked { call.start() })
        clock.advance(by: .seconds(5))
        #expect(try await holds { outcome.failure != nil })
        let error = outcome.failure as? TransportError
        #expect(error?.reason == .timedOut(which: .total, after: .seconds(5)))
        #expect(stubs.calls.count == 1)
        subscription.cancel()
    }

    @Test
    func `A call made inside a token refresh does not wait at the CallGate of the refreshing call`() async throws {
        let stubs = stubs()
        let gate = CallGate(concurrent: 1)
        let source = TokenSource { _ in
            _ = try await WatchedCall(gate: gate).value()
            return Token("t")
        }
        let call = WatchedCall(gate: gate)
        call.authorization = .tokens(source)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(stubs.calls.count == 2)
    }

    @Test func `A call with a CallGate is attempted 2,000 times without overflowing the stack`() {
        let call = WatchedCall(retry: RetryPolicy(attempts: 2_000, backoff: .none), gate: CallGate(concurrent: 1))
        call.stub(status: 503)
        #expect(outcome(of: call.start()).failure is RequestError)
        #expect(call.story.filter { $0 == "retrying" }.count == 1_999)
    }
}

/// Calls that have been started.
final class Calls: Sendable {
    private let calls: [WatchedCall]
    private let subscriptions: Locked<[AnyCancellable]>

    init(_ calls: [WatchedCall]) {
        self.calls = calls
        subscriptions = Locked(
            calls.map {
                $0.start().sink { _ in
                } receiveValue: { _ in
                }
            }
        )
    }

    /// How many have ended well.
    var ended: Int { stories.filter { $0.last?.hasPrefix("ended") == true }.count }
    var failed: Int { stories.filter { $0.last == "failed" }.count }
    var stories: [[String]] { calls.map(\.story) }

    func cancel() {
        let subscriptions = subscriptions.withLock { $0 }
        subscriptions.forEach { $0.cancel() }
    }
}
