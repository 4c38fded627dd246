import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Calls that are made inside an attempt, at whose gate they would wait for that attempt.
@Suite(.tags(.concurrent), .limited) struct NestedCallGateTests {
    enum Way: CaseIterable, Sendable {
        case awaited, inATask, first, deferred, withAToken, afterTheReply
    }

    /// A call that makes another one of the same API in its attempts.
    private static func call(_ way: Way, base: String = "http://api.example", gate: CallGate) -> WatchedCall {
        let call = WatchedCall(base: base, gate: gate)
        if way == .withAToken { call.authorization = .tokens(TokenSource { _ in Token("t") }) }
        call.around = { request, next in
            let inner = WatchedCall(base: base, gate: gate)
            inner.path = "/inner"
            return switch way {
            case .awaited, .withAToken:
                AnyPublisher.awaiting { try await inner.value() }.flatMap { _ in next(request) }.eraseToAnyPublisher()
            case .inATask:
                AnyPublisher.awaiting { try await Task { try await inner.value() }.value }
                    .flatMap { _ in next(request) }.eraseToAnyPublisher()
            case .first: inner.start().flatMap { _ in next(request) }.eraseToAnyPublisher()
            case .deferred: Deferred { inner.start() }.flatMap { _ in next(request) }.eraseToAnyPublisher()
            case .afterTheReply:
                next(request).flatMap { reply in inner.start().map { _ in reply } }.eraseToAnyPublisher()
            }
        }
        return call
    }

    @Test(arguments: Way.allCases)
    func `A call made inside an attempt of another call does not wait at their common CallGate`(way: Way) async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let (gate, base) = (CallGate(concurrent: 2), server.url.absoluteString)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { await Self.call(way, base: base, gate: gate).failure() != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 0)
    }

    /// What follows a reply of stubs belongs to no scope unless it is told to.
    @Test(arguments: Way.allCases.filter { $0 != .afterTheReply })
    func `Under Stubs, a call made inside an attempt of another does not wait at their common CallGate`(way: Way)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let gate = CallGate(concurrent: 1, perSecond: 1)
        #expect(try await stubs.run { try await Self.call(way, gate: gate).value() } == 200)
        #expect(stubs.calls.count == 2)
    }

    /// The one that is under way waits at the gate, for the one that would join it.
    @Test
    func `A call inside an attempt is sent itself, not joined to an equal call waiting at the CallGate`() async throws {
        let stubs = Stubs(clock: .manual(movedWithin: .seconds(120)))
        stubs.on().answer(.text("ok"))
        let (gate, goesOn) = (CallGate(concurrent: 1), Later<Void>())
        func shared() -> WatchedCall {
            let call = WatchedCall(gate: gate)
            (call.path, call.sharing) = ("/shared", .safeMethods)
            return call
        }
        let outer = WatchedCall(gate: gate)
        outer.around = { request, next in
            let inner = shared()
            return AnyPublisher.awaiting {
                try await goesOn.value()
                return try await inner.value()
            }
            .flatMap { _ in next(request) }.eraseToAnyPublisher()
        }
        let calls = await stubs.runUnchecked { Calls([outer, shared()]) }
        goesOn.set()
        #expect(try await holds { calls.ended == 2 })
        #expect(stubs.calls.count == 3)
    }

    /// What an attempt leaves behind is not a part of it.
    @Test
    func `A call from a task that outlives the attempt that started the task waits at the CallGate`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on(.get, "/late").answer(.text("ok")).optional()
        stubs.on(.get, "/x").answer(inOrder: .text("ok"), .text("ok").delayed(by: .seconds(1)))
        let (gate, goesOn, late) = (CallGate(concurrent: 1), Later<Void>(), WatchedCall())
        (late.gate, late.path) = (gate, "/late")
        let task = Locked<Task<Int, any Error>?>(nil)
        let first = WatchedCall(gate: gate)
        first.around = { request, next in
            task.withLock {
                $0 = Task {
                    try await goesOn.value()
                    return try await late.value()
                }
            }
            return next(request)
        }
        _ = try await stubs.run { try await first.value() }
        let second = await stubs.runUnchecked { Calls([WatchedCall(gate: gate)]) }
        #expect(try await holds { clock.waits == 1 })
        goesOn.set()
        // The reply, and the longest wait at the gate.
        #expect(try await holds { clock.waits == 2 })
        #expect(late.story.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(try await task.withLock { $0 }?.value == 200)
        #expect(second.ended == 1)
    }

    @Test
    func `A call in a detached task of an attempt fails with gateTimedOut, which names the detached task`() async throws
    {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        let gate = CallGate(concurrent: 1)
        let call = WatchedCall(retry: .standard, gate: gate)
        call.around = { request, next in
            let scope = CallScope.here
            return AnyPublisher.awaiting {
                try await Task.detached { try await scope.run { try await WatchedCall(gate: gate).value() } }.value
            }
            .flatMap { _ in next(request) }.eraseToAnyPublisher()
        }
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: await stubs.runUnchecked { call.start() })
        #expect(try await holds { clock.waits == 1 })
        clock.advance(by: .seconds(60))
        #expect(try await holds { outcome.failure != nil })
        #expect(outcome.failure as? RequestError == .gateTimedOut(after: .seconds(60)))
        #expect(outcome.failure?.localizedDescription.contains("within 60.0 s") == true)
        #expect(outcome.failure?.localizedDescription.contains("detached task") == true)
        subscription.cancel()
    }
}
