import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

@Suite(.limited) struct RateLimitTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var headers: [String: String]
        var limit: Int?
        var remaining: Int?
        var reset: Duration?

        var testDescription: String { name }
    }

    /// 1,700,000,000 seconds after 1970: Tue, 14 Nov 2023 22:13:20 GMT.
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func response(_ headers: [String: String], status: Int = 200) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://api.example/x"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        )
    }

    /// As the documentations of these services show them, but for the points in time.
    static let services = [
        Row(
            name: "the draft",
            headers: ["RateLimit": #""default";r=50;t=30"#, "RateLimit-Policy": #""default";q=100;w=60"#],
            limit: 100,
            remaining: 50,
            reset: .seconds(30)
        ),
        Row(
            name: "the draft, two quotas",
            headers: [
                "RateLimit": #""burst";r=7;t=1, "a;b,\"c";r=0;t=3600"#,
                "RateLimit-Policy": #""burst";q=10;w=1,"a;b,\"c";q=1000;w=86400;qu="requests""#,
            ],
            limit: 1_000,
            remaining: 0,
            reset: .seconds(3_600)
        ),
        Row(
            name: "the draft of 2022",
            headers: ["RateLimit": "limit=100, remaining=50, reset=30", "RateLimit-Policy": "100;w=60"],
            limit: 100,
            remaining: 50,
            reset: .seconds(30)
        ),
        Row(
            name: "the draft of 2020",
            headers: ["RateLimit-Limit": "10, 10;w=1, 50;w=60", "RateLimit-Remaining": "0", "RateLimit-Reset": "7"],
            limit: 10,
            remaining: 0,
            reset: .seconds(7)
        ),
        Row(
            name: "every field twice, as a proxy and a server send them",
            headers: [
                "X-RateLimit-Limit": "60, 60", "X-RateLimit-Remaining": "7, 3", "X-RateLimit-Reset": "10, 30",
                "Date": "Tue, 14 Nov 2023 22:13:20 GMT, Tue, 14 Nov 2023 22:13:20 GMT",
            ],
            limit: 60,
            remaining: 3,
            reset: .seconds(30)
        ),
        Row(
            name: "a date in a form of its own",
            headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "Tue, 14 Nov 2023 22:13:50 UTC"],
            remaining: 0,
            reset: .seconds(30)
        ),
        Row(
            name: "GitHub",
            headers: [
                "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4987", "x-ratelimit-used": "13",
                "x-ratelimit-reset": "1700000040", "x-ratelimit-resource": "core",
            ],
            limit: 5_000,
            remaining: 4_987,
            reset: .seconds(40)
        ),
        Row(
            name: "GitLab",
            headers: [
                "RateLimit-Limit": "60", "RateLimit-Name": "throttle_authenticated_web", "RateLimit-Observed": "67",
                "RateLimit-Remaining": "0", "RateLimit-Reset": "1700000030",
                "RateLimit-ResetTime": "Tue, 14 Nov 2023 22:13:50 GMT",
            ],
            limit: 60,
            remaining: 0,
            reset: .seconds(30)
        ),
        Row(
            name: "X",
            headers: [
                "x-rate-limit-limit": "900", "x-rate-limit-remaining": "899", "x-rate-limit-reset": "1700000900",
            ],
            limit: 900,
            remaining: 899,
            reset: .seconds(900)
        ),
        Row(
            name: "Okta",
            headers: ["X-Rate-Limit-Limit": "600", "X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "1700000005"],
            limit: 600,
            remaining: 0,
            reset: .seconds(5)
        ),
        Row(
            name: "Discord",
            headers: [
                "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1470173023.123",
                "X-RateLimit-Reset-After": "1.500", "X-RateLimit-Bucket": "abcd1234",
            ],
            limit: 5,
            remaining: 0,
            reset: .milliseconds(1_500)
        ),
        Row(
            name: "Reddit",
            headers: ["x-ratelimit-used": "2", "x-ratelimit-remaining": "598.9", "x-ratelimit-reset": "540"],
            remaining: 598,
            reset: .seconds(540)
        ),
        Row(
            name: "Shopify",
            headers: ["X-Shopify-Shop-Api-Call-Limit": "32/40"],
            limit: 40,
            remaining: 8
        ),
        Row(
            name: "OpenAI",
            headers: [
                "x-ratelimit-limit-requests": "60", "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-requests": "59", "x-ratelimit-remaining-tokens": "149984",
                "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s",
            ],
            limit: 60,
            remaining: 59,
            reset: .seconds(1)
        ),
        Row(
            name: "OpenAI without tokens",
            headers: [
                "x-ratelimit-limit-requests": "60", "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-requests": "59", "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s",
            ],
            limit: 150_000,
            remaining: 0,
            reset: .seconds(360)
        ),
        Row(
            name: "Anthropic",
            headers: [
                "anthropic-ratelimit-requests-limit": "50", "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2023-11-14T22:13:22Z",
                "anthropic-ratelimit-input-tokens-limit": "50000", "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2023-11-14T22:13:32Z",
                "anthropic-ratelimit-output-tokens-limit": "10000",
                "anthropic-ratelimit-output-tokens-remaining": "9000",
                "anthropic-ratelimit-output-tokens-reset": "2023-11-14T22:14:20Z",
            ],
            limit: 50_000,
            remaining: 0,
            reset: .seconds(12)
        ),
        Row(
            name: "Linear",
            headers: [
                "X-RateLimit-Requests-Limit": "1500", "X-RateLimit-Requests-Remaining": "1499",
                "X-RateLimit-Requests-Reset": "1700003600000",
            ],
            limit: 1_500,
            remaining: 1_499,
            reset: .seconds(3_600)
        ),
        Row(
            name: "Zendesk",
            headers: [
                "X-Rate-Limit": "700", "RateLimit-Limit": "700", "X-Rate-Limit-Remaining": "699",
                "RateLimit-Remaining": "699", "RateLimit-Reset": "41",
                "Zendesk-RateLimit-tickets-index": "total=100; remaining=0; resets=41",
            ],
            limit: 700,
            remaining: 699,
            reset: .seconds(41)
        ),
        Row(
            name: "Zendesk without the first draft's",
            headers: ["X-Rate-Limit": "700", "X-Rate-Limit-Remaining": "0", "Retry-After": "41"],
            limit: 700,
            remaining: 0
        ),
        Row(
            name: "HubSpot",
            headers: [
                "X-HubSpot-RateLimit-Daily": "250000", "X-HubSpot-RateLimit-Daily-Remaining": "249999",
                "X-HubSpot-RateLimit-Interval-Milliseconds": "10000", "X-HubSpot-RateLimit-Max": "100",
                "X-HubSpot-RateLimit-Remaining": "99", "X-HubSpot-RateLimit-Secondly": "10",
            ],
            limit: 100,
            remaining: 99,
            reset: .seconds(10)
        ),
        Row(
            name: "HubSpot at the end of a day's",
            headers: [
                "X-HubSpot-RateLimit-Daily": "250000", "X-HubSpot-RateLimit-Daily-Remaining": "0",
                "X-HubSpot-RateLimit-Interval-Milliseconds": "10000", "X-HubSpot-RateLimit-Max": "100",
                "X-HubSpot-RateLimit-Remaining": "99",
            ],
            limit: 250_000,
            remaining: 0
        ),
        Row(name: "Slack, Stripe", headers: ["Retry-After": "30", "Stripe-Rate-Limited-Reason": "global-rate"]),
    ]

    @Test(arguments: services)
    func `RateLimit reads limit, remaining calls and reset from the headers of many web services`(row: Row) throws {
        let limit = RateLimit(try response(row.headers), now: Self.now)
        #expect(limit?.limit == row.limit)
        #expect(limit?.remaining == row.remaining)
        #expect(limit?.reset == row.reset)
    }

    @Test(
        arguments: [
            ("0", .zero), ("12", .seconds(12)), ("0.25", .milliseconds(250)), (" 3 ", .seconds(3)),
            ("999999999", .seconds(999_999_999)), ("1700000060", .seconds(60)), ("1700000000500", .milliseconds(500)),
            ("1699999999", .zero), ("1000000000", .zero),
            ("120ms", .milliseconds(120)), ("6m0s", .seconds(360)), ("1h2m3.5s", .milliseconds(3_723_500)),
            ("1d", .seconds(86_400)), ("5ns", .zero), ("17.5s", .milliseconds(17_500)),
            ("2023-11-14T22:13:25Z", .seconds(5)), ("2023-11-14T23:13:25.5+01:00", .milliseconds(5_500)),
            ("2023-11-14T22:13:15Z", .zero), ("Tue, 14 Nov 2023 22:13:30 GMT", .seconds(10)),
            ("", nil), ("-1", nil), ("+1", nil), ("nan", nil), ("inf", nil), ("1e9", nil), ("0x10", nil), ("soon", nil),
            ("1.2.3", nil), (".5", nil), ("5 s", nil), ("s", nil), ("5sm", nil), ("5s5", nil), ("-5s", nil),
            ("5, 5", .seconds(5)), ("5, soon", .seconds(5)), (", ", nil),
            ("１", nil), ("٣s", nil), ("99999999999999999999", nil), (String(repeating: "9", count: 5_000), nil),
            (String(repeating: "9h", count: 5_000), .seconds(162_000_000)),
        ] as [(String, Duration?)]
    )
    func `RateLimit reads X-RateLimit-Reset as seconds, timestamp, duration or date, and nil if malformed`(
        text: String,
        reset: Duration?
    ) throws {
        let headers = ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": text]
        #expect(RateLimit(try response(headers), now: Self.now)?.reset == reset)
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("7.9", 7), ("999999999999999", 999_999_999_999_999), ("-1", nil),
            ("1000000000000000", nil),
            ("99999999999999999999999999", nil), ("NaN", nil), ("1e3", nil), ("", nil), ("many", nil), ("3, 4", 3),
        ] as [(String, Int?)]
    )
    func `RateLimit reads X-RateLimit-Remaining as a whole number, rounded down, and nil if malformed`(
        text: String,
        remaining: Int?
    )
        throws
    {
        let limit = RateLimit(try response(["X-RateLimit-Limit": "9", "X-RateLimit-Remaining": text]), now: Self.now)
        #expect(limit?.limit == 9)
        #expect(limit?.remaining == remaining)
    }

    @Test(arguments: [
        [:], ["RateLimit": ""], ["RateLimit": "\"a"], ["RateLimit": ",,;;=,"], ["RateLimit": #""a";r=-1;t=x"#],
        ["RateLimit-Policy": #""a";q=5"#], ["X-RateLimit-Remaining": "?"], ["X-Shopify-Shop-Api-Call-Limit": "40"],
        ["X-Shopify-Shop-Api-Call-Limit": "1/2/3"], ["X-Shopify-Shop-Api-Call-Limit": "-1/40"],
        ["RateLimit": String(repeating: "\"a\\", count: 2_000)],
    ])
    func `RateLimit is nil when the response has no readable rate limit headers`(headers: [String: String]) throws {
        #expect(RateLimit(try response(headers), now: Self.now) == nil)
    }

    @Test func `RateLimit computes its reset from the response's Date header if there is one`() throws {
        let headers = [
            "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000060", "Date": "Tue, 14 Nov 2023 22:13:50 GMT",
        ]
        #expect(RateLimit(try response(headers), now: Self.now)?.reset == .seconds(30))
    }

    @Test func `The httpFailure error of a 429 contains the RateLimit of the response headers`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(429, headers: ["RateLimit": #""a";r=0;t=9"#]))
        let error = try await stubs.run { await WatchedCall().failure() } as? RequestError
        guard case .httpFailure(let failure) = try #require(error) else { throw RequestError.noValue }
        #expect(failure.rateLimit?.remaining == 0)
        #expect(failure.rateLimit?.reset == .seconds(9))
    }
}
