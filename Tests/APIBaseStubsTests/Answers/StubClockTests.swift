import Basics
import Dispatch
import Foundation
import HTTPTransport
import TestTiers
import Testing

@testable import APIBaseStubs

/// Tests that wait for a manual clock, and a clock that is not moved.
@Suite(.tags(.concurrent), .limited) struct StubClockTests {
    private class TimedAPI: JSONAPI {
        override class var baseURL: URL? { URL(string: "https://api.example") }
    }

    private final class TokenRequest: TimedAPI, Request {
        typealias ModelType = [String]
        override init() { super.init(.get("/token")) }
    }

    private final class Numbers: TimedAPI, Request {
        typealias ModelType = [Int]

        init(hasToken: Bool) {
            super.init(.get("/numbers"))
            retry = RetryPolicy(backoff: .constant(.seconds(1)), deadline: .seconds(30))
            guard hasToken else { return }
            authorization = .tokens(TokenSource { _ in Token(try await TokenRequest().value()[0]) })
        }
    }

    /// Deadline, timeouts and the token refresh are waits or calls as well, so the test does not count the waits.
    private func checkWaits(hasToken: Bool) async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        if hasToken { stubs.on(TokenRequest.self).answer(.json(["token"]).delayed(by: .seconds(3))) }
        stubs.on(Numbers.self).answer(
            inOrder: .tooManyRequests(retryAfter: .seconds(2)),
            .status(503),
            .json([1]).delayed(by: .seconds(10))
        )
        let waits = hasToken ? [3, 2, 1, 10] : [2, 1, 10]
        try await stubs.run {
            async let numbers = Numbers(hasToken: hasToken).value()
            for (index, wait) in waits.enumerated() {
                await clock.settled()
                #expect(clock.nextWait == .seconds(wait))
                #expect(stubs.calls.count == index + 1)
                clock.advance(by: .seconds(wait))
            }
            let found = try await numbers
            #expect(found == [1])
            await clock.settled()
            #expect(clock.nextWait == nil && clock.waits == 0)
            #expect(clock.now == .seconds(hasToken ? 16 : 13))
        }
    }

    @Test func `StubClock.settled() returns at each wait of a call with a deadline and retries`() async throws {
        try await checkWaits(hasToken: false)
    }

    /// Takes seconds, because a call that waits for a token counts as waiting only after a second.
    @Test(.heavy)
    func `StubClock.settled() returns at each wait of a call with a token refresh, a deadline and retries`()
        async throws
    {
        try await checkWaits(hasToken: true)
    }

    @Test
    func `StubClock.settled() returns while calls wait at a CallGate or for an answer that never comes`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on(.get, "/v1/slow").answer(.text("slow").delayed(by: .seconds(5)))
        stubs.on(.get, "/v1/never").answer(.never)
        let gate = CallGate(concurrent: 1)
        let calls = ["/slow", "/slow", "/never"].map { path in
            let call = Call(.get, path)
            call.timeout = .seconds(3_600)
            call.limits.idle = nil
            call.session = stubs
            if path == "/slow" { call.gate = gate }
            return call
        }
        let subscriptions = calls.map { $0.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
        await clock.settled()
        #expect(stubs.calls.map(\.path).sorted() == ["/v1/never", "/v1/slow"])
        #expect(clock.nextWait == .seconds(5))
        clock.advance(by: .seconds(5))
        await clock.settled()
        #expect(stubs.calls.count == 3)
        #expect(clock.nextWait == .seconds(5))
        for subscription in subscriptions { subscription.cancel() }
        #expect(clock.waits == 0)
    }

    private final class HeldCall: Call, @unchecked Sendable {
        let goesOn = DispatchSemaphore(value: 0)

        /// Waits if it is called at a gate.
        override func buildURLRequest() throws -> URLRequest {
            if gate != nil { goesOn.wait() }
            return try super.buildURLRequest()
        }
    }

    /// Otherwise `settled()` would return before a busy machine has a thread for the call.
    @Test(arguments: [Sharing.none, .safeMethods])
    func `A call that waits at a CallGate or for a shared response runs as soon as the other call has ended`(
        sharing: Sharing
    ) async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("slow").delayed(by: .seconds(5)))
        let (first, second, gate) = (HeldCall(), HeldCall(), CallGate(concurrent: 1))
        let (standings, looked) = AsyncStream.makeStream(of: CallStanding?.self)
        first.goesOn.signal()
        for call in [first, second] {
            call.session = stubs
            call.sharing = sharing
            if sharing == .none { call.gate = gate }
        }
        let subscriptions = [
            first.start().sink(receiveCompletion: { _ in }) { _ in
                looked.yield(clock.state.withLock { $0.users.calls }.last?.standing)
            },
            second.start().sink(receiveCompletion: { _ in }) { _ in second.goesOn.wait() },
        ]
        await clock.settled()
        clock.advance(by: .seconds(5))
        var iterator = standings.makeAsyncIterator()
        #expect(await iterator.next() == .running)
        for _ in 0..<2 { second.goesOn.signal() }
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test func `StubClock.settled() returns at each wait of an event stream and of its reconnection`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        let events = (1...3).map { ServerSentEvent(data: "\($0)") }
        stubs.on().answer(inOrder: .events(events, every: .seconds(7), retry: .seconds(4)), .status(204))
        let call = Call()
        call.session = stubs
        let (values, seen) = AsyncStream.makeStream(of: String.self)
        let subscription = call.serverSentEvents().sink(receiveCompletion: { _ in }) { seen.yield($0.data) }
        var iterator = values.makeAsyncIterator()
        // The reconnection time comes first, in its own chunk.
        for event in [nil, "1", "2", "3"] {
            await clock.settled()
            #expect(clock.nextWait == .seconds(7))
            clock.advance(by: .seconds(7))
            if event != nil { #expect(await iterator.next() == event) }
        }
        await clock.settled()
        #expect(clock.nextWait == .seconds(4))
        clock.advance(by: .seconds(4))
        await clock.settled()
        #expect(stubs.calls.count == 2)
        withExtendedLifetime(subscription) {}
    }

    @Test(arguments: [StubClock.immediate, .real])
    func `StubClock.settled() returns at once when the clock is immediate or real`(clock: StubClock) async {
        await clock.settled()
        #expect(clock.nextWait == nil)
    }

    @Test func `StubClock.settled() returns when its task is canceled, although the clock keeps moving`() async throws {
        let clock = StubClock.manual()
        let task = Task { await clock.settled() }
        // It would wait for ever.
        let moves = Task {
            while !Task.isCancelled, (try? await Task.sleep(for: .milliseconds(1))) != nil {
                clock.advance(by: .seconds(1))
            }
        }
        #expect(try await holds { clock.now > .seconds(20) })
        task.cancel()
        await task.value
        moves.cancel()
    }

    @Test func `A manual StubClock that is not advanced in time reports clockNotMoved and then advances itself`() {
        var state = StubClockState()
        func isMoved() -> Bool {
            let check = state.check(every: .milliseconds(500), within: .seconds(1), isStuck: true, [])
            guard case .move(.seconds(20)) = check else { return false }
            return true
        }
        _ = state.append(.seconds(20)) {}
        // The first one may come immediately after the wait began, so the time between three has to pass.
        #expect([isMoved(), isMoved()] == [false, false])
        #expect(state.problem == nil)
        #expect([isMoved(), isMoved()] == [true, true])
        #expect(state.problem == .clockNotMoved(within: .seconds(1), wait: .seconds(20)))
    }

    /// A call that waits for an answer or for its next attempt fails instead of hanging.
    @Test(.heavy, arguments: [StubAnswer.text("late").delayed(by: .seconds(20)), .status(503)])
    func `A stubbed call that waits fails with clockNotMoved when nobody advances the manual clock in time`(
        answer: StubAnswer
    )
        async throws
    {
        let stubs = Stubs(clock: .manual(movedWithin: .seconds(1)))
        stubs.on().answer(answer)
        let call = Call()
        call.retry = RetryPolicy(backoff: .constant(.seconds(20)), deadline: .seconds(30))
        await #expect(throws: StubProblem.clockNotMoved(within: .seconds(1), wait: .seconds(20))) {
            try await stubs.run { try await call.value() }
        }
        #expect(stubs.problems == [.clockNotMoved(within: .seconds(1), wait: .seconds(20))])
        #expect(
            stubs.problems.first?.description == """
                A call waits for 20.0 seconds on a manual clock that was not moved for 1.0 seconds. Not ended: Call.
                To move it: await clock.settled(), then clock.advance(by: …)
                """
        )
    }

    /// The scope reports the problem even if the code under test ignores the error.
    @Test(.heavy) func `Stubs.run throws clockNotMoved when the tested code ignores the error of its call`()
        async throws
    {
        let stubs = Stubs(clock: .manual(movedWithin: .seconds(1)))
        stubs.on().answer(.text("late").delayed(by: .seconds(20)))
        await #expect(throws: StubProblems.self) { try await stubs.run { _ = try? await Call().value() } }
    }

    @Test(.heavy) func `A manual StubClock with movedWithin nil does not report clockNotMoved`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("late").delayed(by: .seconds(20)))
        let call = Call()
        call.session = stubs
        let subscription = call.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        try await Task.sleep(for: .seconds(3))
        #expect(stubs.problems.isEmpty && clock.nextWait == .seconds(20))
        subscription.cancel()
    }
}
