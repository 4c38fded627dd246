import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// What stubs say of the time that calls have waited.
@Suite(.tags(.concurrent), .limited) struct StubWaitTests {
    private final class Thing: JSONAPI, Request {
        typealias ModelType = Int
        override init() { super.init(.get("http://api.example/thing")) }
    }

    @Test func `Stubs.waits lists the waits of retries and sleeps with reason and duration`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .tooManyRequests(retryAfter: .seconds(7)), .status(503), .json("1"))
        try await stubs.run {
            let thing = Thing()
            thing.retry = RetryPolicy(backoff: .constant(.seconds(2)))
            #expect(try await thing.value() == 1)
            try await CallScope.sleep(for: .seconds(30))
        }
        #expect(stubs.waits == [.init(.retry, .seconds(7)), .init(.retry, .seconds(2)), .init(.sleep, .seconds(30))])
    }

    @Test func `Stubs.waits lists the wait of a call at a CallGate whose rate is exceeded`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("1"))
        let gate = CallGate(perSecond: 0.001, longestWait: nil)
        try await stubs.run {
            for _ in 0..<2 {
                let thing = Thing()
                thing.gate = gate
                let value = try await thing.value()
                #expect(value == 1)
            }
        }
        let wait = try #require(stubs.waits.first)
        #expect(stubs.waits.count == 1 && wait.reason == .gate)
        // Some real time has passed between the calls, but not minutes.
        #expect(wait.duration > .seconds(500) && wait.duration <= .seconds(1_001))
    }

    @Test func `Stubs.waits lists the wait before an event stream reconnects`() async throws {
        let stubs = Stubs()
        let events = StubAnswer.text("retry: 5000\ndata: 1\n\n", headers: ["Content-Type": "text/event-stream"])
        stubs.on().answer(inOrder: events, .status(204))
        try await stubs.run { for try await _ in Thing().eachEvent() {} }
        #expect(stubs.waits == [.init(.reconnection, .seconds(5))])
    }

    @Test func `CallScope.sleep in Stubs.run ends when the manual clock is advanced by its duration`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        try await stubs.run {
            async let sleep: Void = CallScope.sleep(for: .seconds(60))
            await clock.settled()
            #expect(clock.nextWait == .seconds(60) && stubs.waits == [.init(.sleep, .seconds(60))])
            clock.advance(by: .seconds(60))
            try await sleep
            #expect(clock.waits == 0)
        }
    }

    @Test func `CallScope.sleep throws CancellationError when its task is canceled`() async throws {
        let clock = StubClock.manual()
        try await Stubs(clock: clock).run {
            let task = Task { try await CallScope.sleep(for: .seconds(60)) }
            await clock.settled()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let isOver = try await holds { clock.waits == 0 }
            #expect(isOver)
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await CallScope.sleep(for: .zero)
            }
            await #expect(throws: CancellationError.self) { try await late.value }
        }
    }

    @Test
    func `CallScope.sleep outside of Stubs.run takes real time, and none for a negative duration`() async throws {
        let start = ContinuousClock.now
        try await CallScope.sleep(for: .milliseconds(30))
        try await CallScope.sleep(for: .seconds(-1))
        #expect(ContinuousClock.now - start >= .milliseconds(30))
    }
}
