import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Which replies with status 401 say that a token is refused, and what waits for another.
@Suite(.tags(.concurrent), .limited) struct TokenRefusalTests {
    private func call(_ method: HTTPMethod = .get, at base: String, _ source: TokenSource) -> Call {
        let call = Call(base: base, "/start")
        call.method = method
        call.authorization = .tokens(source)
        return call
    }

    /// What a redirect leads to is another matter: its server has not seen the token, or has had the request already.
    @Test(arguments: [
        (HTTPMethod.get, 302, true), (.post, 303, false), (.post, 307, false), (.put, 302, false), (.query, 303, true),
        (.query, 307, true),
    ])
    func `A 401 after a redirect refreshes the token and repeats a GET or QUERY, but not a POST or PUT`(
        method: HTTPMethod,
        status: Int,
        isRepeated: Bool
    ) async throws {
        let starts = Locked(0)
        let server = try HTTPServer { request in
            guard request.path == "/start" else { return .text("", status: 401) }
            starts.withLock { $0 += 1 }
            return .text("", status: status, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        let refreshes = Locked(0)
        let source = TokenSource(Token("0")) { _ in
            refreshes.withLock { $0 += 1 }
            return Token("1")
        }
        let call = call(method, at: "http://127.0.0.1:\(server.port)", source)
        if method == .query { call.content = .data(Data("q".utf8), type: "text/plain") }
        let reply = try await call.value()
        #expect(reply.response.statusCode == 401)
        #expect(starts.withLock { $0 } == (isRepeated ? 2 : 1))
        #expect(refreshes.withLock { $0 } == (isRepeated ? 1 : 0))
    }

    @Test func `A 401 of another server after a redirect does not refresh the token`() async throws {
        let other = try HTTPServer { _ in .text("", status: 401) }
        defer { other.stop() }
        let end = "http://127.0.0.1:\(other.port)/end"
        let server = try HTTPServer { _ in .text("", status: 302, headers: HTTPFields(["Location": end])) }
        defer { server.stop() }
        let source = TokenSource(Token("0")) { _ in
            Issue.record("The token was refreshed.")
            return Token("1")
        }
        #expect(try await call(at: "http://127.0.0.1:\(server.port)", source).value().response.statusCode == 401)
    }

    /// What follows a call that waited for a token is no part of the refresh.
    @Test func `A call that Combine's catch starts after a failed token refresh is sent with a token`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        struct Own: Error {}
        let count = Locked(0)
        let source = TokenSource { _ in
            if count.withLock({ count in
                count += 1
                return count == 1
            }) {
                throw Own()
            }
            return Token("1")
        }
        let (first, second) = (call(at: "http://api.example", source), call(at: "http://api.example", source))
        let outcome = Outcome<APIBase.DataResponseTuple, any Error>()
        let subscription = try await stubs.run {
            let subscription = outcome.subscribe(
                to: first.start().catch { _ in Deferred { second.start() } }
            )
            _ = try await holds { outcome.isFinished }
            return subscription
        }
        #expect(second.request?.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
        subscription.cancel()
    }

    @Test
    func `A subscriber that blocks does not delay other calls that waited for the same token refresh`() async throws {
        let mayEnd = DispatchSemaphore(value: 0)
        let goes = Later<Void>()
        let source = TokenSource { _ in
            try await goes.value()
            return Token("1")
        }
        let ended = Locked(0)
        let calls = (0..<8).map { _ in
            let call = call(at: "http://api.example", source)
            call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
            return call
        }
        let subscriptions = calls.enumerated().map { number, call in
            call.start().sink { _ in
            } receiveValue: { _ in
                ended.withLock { $0 += 1 }
                if number < 4 { _ = mayEnd.wait(timeout: .now() + 120) }
            }
        }
        #expect(try await holds { source.waiterCount == 8 })
        goes.set()
        #expect(try await holds { ended.withLock { $0 } == 8 })
        for _ in 0..<4 { mayEnd.signal() }
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `A token refresh waits until a canceled earlier one that ignores cancellation has ended`() async throws {
        let (story, goes) = (Locked<[String]>([]), DispatchSemaphore(value: 0))
        let source = TokenSource { _ in
            let isFirst = story.withLock { story in
                story.append("began")
                return story.count == 1
            }
            guard isFirst else { return Token("2") }
            // Work that heeds no cancel.
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "work").async {
                    _ = goes.wait(timeout: .now() + 120)
                    story.withLock { $0.append("ended") }
                    continuation.resume()
                }
            }
            throw CancellationError()
        }
        @Sendable func call() -> WatchedCall {
            let call = WatchedCall()
            call.authorization = .tokens(source)
            call.stub(status: 200)
            return call
        }
        let first = Task { try await call().value() }
        #expect(try await holds { story.withLock { $0 } == ["began"] })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await call().value() }
        #expect(try await holds { source.waiterCount == 1 })
        goes.signal()
        #expect(try await second.value == 200)
        #expect(story.withLock { $0 } == ["began", "ended", "began"])
    }

    @Test func `Tokens of a TokenSource without a store expire by the time of the StubClock`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("ok"))
        let refreshes = Locked(0)
        let source = TokenSource { _ in
            refreshes.withLock { $0 += 1 }
            return Token("t", expiresAt: Date(timeIntervalSinceNow: 3_600))
        }
        for hour in 0..<6 {
            if hour.isMultiple(of: 2) { clock.advance(by: .seconds(7_200)) }
            _ = try await stubs.run { try await call(at: "http://api.example", source).value() }
        }
        #expect(refreshes.withLock { $0 } == 3)
    }
}
