#if os(Linux) && !canImport(Combine)
import APIBaseStubs
import Foundation

extension Extremes {
    static let ok = StubAnswer.json("123")

    static var stubs: [Row] {
        all(
            rows("tooManyRequests(retryAfter:)", durations, "0", "0", "0", "1", "9223372036854776") { wait in
                let stubs = Stubs()
                stubs.on().answer(.tooManyRequests(retryAfter: wait))
                let call = Plain()
                call.session = stubs
                do { return try await call.value() } catch RequestError.httpFailure(let failure) {
                    return failure.headers["Retry-After"] ?? "none"
                }
            },
            rows("StubAnswer.status", integers, "malformedResponse") { try await outcome(.status($0)) },
            rows("delayed(by:)", durations, "200, 3", "200, 3", "200, 3", "200, 3", "timedOut") {
                try await outcome(ok.delayed(by: $0))
            },
            rows("inChunks(of:)", integers, "200, 3") { try await outcome(ok.inChunks(of: $0)) },
            rows("inChunks(every:)", durations, "200, 3", "200, 3", "200, 3", "200, 3", "timedOut") {
                try await outcome(ok.inChunks(of: 1, every: $0))
            },
            rows("broken(off: .afterBytes)", integers, "connectionLost") {
                try await outcome(ok.broken(off: .afterBytes($0)))
            },
            rows(
                "failing(rate:)",
                numbers,
                "200, 3",
                "200, 3",
                "200, 3",
                "200, 3",
                "connectionLost",
                "connectionLost",
                "200, 3"
            ) { try await outcome(ok.failing(with: .connectionLost, rate: $0, seed: 1)) },
            rows("events(every:)", durations, "200", "200", "200", "200", "timedOut") { delay in
                let answer = StubAnswer.events([ServerSentEvent(data: "1")], every: delay)
                return try await outcome(answer).split(separator: ",")[0].description
            },
            rows("events(retry:)", durations, "1") { try await firstEvent(retry: $0) },
            rows("expiring(afterUses:)", integers, "401", "401", "401", "200, 3", "200, 3") { uses in
                try await outcome(ok.expiring("t", afterUses: uses)) { $0.headers["Authorization"] = "Bearer t" }
            },
            rows("StubDelay.uniform to the max, from", durations, "200, 3") { least in
                try await patient(.uniform(least...(.seconds(1e19)), seed: 1))
            },
            rows("StubDelay.logNormal(median:)", durations, "200, 3") {
                try await patient(.logNormal(median: $0, sigma: 1, seed: 1))
            },
            rows("StubDelay.logNormal(sigma:)", numbers, "200, 3") {
                try await patient(.logNormal(median: .seconds(1), sigma: $0, seed: 1))
            },
            rows("StubClock.advance(by:)", durations, "1 wait", "1 wait", "1 wait", "1 wait", "0 waits") { duration in
                let clock = StubClock.manual()
                let stubs = Stubs(clock: clock)
                stubs.on().answer(ok.delayed(by: .seconds(9)))
                let call = Plain()
                call.session = stubs
                let subscription = call.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
                defer { subscription.cancel() }
                for _ in 0..<100 { clock.advance(by: duration) }
                return clock.waits == 1 ? "1 wait" : "\(clock.waits) waits"
            },
            rows("StubClock.manual(movedWithin:)", Array(durations.dropLast()), "told") { limit in
                let stubs = Stubs(clock: .manual(movedWithin: limit))
                stubs.on().answer(ok.delayed(by: .seconds(9)))
                let call = Plain()
                call.session = stubs
                do { return try await call.value() } catch StubProblem.clockNotMoved { return "told" }
            },
            rows(
                "pages, page",
                ["-9223372036854775808", "-1", "0", "1", "9223372036854775807", "1e400"].map { ($0, $0) },
                "404",
                "404",
                "404",
                "200, 3",
                "404",
                "404"
            ) { page in try await outcome(.pages(["a"])) { $0.query["page"] = page } },
            rows(
                "ranges, Range",
                ["9223372036854775807-", "-9223372036854775807", "0-9223372036854775807", "1-", "-0"]
                    .map { ($0, "bytes=\($0)") },
                "416",
                "206, 3",
                "206, 3",
                "206, 2",
                "416"
            ) { range in try await outcome(.ranges(of: Data("abc".utf8))) { $0.headers["Range"] = range } }
        )
    }

    private static func firstEvent(retry: Duration) async throws -> String {
        let stubs = Stubs()
        stubs.on().answer(.events([ServerSentEvent(data: "1")], retry: retry))
        let call = Plain()
        call.session = stubs
        for try await event in call.serverSentEvents().values { return event.data }
        return "none"
    }

    /// A call without timeouts.
    private static func patient(_ delay: StubDelay) async throws -> String {
        try await outcome(ok.delayed(by: delay)) { call in
            call.timeout = .seconds(Int64.max)
            (call.limits.idle, call.limits.total) = (nil, nil)
        }
    }
}
#endif
