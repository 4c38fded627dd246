import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// When calls are refused because those before them have failed.
@Suite(.limited) struct CircuitBreakerTests {
    private let clock = StubClock.immediate

    /// A gate that opens after three failures and rests for ten seconds. `500` is a call that is answered so, `lost` one whose
    /// connection breaks, `bad` one that cannot be built, `no` one that is refused, and `+10` ten seconds.
    static let scripts = [
        "500 500 500 no no",
        "500 500 200 500 500 200",
        "500 500 404 500 500 429 500 500 500 no",
        "lost lost lost no",
        "503 lost 599 no",
        "500 500 bad 500 no",
        "500 500 500 no +9 no +1 200 200 500 500 500 no",
        "500 500 500 +10 500 no +9 no +1 200 200",
        "500 500 500 +1000 lost no +10 200",
        "500 500 500 +10 bad 200 200",
        "500 500 500 +10 bad 500 no",
        "500 500 +1000 500 no",
        "200 200 500 +10 500 500 no",
    ]

    @Test(arguments: scripts)
    func `A circuit breaker opens after 3 failures in a row and closes after a successful trial call`(script: String)
        async throws
    {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        let answer = Locked(StubAnswer.text("ok"))
        stubs.on().answer { _ in answer.withLock { $0 } }.optional()
        let gate = CallGate(opensAfter: 3, restsFor: .seconds(10))
        var sent = 0
        for step in script.split(separator: " ") {
            if step.hasPrefix("+"), let seconds = Int(step.dropFirst()) {
                clock.advance(by: .seconds(seconds))
                continue
            }
            let call = WatchedCall(gate: gate)
            if step == "bad" { call.path = "?" }
            let status = Int(step)
            answer.withLock { $0 = status.map { .status($0) } ?? .error(URLError(.networkConnectionLost)) }
            let error = try await stubs.run { await call.failure() }
            sent += step == "no" || step == "bad" ? 0 : 1
            #expect(stubs.calls.count == sent, "\(step)")
            #expect(isRefusal(error) == (step == "no"), "\(step)")
        }
    }

    @Test
    func `A call refused by an open circuit breaker fails at once with circuitOpen and the time left`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(500))
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(10))
        try await stubs.run {
            _ = await WatchedCall(gate: gate).failure()
            clock.advance(by: .seconds(3))
            let call = WatchedCall(retry: RetryPolicy(attempts: 9), gate: gate)
            #expect(await call.failure() as? RequestError == .circuitOpen(retryAfter: .seconds(7)))
            #expect(call.story == ["failed"])
        }
    }

    /// What fails in the end is the last attempt's own error.
    @Test func `An open circuit breaker ends the retries of a call with the error of its last attempt`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(503))
        let call = WatchedCall(retry: .standard, gate: CallGate(opensAfter: 1, restsFor: .seconds(3_600)))
        let error = try await stubs.run { await call.failure() } as? RequestError
        #expect(error.map { if case .httpFailure(503) = $0 { true } else { false } } == true)
        #expect(call.refusal == .circuitOpen)
    }

    @Test func `A call whose subscriber has no demand does not take a place at its CallGate`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let gate = CallGate(concurrent: 1)
        let idle = Idle()
        await stubs.runUnchecked { WatchedCall(gate: gate).start().subscribe(idle) }
        #expect(try await stubs.run { await WatchedCall(gate: gate).failure() } == nil)
        idle.ask()
        #expect(try await holds { stubs.calls.count == 2 })
    }

    @Test
    func `An open circuit breaker lets one trial call pass after its rest and refuses others meanwhile`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(500), .text("ok").delayed(by: .seconds(5)), .text("ok"))
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(10))
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        clock.advance(by: .seconds(10))
        let trial = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        #expect(isRefusal(try await stubs.run { await WatchedCall(gate: gate).failure() }))
        clock.advance(by: .seconds(5))
        #expect(try await holds { trial.ended == 1 })
        #expect(try await stubs.run { await WatchedCall(gate: gate).failure() } == nil)
    }

    @Test
    func `The next call becomes the trial call of a circuit breaker when the first trial is canceled`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(500), .text("ok").delayed(by: .seconds(5)), .text("ok"), .text("ok"))
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(10))
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        clock.advance(by: .seconds(10))
        await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }.cancel()
        #expect(try await stubs.run { await WatchedCall(gate: gate).failure() } == nil)
        #expect(try await stubs.run { await WatchedCall(gate: gate).failure() } == nil)
    }

    @Test func `The success of a call started before a circuit breaker opened does not close it`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .text("ok").delayed(by: .seconds(5)), .status(500), .text("ok"))
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(10))
        let early = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        clock.advance(by: .seconds(5))
        #expect(try await holds { early.ended == 1 })
        #expect(isRefusal(try await stubs.run { await WatchedCall(gate: gate).failure() }))
    }

    @Test func `A call started before a circuit breaker opened does not end the running trial call`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(
            inOrder: .text("ok").delayed(by: .seconds(15)),
            .status(500),
            .text("ok").delayed(by: .seconds(20))
        )
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(10))
        let early = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        clock.advance(by: .seconds(10))
        let trial = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        clock.advance(by: .seconds(5))
        #expect(try await holds { early.ended == 1 })
        #expect(isRefusal(try await stubs.run { await WatchedCall(gate: gate).failure() }))
        trial.cancel()
    }

    @Test func `Calls waiting at a CallGate are refused when its circuit breaker opens`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(500).delayed(by: .seconds(1)))
        let gate = CallGate(concurrent: 1, opensAfter: 1)
        let calls = await stubs.runUnchecked { Calls((0..<50).map { _ in WatchedCall(gate: gate) }) }
        clock.advance(by: .seconds(1))
        #expect(try await holds { calls.failed == 49 })
        #expect(stubs.calls.count == 1)
    }

    /// Where waits are over at once, a circuit rests by the time of day.
    @Test func `An open circuit breaker rests in real time under an immediate StubClock`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(500), .text("ok"))
        let gate = CallGate(opensAfter: 1, restsFor: .milliseconds(20))
        try await stubs.run {
            _ = await WatchedCall(gate: gate).failure()
            let deadline = ContinuousClock.now + .seconds(120)
            while isRefusal(await WatchedCall(gate: gate).failure()), ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        #expect(stubs.calls.count == 2)
    }

    @Test
    func `Each Stubs object and each call with its own stub has its own circuit breaker at a CallGate`() async throws {
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(3_600))
        for _ in 0..<2 {
            let stubs = Stubs()
            stubs.on().answer(.status(500))
            try await stubs.run {
                #expect(!isRefusal(await WatchedCall(gate: gate).failure()))
                #expect(isRefusal(await WatchedCall(gate: gate).failure()))
            }
        }
        let call = WatchedCall(gate: gate)
        call.stub(status: 500)
        #expect(!isRefusal(await call.failure()))
        #expect(isRefusal(await call.failure()))
    }

    private func isRefusal(_ error: (any Error)?) -> Bool {
        if case .circuitOpen = error as? RequestError { true } else { false }
    }
}

/// Asks for nothing until it is told to.
private final class Idle: Subscriber, Sendable {
    private let subscription = Locked<(any Subscription)?>(nil)

    func ask() { subscription.withLock { $0 }?.request(.max(1)) }
    func receive(subscription: any Subscription) { self.subscription.withLockUnchecked { $0 = subscription } }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<any Error>) {}
}
