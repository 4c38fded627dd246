import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

@Suite(.limited) struct RetryAfterTests {
    /// All compared with the same `Date`: Sun, 06 Nov 1994 08:49:07 GMT.
    @Test(arguments: [
        ("5", 5), (" 5 ", 5), ("007", 7),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 30), ("Sunday, 06-Nov-94 08:49:37 GMT", 30), ("Sun Nov  6 08:49:37 1994", 30),
        ("Sun, 06 Nov 1994 08:50:07 GMT", 60),
        // As servers write it.
        ("1.5", 2), ("0.503", 1), ("2.0", 2), ("299.997", 300), ("5s", 5), ("1m30s", 90), ("1.5s", 2),
        ("Sun, 06 Nov 1994 08:49:37 UTC", 30), ("Sun, 06 Nov 1994 08:49:37 +0000", 30),
        ("Sun, 06 Nov 1994 09:49:37 +0100", 30), ("Sun, 6 Nov 1994 08:49:37 GMT", 30),
        ("sun, 06 nov 1994 8:49:37 gmt", 30), ("06 Nov 1994 08:49:37", 30), ("Sunday, 06-Nov-1994 08:49:37 UTC", 30),
        ("1994-11-06T08:49:37Z", 30), ("1994-11-06T10:49:37.5+02:00", 30),
        // Sent twice.
        ("2, 2", 2), ("2, 7", 7), ("2, soon", 2), ("7,2,", 7),
        ("Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", 30),
        ("2, Sun, 06 Nov 1994 08:49:37 GMT", 30), ("2,\u{301} 7", 2),
    ])
    func `A retry waits as long as Retry-After says, in seconds or a date, in whichever form servers write them`(
        text: String,
        seconds: Int
    )
        async throws
    {
        let stubs = Stubs()
        let headers: HTTPHeaders = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:07 GMT"]
        stubs.on().answer(inOrder: .status(503, headers: headers), .text("ok"))
        let policy = RetryPolicy(backoff: .constant(.seconds(11)), longestRetryAfter: .seconds(1_000))
        let call = WatchedCall(retry: policy)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits.map { $0.components.seconds } == [Int64(seconds)])
    }

    @Test(
        arguments: [
            (["Retry-After-Ms": "1500", "Retry-After": "2"], 1_500), (["x-ms-retry-after-ms": "20.2"], 21),
            (["retry-after-ms": "soon", "Retry-After": "2"], 2_000), (["retry-after-ms": "5, 7"], 7),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 UTC", "Date": "Sun, 6 Nov 1994 08:49:07 +0000"], 30_000),
        ] as [(HTTPHeaders, Int)]
    )
    func `A retry waits as long as Retry-After-Ms or X-Ms-Retry-After-Ms says, rather than Retry-After`(
        headers: HTTPHeaders,
        milliseconds: Int
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .status(503, headers: headers), .text("ok"))
        let call = WatchedCall(retry: RetryPolicy(backoff: .constant(.seconds(11))))
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits == [.milliseconds(milliseconds)])
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

    @Test(arguments: [
        "+5", "-5", "5 minutes", "5e1", "0x5", "Sun, 06 Nov 1994", "06/11/1994", "tomorrow", "１", ",", ".",
        "Sun, 31 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994 25:49:37 UTC",
    ])
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
