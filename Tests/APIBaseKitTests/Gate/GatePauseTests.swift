import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

/// When a server asks to be left alone.
@Suite(.limited) struct GatePauseTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var status = 429
        var headers: HTTPHeaders = [:]
        var gate = CallGate()
        /// How long nothing is sent.
        var pause: Duration

        var testDescription: String { "\(status) \(headers) \(pause)" }
    }

    static let rows = [
        Row(headers: ["Retry-After": "7"], pause: .seconds(7)),
        Row(
            headers: ["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            pause: .seconds(30)
        ),
        Row(headers: ["Retry-After": "99999"], gate: CallGate(longestWait: nil), pause: .seconds(3_600)),
        Row(headers: ["Retry-After": "0"], pause: .zero),
        Row(headers: ["Retry-After": "-1"], pause: .zero),
        Row(headers: ["Retry-After": "soon"], pause: .zero),
        Row(pause: .zero),
        Row(status: 503, headers: ["Retry-After": "7"], pause: .zero),
        Row(status: 200, headers: ["Retry-After": "7"], pause: .zero),
        Row(headers: ["Retry-After": "7"], gate: CallGate(pausesAfter429: false), pause: .zero),
    ]

    @Test(arguments: rows)
    func `A CallGate sends nothing for the Retry-After of a 429, but ignores that of other statuses`(row: Row)
        async throws
    {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(row.status, headers: row.headers), .text("ok"))
        _ = try await stubs.run { await WatchedCall(gate: row.gate).failure() }
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: await stubs.runUnchecked { WatchedCall(gate: row.gate).start() })
        if row.pause > .zero {
            #expect(clock.waits == 1)
            clock.advance(by: row.pause - .milliseconds(1))
            #expect(clock.waits == 1)
            #expect(stubs.calls.count == 1)
            clock.advance(by: .milliseconds(1))
        }
        #expect(try await holds { outcome.isFinished })
        #expect(clock.waits == 0)
        subscription.cancel()
    }

    @Test func `The rate of a CallGate still applies when its pause after a 429 ends`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(429, headers: ["Retry-After": "3"])).optional()
        let gate = CallGate(perSecond: 2)
        _ = try await stubs.run { await WatchedCall(gate: gate).failure() }
        let calls = await stubs.runUnchecked { Calls((0..<9).map { _ in WatchedCall(gate: gate) }) }
        clock.advance(by: .seconds(3))
        #expect(try await holds { stubs.calls.count == 2 && clock.waits == 1 })
        calls.cancel()
    }

    @Test func `A shorter Retry-After does not end a longer Retry-After pause of a CallGate`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(
            inOrder: .status(429, headers: ["Retry-After": "30"]).delayed(by: .seconds(1)),
            .status(429, headers: ["Retry-After": "1"]).delayed(by: .seconds(2)),
            .text("ok")
        )
        let gate = CallGate()
        let calls = await stubs.runUnchecked { Calls([WatchedCall(gate: gate), WatchedCall(gate: gate)]) }
        for number in 1...2 {
            clock.advance(by: .seconds(1))
            #expect(try await holds { calls.ended == number })
        }
        let next = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        clock.advance(by: .seconds(28))
        #expect(clock.waits == 1)
        clock.advance(by: .seconds(1))
        #expect(try await holds { next.ended == 1 && stubs.calls.count == 3 })
    }

    @Test
    func `A call refused by an open circuit breaker does not wait for the Retry-After pause of its CallGate`()
        async throws
    {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(
            inOrder: .status(429, headers: ["Retry-After": "30"]).delayed(by: .seconds(1)),
            .status(500).delayed(by: .seconds(2))
        )
        let gate = CallGate(opensAfter: 1)
        let calls = await stubs.runUnchecked { Calls([WatchedCall(gate: gate), WatchedCall(gate: gate)]) }
        clock.advance(by: .seconds(2))
        #expect(try await holds { calls.ended == 2 })
        let next = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        #expect(try await holds { next.failed == 1 })
    }

    @Test func `A retry and a new call both pass a CallGate as soon as its Retry-After pause ends`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(429, headers: ["Retry-After": "7"]), .text("ok"), .text("ok"))
        let gate = CallGate(concurrent: 4)
        let calls = await stubs.runUnchecked {
            Calls([WatchedCall(retry: .standard, gate: gate)])
        }
        #expect(try await holds { clock.waits == 1 })
        let others = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        #expect(clock.waits == 2)
        clock.advance(by: .seconds(7))
        #expect(try await holds { calls.ended + others.ended == 2 })
        #expect(stubs.calls.count == 3)
    }
}
