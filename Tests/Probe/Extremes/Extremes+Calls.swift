#if os(Linux) && !canImport(Combine)
import APIBaseStubs
import Foundation
import HostileServer

extension Extremes {
    static var calls: [Row] {
        all(
            rows("timeout", durations, timeouts) { time in
                try await outcome(ok.delayed(by: .seconds(5))) { $0.timeout = time }
            },
            rows("limits.total", durations, timeouts) { time in
                try await outcome(ok.delayed(by: .seconds(5))) { $0.limits.total = time }
            },
            rows("limits.idle", durations, timeouts) { time in
                try await outcome(ok.delayed(by: .seconds(5))) { $0.limits.idle = time }
            },
            rows("limits.connect", durations, "200, 3") { time in
                try await outcome(ok) { $0.limits.connect = time }
            },
            rows("limits.responseBytes", integers, overLimit) { count in
                try await outcome(ok) { $0.limits.responseBytes = count }
            },
            rows("limits.headerBytes", integers, overLimit) { count in
                try await outcome(ok) { $0.limits.headerBytes = count }
            },
            rows("limits.queuedBytes", integers, "200, 3") { count in
                try await outcome(ok) { $0.limits.queuedBytes = count }
            },
            rows("limits.redirects", integers, "302", "302", "302", "200, 3, sent 2 times", "200, 3, sent 2 times") {
                count in
                try await outcome(.status(302, headers: ["Location": "/y"]), ok) { $0.limits.redirects = count }
            },
            rows("pages(atMost:)", integers, "0", "0", "0", "1", "2") { count in
                final class List: JSONAPI, LinkPagedRequest {
                    typealias ModelType = [Int]
                }
                let stubs = Stubs()
                stubs.on().optional().answer(.pages([[1], [2]]))
                let list = List(.get("http://api.example/list"))
                list.session = stubs
                var pages = 0
                for try await _ in list.pages(atMost: count).values { pages += 1 }
                return "\(pages)"
            },
            rows("stubResponse(statusCode:)", integers, "\(Int.min)", "-1", "0", "1", "\(Int.max)") { status in
                let call = Plain()
                call.dataTaskPublisher = call.stubResponse(statusCode: status, data: Data())
                return try await call.value()
            },
            rows("CallLog.bodies(atMost:)", integers, "1 text") { count in
                final class Logged: APIBase, Request, @unchecked Sendable {
                    let lines = Later<String>()
                    var count = 0
                    func start() -> AnyPublisher<Int, any Error> {
                        sendRequest().map(\.response.statusCode).eraseToAnyPublisher()
                    }
                    override func report(_ event: CallEvent) {
                        CallLog(.bodies(atMost: count)) { self.lines.set($0) }.report(event)
                    }
                }
                let call = Logged()
                call.baseURL = URL(string: "http://api.example")
                call.count = count
                let stubs = Stubs()
                stubs.on().answer(ok)
                call.session = stubs
                _ = try await call.value()
                return try await call.lines.value().isEmpty ? "nothing" : "1 text"
            },
            rows("Token(expiresAt:)", dates, "200, 3") { date in
                try await outcome(ok) { $0.authorization = .tokens(TokenSource { _ in Token("t", expiresAt: date) }) }
            },
            rows("query", numbers, "200, 3") { number in
                try await outcome(ok) { $0.query = ["double": number, "integers": [Int.min, .max]] }
            },
            [QueryStyle.Dates.iso8601, .secondsSince1970, .millisecondsSince1970].flatMap { style in
                rows("form, \(style)", style == .iso8601 ? dates : Array(dates.dropLast(2)), "200, 3") { date in
                    try await outcome(ok) { call in
                        call.method = .post
                        call.content = .form(["at": date], style: QueryStyle(dates: style))
                    }
                }
            }
        )
    }

    static let dates: [(String, Date)] = [
        ("distantPast", .distantPast), ("1970", Date(timeIntervalSince1970: 0)), ("distantFuture", .distantFuture),
        ("1e300", Date(timeIntervalSince1970: 1e300)), ("-1e300", Date(timeIntervalSince1970: -1e300)),
        ("infinity", Date(timeIntervalSince1970: .infinity)), ("nan", Date(timeIntervalSince1970: .nan)),
    ]

