import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

/// When a server reports that a rate limit is used up.
@Suite(.limited) struct RateLimitPauseTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var status = 200
        var headers: HTTPHeaders
        var gate = CallGate()
        /// How long nothing is sent.
        var pause: Duration

        var testDescription: String { "\(status) \(headers) \(pause)" }
    }

    static let rows = [
        Row(headers: ["RateLimit": #""a";r=0;t=7"#], pause: .seconds(7)),
        Row(headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "7"], pause: .seconds(7)),
        Row(
            headers: ["X-RateLimit-Remaining-Tokens": "0", "X-RateLimit-Reset-Tokens": "1.5s"],
            pause: .milliseconds(1_500)
        ),
        Row(status: 403, headers: ["RateLimit": #""a";r=0;t=7"#], pause: .seconds(7)),
        Row(status: 429, headers: ["RateLimit": #""a";r=0;t=7"#], pause: .seconds(7)),
        Row(status: 429, headers: ["X-RateLimit-Reset": "7"], pause: .seconds(7)),
        Row(status: 429, headers: ["RateLimit": #""a";r=0;t=7"#, "Retry-After": "3"], pause: .seconds(3)),
        // A minute is the `longestRetryAfter` of a call's policy.
        Row(headers: ["RateLimit": #""a";r=0;t=3600"#], gate: CallGate(longestWait: nil), pause: .seconds(60)),
        Row(headers: ["RateLimit": #""a";r=1;t=7"#], pause: .zero),
        Row(headers: ["RateLimit": #""a";r=0"#], pause: .zero),
        Row(headers: ["X-RateLimit-Reset": "7"], pause: .zero),
        Row(status: 429, headers: ["RateLimit": #""a";r=1;t=7"#], pause: .zero),
        Row(headers: ["RateLimit": #""a";r=0;t=7"#], gate: CallGate(pausesAfter429: false), pause: .zero),
    ]

    @Test(arguments: rows)
    func `A CallGate sends nothing until the reset of a rate limit that a response reports as used up`(row: Row)
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
            #expect(stubs.calls.count == 1)
            clock.advance(by: .milliseconds(1))
        }
        #expect(try await holds { outcome.isFinished })
        #expect(stubs.waits == (row.pause > .zero ? [.init(.gate, row.pause)] : []))
        subscription.cancel()
    }

    /// A stored response says nothing about the present.
    @Test func `A used-up rate limit in a cached response does not pause the CallGate`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        let headers: HTTPHeaders = ["RateLimit": #""a";r=0;t=7"#, "Cache-Control": "max-age=600"]
        stubs.on().answer(inOrder: .text("ok", headers: headers))
        let (gate, cache) = (CallGate(), ResponseCache())
        func call() -> WatchedCall {
            let call = WatchedCall(gate: gate)
            call.cache = cache
            return call
        }
        #expect(try await stubs.run { try await call().value() } == 200)
        let second = Outcome<Int, any Error>()
        let subscription = second.subscribe(to: await stubs.runUnchecked { call().start() })
        #expect(clock.waits == 1)
        clock.advance(by: .seconds(7))
        #expect(try await holds { second.isFinished })
        // The second response is the stored one, so the third does not wait.
        #expect(try await stubs.run { try await call().value() } == 200)
        #expect(stubs.waits == [.init(.gate, .seconds(7))])
        subscription.cancel()
    }
}
