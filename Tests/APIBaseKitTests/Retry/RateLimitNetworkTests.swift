import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Rate limits over sockets.
@Suite(.tags(.concurrent), .everySession, .limited) struct RateLimitNetworkTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let headers: [String]
        /// The wait that the server asks for; nil if it asks for none.
        var wait: Duration?

        var testDescription: String { headers.map { String($0.prefix(60)) }.joined(separator: ", ") }
    }

    static let rows =
        [
            Row(headers: ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 0.02"], wait: .milliseconds(20)),
            Row(headers: ["RateLimit: \"a\";r=0;t=0.02"], wait: .milliseconds(20)),
            Row(
                headers: ["X-HubSpot-RateLimit-Remaining: 0", "X-HubSpot-RateLimit-Interval-Milliseconds: 15"],
                wait: .milliseconds(15)
            ),
            Row(
                headers: [
                    "X-Rate-Limit: 700", "X-Rate-Limit-Remaining: 0", "ratelimit-remaining: 0", "ratelimit-reset: 0.01",
                ],
                wait: .milliseconds(10)
            ),
            Row(headers: ["Zendesk-RateLimit-tickets-index: total=100; remaining=0; resets=53"]),
        ]
        // A third of them in the first tier.
        + garbage.enumerated().filter { runsAllTests || $0.offset % 3 == 0 }.map { Row(headers: $0.element) }

    /// What no one can keep.
    static let garbage = [
        ["Retry-After: -1"], ["Retry-After: 1e99"], ["Retry-After: Thu, 01 Jan 1970 00:00:00 GMT"],
        ["Retry-After: soon"],
        ["Retry-After: "], ["Retry-After: 0x10"], ["Retry-After: NaN"], ["Retry-After: -5"],
        ["RateLimit: \"a\";r=0;t=-1"], ["RateLimit: \"a\";r=0;t=1e99"], ["RateLimit: =;=;=,=,;"],
        ["RateLimit: limit=, remaining=, reset="], ["RateLimit: \(String(repeating: "\"a\\;", count: 2_000))"],
        ["RateLimit: \(String(repeating: "\"a\";r=x,", count: 2_000))"], ["X-RateLimit-Reset: -1"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1e99"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: Thu, 01 Jan 1970 00:00:00 GMT"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: \(String(repeating: "9", count: 8_000))"],
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Remaining: 7", "X-RateLimit-Reset: NaN"],
        ["X-RateLimit-Remaining: -9223372036854775809", "X-RateLimit-Limit: 1e400"],
        ["X-Shopify-Shop-Api-Call-Limit: 9e9/0"], ["X-Shopify-Shop-Api-Call-Limit: 40/0"],
        ["X-HubSpot-RateLimit-Remaining: 0", "X-HubSpot-RateLimit-Interval-Milliseconds: -5"],
        ["Date: never", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1000000000"],
    ]

    private func call(_ server: ScriptedServer, retry: RetryPolicy = .none, gate: CallGate? = nil) -> WatchedCall {
        let call = WatchedCall(base: server.url("").absoluteString, retry: retry, gate: gate)
        call.session = EverySession.current
        return call
    }

    @Test(arguments: rows)
    func `A retry after a 429 waits for the rate limit reset, or the policy's backoff for invalid headers`(row: Row)
        async throws
    {
        let times = Locked<[ContinuousClock.Instant]>([])
        let server = try ScriptedServer { _, connection, index in
            times.withLock { $0.append(.now) }
            try connection.write(index == 0 ? reply("429 Too Many Requests", row.headers) : reply())
        }
        defer { server.stop() }
        let call = call(server, retry: RetryPolicy(backoff: .constant(.milliseconds(1))))
        #expect(try await call.value() == 200)
        // Without a wait that the server asks for, that of the policy.
        let wait = row.wait ?? .milliseconds(1)
        #expect(call.waits == [wait])
        let seen = times.withLock { $0 }
        #expect(seen.count == 2 && seen[1] - seen[0] >= wait)
    }

    @Test(arguments: rows)
    func `CallGate delays the next call after a 429 until the reset time of the rate limit headers`(row: Row)
        async throws
    {
        let times = Locked<[ContinuousClock.Instant]>([])
        let server = try ScriptedServer { _, connection, index in
            times.withLock { $0.append(.now) }
            try connection.write(index == 0 ? reply("429 Too Many Requests", row.headers) : reply())
        }
        defer { server.stop() }
        // Where the server asks for no wait, a call that had to wait would fail.
        let gate = CallGate(longestWait: row.wait == nil ? .zero : .seconds(1_000))
        #expect(await call(server, gate: gate).failure() is RequestError)
        #expect(try await call(server, gate: gate).value() == 200)
        let seen = times.withLock { $0 }
        #expect(seen.count == 2 && seen[1] - seen[0] >= row.wait ?? .zero)
    }

    @Test
    func `A 429 that asks for a wait far beyond longestRetryAfter fails the call at once without a retry`() async throws
    {
        for header in [
            "Retry-After: 99999999999999999999", "X-HubSpot-RateLimit-Interval-Milliseconds: 999999999999999",
        ] {
            let server = try ScriptedServer(always: reply("429 Too Many Requests", [header]))
            defer { server.stop() }
            let call = call(server, retry: .standard)
            #expect(await call.failure() is RequestError)
            guard case .retryAfter? = call.refusal else {
                Issue.record("\(String(describing: call.refusal))")
                continue
            }
        }
    }

    @Test
    func `Canceling a wait for a rate limit, in CallGate or before a retry, throws CancellationError`() async throws {
        let server = try ScriptedServer(always: reply("429 Too Many Requests", ["RateLimit: \"a\";r=0;t=50"]))
        defer { server.stop() }
        // The clock of the stubs, which answer nothing here, tells what waits.
        let clock = StubClock.manual(movedWithin: nil)
        try await Stubs(unmatched: .passThrough, clock: clock).runUnchecked {
            let gate = CallGate()
            _ = await call(server, gate: gate).failure()
            for (call, began) in [(call(server, gate: gate), []), (call(server, retry: .standard), ["retrying"])] {
                let task = Task { await call.failure() }
                let waits = try await holds { clock.waits > 0 && began.allSatisfy { call.story.contains($0) } }
                #expect(waits)
                task.cancel()
                #expect(await task.value is CancellationError)
                let waitsNoMore = try await holds { clock.waits == 0 }
                #expect(waitsNoMore)
            }
        }
        #expect(server.requests.count == 2)
    }
}