    static var retries: [Row] {
        let busy = StubAnswer.status(503)
        return all(
            rows("RetryPolicy.attempts", integers, "503", "503", "503", "503", "200, 3, sent 3 times") { count in
                try await outcome(busy, busy, ok) { $0.retry = RetryPolicy(attempts: count) }
            },
            rows("longestRetryAfter", durations, "429", "429", "429", "429", "200, 3, sent 2 times") { longest in
                try await outcome(.tooManyRequests(retryAfter: .seconds(2)), ok) {
                    $0.retry = RetryPolicy(longestRetryAfter: longest)
                }
            },
            // Also by the wall clock, before or after the first attempt.
            rows("deadline", durations, "timedOut", "timedOut", "timedOut", "timedOut", "200") { deadline in
                let answers = (busy.delayed(by: .seconds(1)), ok)
                let result = try await outcome(answers.0, answers.1) { $0.retry = RetryPolicy(deadline: deadline) }
                return result.split(separator: ",")[0].description
            },
            rows("Backoff.constant", durations, "200, 3, sent 2 times") { delay in
                try await outcome(busy, ok) { $0.retry = RetryPolicy(backoff: .constant(delay)) }
            },
            rows("Backoff.exponential(from:)", durations, "200, 3, sent 2 times") { delay in
                try await outcome(busy, ok) {
                    $0.retry = RetryPolicy(backoff: .exponential(from: delay, upTo: .seconds(Int64.max)))
                }
            },
            rows("Backoff.exponential(upTo:)", durations, "200, 3, sent 2 times") { delay in
                try await outcome(busy, ok) {
                    $0.retry = RetryPolicy(backoff: .exponential(from: .seconds(1), upTo: delay))
                }
            },
            rows("Backoff(_:)", durations, "200, 3, sent 2 times") { delay in
                try await outcome(busy, ok) { $0.retry = RetryPolicy(backoff: Backoff { _ in delay }) }
            },
            rows("retryDelay(after:)", durations, "200, 3, sent 2 times") { delay in
                final class Decided: Plain, @unchecked Sendable {
                    var delay = Duration.zero
                    override func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? { delay }
                }
                let stubs = Stubs()
                stubs.on().answer(inOrder: busy, ok)
                let call = Decided()
                (call.session, call.delay, call.retry) = (stubs, delay, .standard)
                return "\(try await call.value()), sent \(stubs.calls.count) times"
            },
            rows(
                "RetryBudget(ratio:)",
                numbers,
                "503",
                "503",
                "503",
                "503",
                "200, 3, sent 2 times",
                "200, 3, sent 2 times",
                "503"
            ) { ratio in
                try await outcome(busy, ok) { $0.retry = RetryPolicy(budget: RetryBudget(ratio: ratio, minimum: 0)) }
            },
            rows(
                "RetryBudget(minimum:)",
                integers,
                "503",
                "503",
                "503",
                "200, 3, sent 2 times",
                "200, 3, sent 2 times"
            ) { minimum in
                try await outcome(busy, ok) { $0.retry = RetryPolicy(budget: RetryBudget(ratio: 0, minimum: minimum)) }
            },
            rows("RetryBudget(window:)", durations, "200, 3, sent 2 times") { window in
                try await outcome(busy, ok) { $0.retry = RetryPolicy(budget: RetryBudget(window: window)) }
            },
            rows(
                "Retry-After",
                ["0", "999999999", "99999999999999999999999", "-1", "1e9"].map { ($0, $0) },
                "200, 3, sent 2 times",
                "503",
                "503",
                "200, 3, sent 2 times",
                "200, 3, sent 2 times"
            ) { text in
                try await outcome(.status(503, headers: ["Retry-After": text]), ok) { $0.retry = .standard }
            }
        )
    }

    static var gates: [Row] {
        @Sendable func through(_ gate: CallGate) async throws -> String { try await outcome(ok) { $0.gate = gate } }
        return all(
            rows("CallGate(concurrent:)", integers, "200, 3") { try await through(CallGate(concurrent: $0)) },
            rows("CallGate(perSecond:)", numbers, "200, 3") { rate in
                let gate = CallGate(perSecond: rate)
                _ = try await outcome(ok) { $0.gate = gate }
                return try await outcome(ok) { $0.gate = gate }
            },
            rows("CallGate(burst:)", integers, "200, 3") { burst in
                let gate = CallGate(perSecond: .greatestFiniteMagnitude, burst: burst)
                _ = try await outcome(ok) { $0.gate = gate }
                return try await outcome(ok) { $0.gate = gate }
            },
            rows("CallGate(opensAfter:)", integers, "refused", "refused", "refused", "refused", "200, 3") { count in
                try await afterFailure(CallGate(opensAfter: count, restsFor: .seconds(9)))
            },
            rows("CallGate(restsFor:)", durations, "200, 3", "200, 3", "200, 3", "refused", "refused") { rest in
                try await afterFailure(CallGate(opensAfter: 1, restsFor: rest))
            }
        )
    }

    /// The second of two calls in a scope, after the first failed.
    private static func afterFailure(_ gate: CallGate) async throws -> String {
        let stubs = Stubs(clock: .manual())
        stubs.on().answer(inOrder: .status(500), ok, then: .repeatLast)
        let calls = [Plain(), Plain()]
        for call in calls { (call.session, call.gate) = (stubs, gate) }
        _ = try? await calls[0].value()
        do { return try await calls[1].value() } catch RequestError.circuitOpen { return "refused" }
    }
}
#endif
