import Basics
import HTTPTransport

/// A stand-in for the network: stubs, or a recording.
protocol Substitute: SessionScope, EngineSession {
    /// The clock by which it answers; nil if the time of its calls is that of the wall.
    var answerClock: StubClock? { get }

    /// The answer to a call; nil leaves it to what is around. What has nothing to say leaves its reasons in the call.
    func answer(to call: inout PendingCall) -> PendingCall.Answer?

    /// The verdict on a call that nothing has answered; nil leaves it to the scopes around this one, and at last to the network.
    func verdict(on call: PendingCall) -> PendingCall.Verdict?

    /// Is told of a call that came to it or to what is inside of it, once it is known what answers.
    func note(_ call: StubbedCall)

    /// The session for calls that nothing answers; nil for that of the call.
    var network: (any HTTPSession)? { get }
}

extension Substitute {
    func note(_ call: StubbedCall) {}

    var network: (any HTTPSession)? { nil }

    package func session(over own: any HTTPSession) -> any HTTPSession { SubstituteSession([self], over: own) }

    package func makeTask() -> any EngineTask {
        AnsweredTask(in: SubstituteSession([self], over: DefaultSession.shared))
    }

    package func makeClock() -> any CallClock { answerClock?.makeCallClock() ?? WallClock.shared }

    /// Runs `body` with this in the network's place.
    func hold<Value>(isolation: isolated (any Actor)?, _ body: () async throws -> Value) async rethrows -> Value {
        let token = OutsideCalls.watch(self)
        defer { OutsideCalls.forget(token) }
        return try await SessionScopes.$current.withValue(NestedScope(self), operation: body, isolation: isolation)
    }

    /// The same for code that is not `async`.
    func hold<Value>(_ body: () throws -> Value) rethrows -> Value {
        let token = OutsideCalls.watch(self)
        defer { OutsideCalls.forget(token) }
        return try SessionScopes.$current.withValue(NestedScope(self), operation: body)
    }
}

/// A scope, and those around it: the same for stubs and for recordings.
///
/// The innermost is asked first, then those around it. If none has an answer, the innermost that has a rule for such calls
/// decides: stubs fail or let pass, a replay fails; a recording that goes on leaves it to what is around, and to the network.
final class NestedScope: SessionScope {
    private let chain: [any Substitute]

    init(_ innermost: any Substitute) {
        chain = [innermost] + ((SessionScopes.current as? NestedScope)?.chain ?? [])
    }

    var owner: AnyObject { chain[0] }

    /// The innermost stubs.
    var stubs: Stubs? { chain.lazy.compactMap { $0 as? Stubs }.first }

    /// A session that stands in for the network itself is more particular than the scope, and stays.
    func session(over own: any HTTPSession) -> any HTTPSession {
        own is any SessionScope ? own : SubstituteSession(chain, over: own)
    }

    func makeClock() -> any CallClock {
        chain.lazy.compactMap(\.answerClock).first?.makeCallClock() ?? WallClock.shared
    }
}
