import APIBaseKit
import APIBaseStubs
import Testing

@Suite(.timeLimit(.minutes(1))) struct RetryAfterTests {
    /// All compared with the same `Date`: Sun, 06 Nov 1994 08:49:07 GMT.
    @Test(arguments: [
        ("5", 5), (" 5 ", 5), ("007", 7),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 30), ("Sunday, 06-Nov-94 08:49:37 GMT", 30), ("Sun Nov  6 08:49:37 1994", 30),
        ("Sun, 06 Nov 1994 08:50:07 GMT", 60),
    ])
    func `A retry waits as long as Retry-After says, in seconds or in any HTTP date format`(text: String, seconds: Int)
        async throws
    {
        let stubs = Stubs()
        let headers: HTTPHeaders = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:07 GMT"]
        stubs.on().answer(inOrder: .status(503, headers: headers), .text("ok"))
        let call = WatchedCall(retry: RetryPolicy(backoff: .constant(.seconds(11))))
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits == [.seconds(seconds)])
    }

    /// A server that says “now” does not take the policy's own wait away, which keeps attempts apart.
    @Test(arguments: ["0", "000", "Sun, 06 Nov 1994 08:49:07 GMT", "Sun, 06 Nov 1994 08:49:00 GMT"])
    func `A retry uses the policy's backoff as its delay when Retry-After is zero or in the past`(text: String)
        async throws
    {
        let stubs = Stubs()
        let headers: HTTPHeaders = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:07 GMT"]
        stubs.on().answer(inOrder: .status(503, headers: headers), .status(429, headers: headers), .text("ok"))
        let call = WatchedCall(retry: RetryPolicy(backoff: .constant(.seconds(11))))
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits == [.seconds(11), .seconds(11)])
    }

    @Test(arguments: ["5.5", "+5", "5s", "Sun, 06 Nov 1994", "06/11/1994", "tomorrow", "１"])
    func `A retry uses the policy's backoff as its delay when Retry-After is malformed`(text: String) async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503, headers: ["Retry-After": text]), .text("ok"))
        let call = WatchedCall(retry: RetryPolicy(backoff: .constant(.seconds(11))))
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits == [.seconds(11)])
    }

    @Test
    func `A retry measures a Retry-After date from the local clock when the response has no Date header`() async throws
    {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let text = formatter.string(from: Date(timeIntervalSinceNow: 86_400))
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503, headers: ["Retry-After": text]), .text("ok"))
        let call = WatchedCall(retry: RetryPolicy(longestRetryAfter: .seconds(86_400)))
        #expect(try await stubs.run { try await call.value() } == 200)
        // The test may take its minute.
        let wait = try #require(call.waits.first)
        #expect((Duration.seconds(86_300)...Duration.seconds(86_400)).contains(wait))
    }
}
