import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Retries on the stubs' clock, where waits take no time.
@Suite(.tags(.concurrent), .limited) struct RetryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var method = HTTPMethod.get
        var status = 503
        var headers: HTTPHeaders = [:]
        var key: IdempotencyKey?
        var policy = RetryPolicy.standard
        /// How often it is sent.
        var count: Int
        var refusal: RetryPolicy.StopReason?

        var testDescription: String { "\(method) \(status) \(headers) \(key.map { "\($0)" } ?? "")" }
    }

    /// Deadlines also end in real time, so they are long.
    static let rows: [Row] =
        [408, 429, 500, 502, 503, 504].map { Row(status: $0, count: 3, refusal: .attempts) }
        + [400, 401, 403, 404, 409, 410, 422, 501, 505, 599].map { Row(status: $0, count: 1) }
        + [HTTPMethod.head, .put, .delete, .options].map { Row(method: $0, count: 3, refusal: .attempts) }
        + [HTTPMethod.post, .patch, HTTPMethod(rawValue: "MERGE")].map { Row(method: $0, count: 1, refusal: .method) }
        + [HTTPMethod.post, .patch].map { Row(method: $0, key: .automatic, count: 3, refusal: .attempts) }
        + [
            Row(method: HTTPMethod(rawValue: "MERGE"), key: .automatic, count: 1, refusal: .method),
            Row(method: HTTPMethod(rawValue: "MERGE"), key: .value("k"), count: 3, refusal: .attempts),
            Row(method: .post, status: 404, key: .automatic, count: 1),
            Row(policy: .none, count: 1),
            Row(policy: RetryPolicy(attempts: 0), count: 1),
            Row(policy: RetryPolicy(attempts: 7), count: 7, refusal: .attempts),
            Row(status: 404, policy: RetryPolicy(statusCodes: [404]), count: 3, refusal: .attempts),
            Row(method: .put, policy: RetryPolicy(methods: [.get]), count: 1, refusal: .method),
            Row(method: .post, policy: RetryPolicy(methods: [.post]), count: 3, refusal: .attempts),
            Row(headers: ["Retry-After": "60"], count: 3, refusal: .attempts),
            Row(headers: ["Retry-After": "61"], count: 1, refusal: .retryAfter(.seconds(61))),
            Row(
                headers: ["Retry-After": "99999999999999999999"],
                count: 1,
                refusal: .retryAfter(.seconds(999_999_999))
            ),
            Row(headers: ["Retry-After": "soon"], count: 3, refusal: .attempts),
            Row(headers: ["Retry-After": ""], count: 3, refusal: .attempts),
            Row(headers: ["Retry-After": "-5"], count: 3, refusal: .attempts),
            Row(status: 404, headers: ["Retry-After": "1"], count: 1),
            Row(
                headers: ["Retry-After": "54"],
                policy: RetryPolicy(deadline: .seconds(60)),
                count: 2,
                refusal: .deadline
            ),
            Row(
                headers: ["Retry-After": "54"],
                policy: RetryPolicy(deadline: .seconds(54)),
                count: 1,
                refusal: .deadline
            ),
            Row(
                headers: ["Retry-After": "54"],
                policy: RetryPolicy(deadline: .seconds(115)),
                count: 3,
                refusal: .attempts
            ),
            Row(
                method: .post,
                headers: ["Retry-After": "40"],
                key: .value("k"),
                policy: RetryPolicy(attempts: 9, deadline: .seconds(100)),
                count: 3,
                refusal: .deadline
            ),
            Row(
                policy: RetryPolicy(attempts: 9, budget: RetryBudget(ratio: 0, minimum: 3, window: .seconds(1_000))),
                count: 4,
                refusal: .budget
            ),
            Row(policy: RetryPolicy(budget: RetryBudget(ratio: 0, minimum: 0)), count: 1, refusal: .budget),
        ]

    @Test(arguments: rows)
    func `A failing call is retried as its status, method, idempotency key, headers and policy allow`(_ row: Row)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.status(row.status, headers: row.headers))
        let call = WatchedCall(row.method, retry: row.policy)
        call.idempotencyKey = row.key
        let error = try await stubs.run { await call.failure() }
        // The last attempt's own error, unchanged.
        guard case RequestError.httpFailure(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.statusCode == row.status)
        #expect(stubs.calls.count == row.count)
        #expect(call.refusal == row.refusal)
        let keys = stubs.calls.map { $0.headers["Idempotency-Key"] }
        #expect(Set(keys).count == 1)
        if row.key == .value("k") { #expect(keys[0] == "k") }
        // As many events as attempts, and one end.
        #expect(call.story.filter { $0.hasPrefix("began") }.count == row.count)
        #expect(call.waits.count == row.count - 1)
        #expect(call.story.last == "ended \(row.status)")
    }

    @Test(arguments: [
        (TransportError.Reason.cannotConnect, 3), (.hostNotFound, 3), (.connectionLost, 3),
        (.timedOut(which: .idle, after: .seconds(1)), 3), (.tls, 1), (.malformedResponse, 1), (.engine, 1),
        (.tooManyRedirects(limit: 1), 1), (.sessionClosed, 1), (.insecureRedirect, 1), (.addressNotAllowed, 1),
    ])
    func `Connection, DNS and timeout errors are retried for GET; other errors and POST are not`(
        reason: TransportError.Reason,
        count: Int
    ) async throws {
        for method in [HTTPMethod.get, .post] {
            let stubs = Stubs()
            stubs.on().answer(.error(TransportError(phase: .head, reason: reason, url: nil)))
            let call = WatchedCall(method, retry: .standard)
            let error = try await stubs.run { await call.failure() }
            #expect((error as? TransportError)?.reason == reason)
            #expect(stubs.calls.count == (method == .get ? count : 1))
            #expect(call.story.last == "failed")
        }
    }

    @Test
    func `A call that succeeds on its third attempt delivers that response and reports each attempt`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503), .fault(.connectionLost), .text("ok"))
        let call = WatchedCall(retry: .standard)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(
            call.story == [
                "began 1", "sent 1", "head 503", "retrying", "began 2", "sent 2", "retrying", "began 3", "sent 3",
                "head 200", "ended 200",
            ]
        )
    }

    @Test
    func `Retry waits of a call stubbed with stubResponse take virtual time, which its timings include`() async throws {
        let call = WatchedCall(retry: RetryPolicy(attempts: 4, backoff: .constant(.seconds(3_600))))
        call.dataTaskPublisher = call.stubResponse(statusCode: 503, data: Data())
        await #expect(throws: RequestError.self) { try await call.value() }
        #expect(call.waits == Array(repeating: .seconds(3_600), count: 3))
        #expect(try #require(call.timings).whole == .seconds(3 * 3_600))
    }

    @Test func `A call with thousands of attempts does not overflow the stack`() async throws {
        let count = load(20_000)
        let call = WatchedCall(retry: RetryPolicy(attempts: count))
        call.dataTaskPublisher = call.stub(error: URLError(.timedOut))
        await #expect(throws: URLError.self) { try await call.value() }
        #expect(call.waits.count == count - 1)
    }

    @Test func `A retry after Retry-After: 7 is sent at exactly 7 s, not a millisecond earlier`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .status(429, headers: ["Retry-After": "7"]), .text("ok"))
        let call = WatchedCall(retry: .standard)
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: await stubs.runUnchecked { call.start() })
        #expect(try await holds { clock.waits == 1 })
        clock.advance(by: .milliseconds(6_999))
        #expect(stubs.calls.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await holds { outcome.isFinished })
        #expect(stubs.calls.count == 2)
        #expect(call.timings?.whole == .seconds(7))
        subscription.cancel()
    }

    @Test func `Canceling the subscription during a retry wait ends the wait and sends nothing more`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.status(503, headers: ["Retry-After": "7"]))
        let call = WatchedCall(retry: .standard)
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: await stubs.runUnchecked { call.start() })
        #expect(try await holds { clock.waits == 1 })
        subscription.cancel()
        // The other thread may still be about to keep the wait, which it then ends.
        #expect(try await holds { clock.waits == 0 && call.story.last == "cancelled" })
        clock.advance(by: .seconds(100))
        #expect(stubs.calls.count == 1)
        #expect(outcome.completion == nil)
    }

    @Test
    func `Exponential backoff draws each delay between zero and a limit that doubles up to the cap`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(503))
        var (sums, highest) = ([Duration](repeating: .zero, count: 5), [Duration](repeating: .zero, count: 5))
        for _ in 0..<100 {
            let backoff = Backoff.exponential(from: .seconds(1), upTo: .seconds(4))
            let call = WatchedCall(retry: RetryPolicy(attempts: 6, backoff: backoff))
            _ = try await stubs.run { await call.failure() }
            for (index, wait) in call.waits.enumerated() {
                sums[index] += wait
                highest[index] = max(highest[index], wait)
            }
        }
        let limits: [Double] = [1, 2, 4, 4, 4]
        for (index, limit) in limits.enumerated() {
            let (mean, most) = (sums[index] / 100, highest[index])
            #expect(most <= Duration.seconds(limit))
            #expect(most > Duration.seconds(limit * 0.8))
            // The mean of 100 is off by five times its deviation once in a million.
            #expect(mean > Duration.seconds(limit * 0.35))
            #expect(mean < Duration.seconds(limit * 0.65))
        }
    }

    @Test(arguments: [Duration.seconds(1e19), .seconds(Int64.max)])
    func `A retry deadline and backoff of Int64.max seconds or more still allow retries`(deadline: Duration)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.status(503))
        let policy = RetryPolicy(
            attempts: 3,
            backoff: .exponential(from: deadline, upTo: .seconds(1.6e20)),
            deadline: deadline
        )
        let call = WatchedCall(retry: policy)
        let error = try await stubs.run { await call.failure() }
        guard case RequestError.httpFailure(503)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((2...3).contains(stubs.calls.count), "\(call.waits)")
    }

    @Test func `A retryDelay(after:) override can add retries and suppress those of the policy`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(425))
        let call = WatchedCall(.post, retry: RetryPolicy(attempts: 5))
        call.decision = { attempt in
            #expect(attempt.proposedDelay == nil)
            return attempt.number < 3 ? .seconds(attempt.number) : nil
        }
        _ = try await stubs.run { await call.failure() }
        #expect(call.waits == [.seconds(1), .seconds(2)])
        #expect(call.refusal == nil)
        // It can also leave out what the policy would do.
        let other = WatchedCall(retry: .standard)
        other.decision = { _ in nil }
        let refused = Stubs()
        refused.on().answer(.status(503))
        _ = try await refused.run { await other.failure() }
        #expect(refused.calls.count == 1)
        #expect(other.refusal == .decision)
    }

    @Test func `A retry that is still running at the retry deadline fails with timedOut`() async throws {
        for (clock, deadline) in [(StubClock.immediate, Duration.seconds(60)), (.real, .milliseconds(200))] {
            let stubs = Stubs(clock: clock)
            stubs.on().answer(inOrder: .status(503).delayed(by: deadline / 4), .never)
            let call = WatchedCall(retry: RetryPolicy(backoff: .none, deadline: deadline))
            let error = await stubs.runUnchecked { await call.failure() }
            // In real time, a busy machine may get the first response so late that there is no second attempt.
            if clock === StubClock.real, call.refusal == .deadline, stubs.calls.count == 1 { continue }
            guard case .timedOut(which: .total, _)? = (error as? TransportError)?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(stubs.calls.count == 2)
            #expect(try #require(call.timings).whole >= deadline)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `A call with a retry deadline of zero or less fails with timedOut and sends no request`(deadline: Duration)
        async throws
    {
        for clock in [StubClock.immediate, .real, .manual(movedWithin: nil)] {
            let stubs = Stubs(clock: clock)
            let call = WatchedCall(retry: RetryPolicy(deadline: deadline))
            let error = await stubs.runUnchecked { await call.failure() } as? TransportError
            #expect(error?.reason == .timedOut(which: .total, after: deadline))
            #expect(stubs.calls.isEmpty)
            #expect(call.story == ["failed"])
        }
    }

    @Test
    func `A call whose dataTaskPublisher stub never answers fails with timedOut at its retry deadline`() async throws {
        let call = WatchedCall(retry: RetryPolicy(deadline: .milliseconds(50)))
        call.dataTaskPublisher = Empty(completeImmediately: false).eraseToAnyPublisher()
        let error = await call.failure() as? TransportError
        #expect(error?.reason == .timedOut(which: .total, after: .milliseconds(50)))
    }

    /// No wait is too long to reckon with.
    @Test func `A retry delay of Int64.max seconds does not overflow the timings of the call`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(503))
        let policy = RetryPolicy(attempts: 4, backoff: .constant(.seconds(Int64.max)))
        let call = WatchedCall(retry: policy)
        _ = try await stubs.run { await call.failure() }
        #expect(call.waits.count == 3)
        #expect(try #require(call.timings).description.hasSuffix("(first byte 0, transfer 0)"))
    }

    @Test func `A dataTaskPublisher stub that emits two replies delivers only the first reply`() async throws {
        let call = WatchedCall(retry: .standard)
        let url = try #require(URL(string: "http://api.example"))
        let replies = try [200, 503].map { status in
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
            return (data: Data(), response: try #require(response))
        }
        call.dataTaskPublisher = replies.publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
        let outcome = outcome(of: call.sendRequest().map(\.response.statusCode))
        #expect(outcome.values == [200])
        #expect(call.story == ["began 1", "sent 1", "head 200", "ended 200"])
    }

    @Test
    func `A call stubbed with stubResponse is retried without real waiting also inside withBaseURL`() async throws {
        let call = WatchedCall(retry: RetryPolicy(backoff: .constant(.seconds(3_600))))
        call.dataTaskPublisher = call.stubResponse(statusCode: 503, data: Data())
        let other = try #require(URL(string: "http://other.example"))
        _ = await WatchedCall.withBaseURL(other) { await call.failure() }
        #expect(call.waits.count == 2)
    }

    @Test func `A PUT with a bodyStream is not retried because the stream can be read only once`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(503))
        let call = WatchedCall(.put, retry: .standard)
        call.bodyStream = (InputStream(data: Data("abc".utf8)), 3)
        _ = try await stubs.run { await call.failure() }
        #expect(stubs.calls.count == 1)
        #expect(call.refusal == .body)
    }

    @Test
    func `A request object sends the same automatic idempotency key with all its calls and retries`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503), .text("a"), .status(503), .text("b"), .text("c"))
        let call = WatchedCall(.post, retry: .standard)
        call.idempotencyKey = .automatic
        let other = WatchedCall(.post, retry: .standard)
        other.idempotencyKey = .automatic
        other.headers["Idempotency-Key"] = nil
        _ = try await stubs.run {
            _ = try await call.value()
            _ = try await call.start().retry(3).values.first { _ in true }
            return try await other.value()
        }
        let keys = stubs.calls.map { $0.headers["Idempotency-Key"] }
        #expect(Set(keys[..<4]).count == 1)
        #expect(keys[4] != keys[0])
        #expect(keys[0]?.count == 36)
    }

    @Test
    func `An Idempotency-Key header replaces the automatic key; a line break fails with invalidRequest`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let call = WatchedCall(.post)
        call.headers["idempotency-key"] = "mine"
        call.idempotencyKey = .automatic
        _ = try await stubs.run { try await call.value() }
        #expect(stubs.calls[0].headers["Idempotency-Key"] == "mine")
        // One that must not be sent fails.
        let bad = WatchedCall(.post)
        bad.idempotencyKey = .value("a\r\nB: c")
        guard case RequestError.invalidRequest? = await bad.failure() else {
            Issue.record("it was sent")
            return
        }
    }
}
