import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Refreshes that fail, and the policies of the calls that wait for them.
@Suite(.tags(.concurrent), .limited) struct RefreshRetryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var method = HTTPMethod.get
        var answer: StubAnswer
        var policy = RetryPolicy.standard
        /// The number of refreshes.
        var count: Int
        var refusal: RetryPolicy.StopReason?
        var testDescription: String
    }

    private static func refusal(_ code: String, _ status: Int, _ headers: HTTPHeaders = [:]) -> StubAnswer {
        .json("{\"error\": \"\(code)\"}", status: status, headers: headers)
    }

    static let rows: [Row] =
        [408, 429, 500, 502, 503, 504].map {
            Row(answer: .status($0), count: 3, refusal: .attempts, testDescription: "\($0)")
        }
        + [400, 401, 403, 404, 501].map { Row(answer: .status($0), count: 1, testDescription: "\($0)") }
        + [HTTPMethod.post, .patch].map {
            Row(method: $0, answer: .status(503), count: 3, refusal: .attempts, testDescription: "\($0)")
        }
        + [
            Row(answer: refusal("invalid_grant", 400), count: 1, testDescription: "a refusal"),
            Row(answer: refusal("invalid_client", 401), count: 1, testDescription: "an unknown client"),
            Row(answer: refusal("error", 200), count: 1, testDescription: "a refusal with status 200"),
            Row(answer: refusal("busy", 503), count: 3, refusal: .attempts, testDescription: "a refusal with 503"),
            Row(
                answer: .fault(.connectionRefused),
                count: 3,
                refusal: .attempts,
                testDescription: "no connection"
            ),
            Row(
                method: .post,
                answer: .fault(.connectionRefused),
                count: 3,
                refusal: .attempts,
                testDescription: "no connection, for a POST"
            ),
            Row(answer: .status(503), policy: .none, count: 1, testDescription: "one attempt"),
            Row(
                answer: .status(503),
                policy: RetryPolicy(attempts: 7),
                count: 7,
                refusal: .attempts,
                testDescription: "seven attempts"
            ),
            Row(
                answer: .status(404),
                policy: RetryPolicy(statusCodes: [404]),
                count: 3,
                refusal: .attempts,
                testDescription: "another status"
            ),
            Row(
                answer: .status(503, headers: ["Retry-After": "61"]),
                count: 1,
                refusal: .retryAfter(.seconds(61)),
                testDescription: "a long Retry-After"
            ),
            Row(
                answer: refusal("busy", 429, ["Retry-After": "61"]),
                count: 1,
                refusal: .retryAfter(.seconds(61)),
                testDescription: "a long Retry-After of a refusal"
            ),
            Row(
                answer: .status(503, headers: ["Retry-After": "54"]),
                policy: RetryPolicy(deadline: .seconds(60)),
                count: 2,
                refusal: .deadline,
                testDescription: "a deadline"
            ),
            Row(
                answer: .status(503),
                policy: RetryPolicy(attempts: 9, budget: RetryBudget(ratio: 0, minimum: 3, window: .seconds(1_000))),
                count: 4,
                refusal: .budget,
                testDescription: "a budget"
            ),
        ]

    private static let endpoint = URL(string: "https://login.example/token") ?? URL(fileURLWithPath: "/")

    private func stubs(_ refresh: StubAnswer, clock: StubClock = .immediate) -> Stubs {
        let stubs = Stubs(clock: clock)
        stubs.on(.post, "/token").answer(refresh)
        stubs.on(nil, "/x").optional().answer(.text("ok"))
        return stubs
    }

    private func source() -> TokenSource {
        .clientCredentials(at: Self.endpoint, id: "me", secret: "secret")
    }

    @Test(arguments: rows)
    func `A failed token refresh is retried if the call's retry policy allows it, even for a POST`(_ row: Row)
        async throws
    {
        let stubs = stubs(row.answer)
        let call = WatchedCall(row.method, retry: row.policy)
        call.authorization = .tokens(source())
        let error = try await stubs.run { await call.failure() }
        #expect(error is RequestError || error is TokenSource.OAuthError || error is TransportError)
        #expect(stubs.calls.map(\.path) == Array(repeating: "/token", count: row.count))
        #expect(call.refusal == row.refusal)
        #expect(call.story.filter { $0 == "retrying" }.count == row.count - 1)
    }

    /// Nothing of the call has been sent, so its body may be one that can be sent only once.
    @Test func `A call with a one-time stream body is sent after its failed token refresh was retried`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/token").answer(
            inOrder: .status(503, headers: ["Retry-After": "7"]),
            .json(#"{"error": "busy"}"#, status: 429, headers: ["Retry-After": "8"]),
            .json(#"{"access_token": "t"}"#)
        )
        stubs.on(.post, "/x").answer(.text("ok"))
        let call = WatchedCall(.post, retry: .standard)
        call.authorization = .tokens(source())
        call.bodyStream = (InputStream(data: Data("abc".utf8)), 3)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits == [.seconds(7), .seconds(8)])
        #expect(stubs.calls.last?.body == Data("abc".utf8))
    }

    /// After a token was refused as well.
    @Test
    func `A retry after a failed token refresh refreshes again and does not resend the token that got a 401`()
        async throws
    {
        let stubs = Stubs()
        stubs.on(.post, "/token").answer(inOrder: .status(500), .json(#"{"access_token": "new"}"#))
        stubs.on(.post, "/x", headers: ["Authorization": "Bearer old"]).answer(.status(401))
        stubs.on(.post, "/x", headers: ["Authorization": "Bearer new"]).answer(.text("ok"))
        let source = TokenSource(Token("old")) { _ in
            return Token(try await TokenRequest(Self.endpoint).value())
        }
        let call = WatchedCall(.post, retry: .standard)
        call.authorization = .tokens(source)
        #expect(try await stubs.run { try await call.value() } == 200)
        // The old token is known to be refused.
        #expect(stubs.calls.map(\.path) == ["/x", "/token", "/token", "/x"])
    }

    /// What the token endpoint does says nothing of the server behind the gate.
    @Test(arguments: [StubAnswer.status(503), .fault(.connectionRefused)])
    func `A failed token refresh does not open the circuit breaker of the API's CallGate`(answer: StubAnswer)
        async throws
    {
        let stubs = stubs(answer)
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(3_600))
        try await stubs.run {
            let waiting = WatchedCall(gate: gate)
            waiting.authorization = .tokens(source())
            let error = await waiting.failure()
            #expect(error != nil)
            let status = try await WatchedCall(gate: gate).value()
            #expect(status == 200)
        }
    }

    @Test
    func `An override of retryDelay(after:) gets the error of a failed token refresh and sets the delay`() async throws
    {
        struct Own: Error {}
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let count = Locked(0)
        let source = TokenSource { _ in
            guard
                count.withLock({ count in
                    count += 1
                    return count
                }) > 1
            else { throw Own() }
            return Token("t")
        }
        let call = WatchedCall(retry: .standard)
        call.authorization = .tokens(source)
        call.decision = { attempt in
            guard case .failure(let error) = attempt.result, error is Own else { return attempt.proposedDelay }
            return .seconds(3)
        }
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(call.waits == [.seconds(3)])
    }

    @Test(.everySession)
    func `A token refresh that gets a 503 from a real server is retried, and its call gets the token`() async throws {
        let requests = Locked(0)
        let server = try HTTPServer { request in
            guard request.path == "/token" else { return .text(request.headers["Authorization"] ?? "none") }
            let number = requests.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .text("", status: 503) : .json(Data(#"{"access_token": "t"}"#.utf8))
        }
        defer { server.stop() }
        let call = Call(base: server.url.absoluteString, "/x")
        call.session = EverySession.current
        call.authorization = .tokens(
            .clientCredentials(
                at: server.url.appendingPathComponent("token"),
                id: "me",
                secret: "s",
                session: call.session
            )
        )
        call.retry = RetryPolicy(backoff: .constant(.milliseconds(1)))
        #expect(try await call.value().data == Data("Bearer t".utf8))
        #expect(requests.withLock { $0 } == 2)
    }

    /// Each waits as its own policy says; the first that is ready starts the one refresh that the others use.
    @Test
    func `All calls that wait for a failed token refresh are retried with one common second refresh`() async throws {
        let count = load(10_000)
        let (refreshes, goes) = (Locked(0), Later<Void>())
        let source = TokenSource { _ in
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                try await goes.value()
                throw URLError(.timedOut)
            }
            return Token("t")
        }
        let (ended, failed) = (Locked(0), Locked(0))
        let subscriptions = (0..<count).map { _ in
            let call = Call()
            call.retry = .standard
            call.authorization = .tokens(source)
            call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
            return call.start().sink { completion in
                if case .failure = completion { failed.withLock { $0 += 1 } }
            } receiveValue: { _ in
                ended.withLock { $0 += 1 }
            }
        }
        #expect(try await holds { source.waiterCount == count })
        for subscription in subscriptions[..<(count / 2)] { subscription.cancel() }
        #expect(source.waiterCount == count - count / 2)
        goes.set()
        #expect(try await holds { ended.withLock { $0 } == count - count / 2 })
        #expect(failed.withLock { $0 } == 0)
        #expect(refreshes.withLock { $0 } == 2)
    }
}

/// A request class of an API that gives tokens.
private final class TokenRequest: JSONAPI, Request {
    init(_ url: URL) { super.init(.post(EndpointPath(url.absoluteString))) }

    func start() -> AnyPublisher<String, any Error> {
        decoded([String: String].self).map { $0["access_token"] ?? "" }.eraseToAnyPublisher()
    }
}
