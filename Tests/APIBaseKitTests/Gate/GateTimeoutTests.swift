import APIBaseKit
import APIBaseStubs
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Calls that the gate does not let pass in time.
@Suite(.tags(.concurrent), .limited) struct GateTimeoutTests {
    private let clock = StubClock.manual(movedWithin: .seconds(120))

    private func stubs(_ delay: Duration) -> Stubs {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("ok").delayed(by: delay))
        return stubs
    }

    private func calls(_ count: Int, _ gate: CallGate, in stubs: Stubs) async -> Calls {
        await stubs.runUnchecked {
            Calls(
                (0..<count).map { _ in
                    let call = WatchedCall(retry: .standard, gate: gate)
                    (call.timeout, call.limits.idle) = (.seconds(100_000), nil)
                    return call
                }
            )
        }
    }

    @Test func `Each call in the queue of a CallGate times out after its own wait of 60 seconds`() async throws {
        let stubs = stubs(.seconds(100))
        let gate = CallGate(concurrent: 1)
        let first = await calls(2, gate, in: stubs)
        clock.advance(by: .seconds(30))
        let second = await calls(2, gate, in: stubs)
        clock.advance(by: .seconds(30) - .milliseconds(1))
        #expect(first.failed == 0)
        clock.advance(by: .milliseconds(1))
        #expect(try await holds { first.failed == 1 })
        #expect(first.stories[1] == ["failed"])
        clock.advance(by: .seconds(30))
        #expect(try await holds { second.failed == 2 })
        clock.advance(by: .seconds(10))
        #expect(try await holds { first.ended == 1 && clock.waits == 0 })
        #expect(stubs.calls.count == 1)
    }

    @Test
    func `A call that cannot pass a CallGate with a longestWait of zero at once fails with gateTimedOut`() async throws
    {
        let stubs = stubs(.seconds(100))
        let gate = CallGate(concurrent: 1, longestWait: .zero)
        let first = await calls(1, gate, in: stubs)
        let error = await stubs.runUnchecked { await WatchedCall(retry: .standard, gate: gate).failure() }
        #expect(error as? RequestError == .gateTimedOut(after: .zero))
        first.cancel()
    }

    @Test func `A call waits at a CallGate without a time limit when longestWait is nil`() async throws {
        let stubs = stubs(.seconds(10_000))
        let gate = CallGate(concurrent: 1, longestWait: nil)
        let calls = await calls(2, gate, in: stubs)
        clock.advance(by: .seconds(10_000))
        #expect(try await holds { calls.ended == 1 && stubs.calls.count == 2 })
        calls.cancel()
        #expect(calls.failed == 0)
    }

    /// The pause of a server is waited for only as long, also where waits take no time.
    @Test(arguments: [StubClock.immediate, .manual(movedWithin: .seconds(120))])
    func `A call fails with gateTimedOut when a CallGate's Retry-After pause is longer than longestWait`(
        clock: StubClock
    )
        async throws
    {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(429, headers: ["Retry-After": "100"]))
        let gate = CallGate()
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: await stubs.runUnchecked { WatchedCall(gate: gate).start() })
        clock.advance(by: .seconds(60))
        #expect(try await holds { outcome.failure != nil })
        #expect(outcome.failure as? RequestError == .gateTimedOut(after: .seconds(60)))
        #expect(stubs.calls.count == 1)
        subscription.cancel()
    }

    /// Where waits take no time, a place is still waited for.
    @Test func `A call waits for a free place at a CallGate even under an immediate StubClock`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let (gate, goesOn) = (CallGate(concurrent: 1), Later<Void>())
        let first = WatchedCall(gate: gate)
        first.around = { request, next in
            AnyPublisher.awaiting { try await goesOn.value() }.flatMap { next(request) }.eraseToAnyPublisher()
        }
        let calls = await stubs.runUnchecked { Calls([first] + (0..<9).map { _ in WatchedCall(gate: gate) }) }
        #expect(calls.stories.dropFirst().allSatisfy { $0.isEmpty })
        goesOn.set()
        #expect(try await holds { calls.ended == 10 })
    }

    @Test func `A call to a real server fails with gateTimedOut after the longestWait of its CallGate`() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            isOver.wait()
            return .text("ok")
        }
        defer { server.stop() }
        let (gate, base) = (CallGate(concurrent: 1, longestWait: .milliseconds(20)), server.url.absoluteString)
        let first = Calls([WatchedCall(base: base, gate: gate)])
        let error = await WatchedCall(base: base, gate: gate).failure()
        #expect(error as? RequestError == .gateTimedOut(after: .milliseconds(20)))
        isOver.signal()
        #expect(try await holds { first.ended == 1 })
    }
}
