import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Refreshes that take too long.
@Suite(.tags(.concurrent), .limited) struct RefreshLimitTests {
    private let clock = StubClock.manual(movedWithin: nil)

    private func stubs() -> Stubs {
        let stubs = Stubs(clock: clock)
        stubs.on().optional().answer(with: { .text($0.headers["Authorization"] ?? "none") })
        return stubs
    }

    /// The token that a call goes out with.
    private static func token(of source: TokenSource, in stubs: Stubs) async throws -> String {
        let call = Call()
        call.authorization = .tokens(source)
        return try await stubs.runUnchecked { String(decoding: try await call.value().data, as: UTF8.self) }
    }

    /// Work that heeds no cancel.
    private static func hang(until end: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "work").async {
                _ = end.wait(timeout: .now() + 120)
                continuation.resume()
            }
        }
    }

    /// The task local that tells what calls the refresh makes is lost in a detached task, and on another queue.
    @Test
    func `A token refresh that awaits its own token in a detached task fails with refreshTimedOut`() async throws {
        let server = try HTTPServer { request in .text(request.headers["Authorization"] ?? "none") }
        defer { server.stop() }
        @Sendable func reply(with source: TokenSource) async throws -> String {
            let call = Call(base: server.url.absoluteString)
            call.authorization = .tokens(source)
            call.retry = .standard
            return String(decoding: try await call.value().data, as: UTF8.self)
        }
        let own = Locked<TokenSource?>(nil)
        let source = TokenSource(within: .milliseconds(100)) { _ in
            guard let source = own.withLock({ $0 }) else { return Token("t") }
            return Token(try await Task.detached { try await reply(with: source) }.value)
        }
        own.withLock { $0 = source }
        let error = try await #require(throws: RequestError.self) { try await reply(with: source) }
        #expect(error == .refreshTimedOut(after: .milliseconds(100)))
        #expect(error.localizedDescription.contains("0.1 seconds"))
        #expect(error.localizedDescription.contains("detached task"))
        own.withLock { $0 = nil }
        // A call of the refresh that began late may have started another one that waits for itself.
        var token: String?
        while token == nil { token = try? await reply(with: source) }
        #expect(token == "Bearer t")
    }

    @Test
    func `Calls that wait for a hanging token refresh fail at its time limit, and the next call refreshes`()
        async throws
    {
        let (refreshes, end, isOver) = (Locked(0), DispatchSemaphore(value: 0), Later<Void>())
        let source = TokenSource(within: .seconds(5)) { _ in
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return Token("\(number)") }
            defer { isOver.set() }
            await Self.hang(until: end)
            return Token("late")
        }
        let stubs = stubs()
        let waiting = (0..<20).map { _ in WatchedCall() }
        for call in waiting { call.authorization = .tokens(source) }
        let calls = await stubs.runUnchecked { Calls(waiting) }
        #expect(try await holds { clock.waits == 1 && refreshes.withLock { $0 } == 1 })
        clock.advance(by: .seconds(5))
        #expect(try await holds { calls.failed == 20 })
        #expect(try await Self.token(of: source, in: stubs) == "Bearer 2")
        // What it brings in the end does not replace what a later one has brought.
        end.signal()
        try await isOver.value()
        for _ in 0..<20 {
            #expect(try await Self.token(of: source, in: stubs) == "Bearer 2")
            await Task.yield()
        }
    }

    @Test
    func `A token from a refresh past its time limit is still used if no later refresh brought one`() async throws {
        let (refreshes, end) = (Locked(0), DispatchSemaphore(value: 0))
        let source = TokenSource { _ in
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { throw URLError(.userAuthenticationRequired) }
            await Self.hang(until: end)
            return Token("late")
        }
        let stubs = stubs()
        let first = Task { try await Self.token(of: source, in: stubs) }
        #expect(try await holds { clock.waits == 1 && refreshes.withLock { $0 } == 1 })
        clock.advance(by: .seconds(60))
        await #expect(throws: RequestError.refreshTimedOut(after: .seconds(60))) { try await first.value }
        await #expect(throws: URLError.self) { try await Self.token(of: source, in: stubs) }
        end.signal()
        var token: String?
        while token == nil {
            token = try? await Self.token(of: source, in: stubs)
            await Task.yield()
        }
        #expect(token == "Bearer late")
    }

    /// Two of them must not use a refresh token side by side, unless the first has been given up.
    @Test func `A token refresh starts when the canceled one before it ends or reaches its time limit`() async throws {
        let stubs = stubs()
        let (refreshes, end) = (Locked(0), DispatchSemaphore(value: 0))
        let source = TokenSource(within: .seconds(20)) { _ in
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            if number == 1 { await Self.hang(until: end) }
            return Token("\(number)")
        }
        func start(_ outcome: Outcome<Int, any Error>) async throws -> AnyCancellable {
            let call = WatchedCall()
            call.authorization = .tokens(source)
            return await stubs.runUnchecked { outcome.subscribe(to: call.start()) }
        }
        let first = try await start(Outcome())
        #expect(try await holds { refreshes.withLock { $0 } == 1 && clock.waits == 1 })
        clock.advance(by: .seconds(15))
        first.cancel()
        let outcome = Outcome<Int, any Error>()
        let second = try await start(outcome)
        // Both have their time, from when they were asked for.
        #expect(try await holds { clock.waits == 2 })
        // The second does not begin before the first has ended, or has had its time.
        clock.advance(by: .seconds(4))
        #expect(refreshes.withLock { $0 } == 1)
        clock.advance(by: .seconds(1))
        #expect(try await holds { outcome.isFinished })
        #expect(outcome.values == [200])
        #expect(stubs.calls.first?.headers["Authorization"] == "Bearer 2")
        end.signal()
        second.cancel()
    }

    @Test
    func `A token refresh fails with refreshTimedOut after 60 seconds and is not retried`() async throws {
        let stubs = stubs()
        let source = TokenSource { _ in
            try await Task.sleep(for: .seconds(600))
            return Token("t")
        }
        let call = WatchedCall(retry: .standard)
        call.authorization = .tokens(source)
        let outcome = Outcome<Int, any Error>()
        let subscription = await stubs.runUnchecked { outcome.subscribe(to: call.start()) }
        #expect(try await holds { clock.waits == 1 })
        clock.advance(by: .seconds(59))
        #expect(outcome.failure == nil)
        clock.advance(by: .seconds(1))
        #expect(try await holds { outcome.failure != nil })
        #expect(outcome.failure as? RequestError == .refreshTimedOut(after: .seconds(60)))
        // Such a call is not tried again.
        #expect(!call.story.contains("retrying"))
        #expect(try await holds { clock.waits == 0 })
        subscription.cancel()
    }

    /// Nothing is left of a refresh that has ended in time.
    @Test func `The timer of a token refresh's time limit is removed when the refresh ends in time`() async throws {
        let stubs = stubs()
        let source = TokenSource { _ in
            let isTimed = try await holds { clock.waits == 1 }
            #expect(isTimed)
            return Token("t")
        }
        let call = WatchedCall()
        call.authorization = .tokens(source)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(try await holds { clock.waits == 0 })
    }

    @Test
    func `All calls that wait for a hanging token refresh fail with refreshTimedOut, except canceled ones`()
        async throws
    {
        let count = load(10_000)
        let (refreshes, end) = (Locked(0), DispatchSemaphore(value: 0))
        let stubs = stubs()
        let source = TokenSource(within: .seconds(1)) { _ in
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            if number == 1 { await Self.hang(until: end) }
            return Token("\(number)")
        }
        let (failed, unexpected) = (Locked(0), Locked(0))
        let subscriptions = await stubs.runUnchecked {
            (0..<count).map { _ in
                let call = WatchedCall()
                call.authorization = .tokens(source)
                return call.start().sink { completion in
                    guard case .failure(let error) = completion else { return }
                    let isExpected = error as? RequestError == .refreshTimedOut(after: .seconds(1))
                    (isExpected ? failed : unexpected).withLock { $0 += 1 }
                } receiveValue: { _ in
                    unexpected.withLock { $0 += 1 }
                }
            }
        }
        #expect(try await holds { clock.waits == 1 && refreshes.withLock { $0 } == 1 })
        // Cancels on one thread, while the time passes on another.
        let cancels = Task.detached { for index in 0..<(count / 2) { subscriptions[index].cancel() } }
        clock.advance(by: .seconds(1))
        await cancels.value
        #expect(try await holds { failed.withLock { $0 } >= count - count / 2 })
        #expect(unexpected.withLock { $0 } == 0)
        let call = WatchedCall()
        call.authorization = .tokens(source)
        #expect(try await stubs.run { try await call.value() } == 200)
        #expect(refreshes.withLock { $0 } == 2)
        end.signal()
    }
}
