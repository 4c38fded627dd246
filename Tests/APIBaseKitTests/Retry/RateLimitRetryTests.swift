import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// Attempts that are repeated when a rate limit is renewed.
@Suite(.limited) struct RateLimitRetryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var status = 429
        var headers: HTTPHeaders
        /// The delay, which is 11 seconds if it is the policy's own.
        var delay: Duration

        var testDescription: String { "\(status) \(headers) \(delay)" }
    }

    static let rows = [
        Row(headers: ["RateLimit": #""a";r=0;t=30"#], delay: .seconds(30)),
        Row(headers: ["X-RateLimit-Reset": "30"], delay: .seconds(30)),
        Row(headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"], delay: .seconds(60)),
        Row(
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30", "Retry-After": "5"],
            delay: .seconds(5)
        ),
        Row(
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30", "Retry-After": "0"],
            delay: .seconds(11)
        ),
        Row(headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "0"], delay: .seconds(11)),
        Row(headers: ["X-RateLimit-Remaining": "0"], delay: .seconds(11)),
        Row(headers: ["X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "30"], delay: .seconds(11)),
        Row(status: 403, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], delay: .seconds(30)),
        Row(status: 403, headers: ["X-RateLimit-Reset": "30"], delay: .seconds(11)),
        Row(status: 503, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], delay: .seconds(11)),
    ]

    @Test(arguments: rows)
    func `A retry waits for Retry-After or the rate limit reset, or else for the policy's backoff`(row: Row)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(row.status, headers: row.headers), .text("ok"))
        let policy = RetryPolicy(statusCodes: [403, 429, 503], backoff: .constant(.seconds(11)))
        let call = WatchedCall(retry: policy)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(stubs.waits == [.init(.retry, row.delay)])
    }

    @Test
    func `A rate limit reset later than the policy's longestRetryAfter fails the call without a retry`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(429, headers: ["RateLimit": #""a";r=0;t=61"#]))
        let call = WatchedCall(retry: .standard)
        #expect(try await stubs.run { await call.failure() } != nil)
        #expect(call.refusal == .retryAfter(.seconds(61)))
        #expect(stubs.calls.count == 1)
    }

    /// What is repeated is a matter of the policy.
    @Test func `The standard retry policy does not retry a 403, even with an exhausted rate limit`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(403, headers: ["RateLimit": #""a";r=0;t=1"#]))
        #expect(try await stubs.run { await WatchedCall(retry: .standard).failure() } != nil)
        #expect(stubs.calls.count == 1)
        #expect(stubs.waits.isEmpty)
    }
}
