import Basics
package import HTTPTransport
import PortableCombine

/// Something that answers in place of the network: stubs, or a recording.
package protocol NetworkStandIn: StandIn, EngineSession {
    /// The clock on which it answers; nil if its calls use real time.
    var answerClock: StubClock? { get }

    /// The answer to a call; nil to leave it to the scopes around this one. The reasons are then added to the call.
    func answer(to call: inout PendingCall) -> PendingCall.Answer?

    /// The result for a call without an answer; nil to leave it to the scopes around this one, and then to the network.
    func fallback(for call: PendingCall) -> PendingCall.Fallback?

    /// Takes note of a call to this stand-in or to one inside its scope, after it is known what answers it, and adds a
    /// watcher of the response if it is of interest.
    func observe(_ call: inout PendingCall)

    /// The session for calls without an answer; nil for the call's own session.
    var network: (any HTTPSession)? { get }

    /// The differences between a call from outside its scope and the calls that it would answer, for a message.
    func nearMisses(of call: StubbedCall) -> [StubProblem.NearMiss]
}

extension NetworkStandIn {
    package func observe(_ call: inout PendingCall) {}

    package func noteWait(for reason: CallScope.WaitReason, of duration: Duration) {}

    package var network: (any HTTPSession)? { nil }

    package func nearMisses(of call: StubbedCall) -> [StubProblem.NearMiss] { [] }

    package func session(over own: any HTTPSession) -> any HTTPSession { StandInSession([self], over: own) }

    package func makeTask() -> any EngineTask {
        StandInTask(in: StandInSession([self], over: DefaultSession.shared))
    }

    package func makeClock() -> any CallClock { answerClock?.makeCallClock() ?? WallClock.shared }

    /// Runs `body` in a scope in which this answers in place of the network. Nothing is checked or saved at its end.
    package func runUnchecked<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let token = UnscopedCalls.watch(self)
        defer { UnscopedCalls.forget(token) }
        return try await StandIns.$current.withValue(NestedScope(self), operation: body, isolation: isolation)
    }

    /// The same for code that is not `async`.
    package func runSynchronously<Value>(_ body: () throws -> Value) rethrows -> Value {
        let token = UnscopedCalls.watch(self)
        defer { UnscopedCalls.forget(token) }
        return try StandIns.$current.withValue(NestedScope(self), operation: body)
    }
}

/// A scope and the scopes around it.
///
/// The innermost is asked first, then the ones around it. If none has an answer, the innermost with a fallback decides:
/// stubs fail or pass the call through, a replay fails. A recording that records leaves it to the scopes around it and
/// the network.
final class NestedScope: StandIn {
    private let chain: [any NetworkStandIn]
    /// The time of the scope where waits take none. Scopes in one another share it.
    private let time: ScopeTime

    init(_ innermost: any NetworkStandIn) {
        let outer = StandIns.current as? NestedScope
        chain = [innermost] + (outer?.chain ?? [])
        time = outer?.time ?? ScopeTime()
    }

    var owner: AnyObject { chain[0] }

    func innermost<Kind: NetworkStandIn>(_ type: Kind.Type) -> Kind? {
        chain.lazy.compactMap { $0 as? Kind }.first
    }

    /// A request object's own stand-in takes precedence over the scope.
    func session(over own: any HTTPSession) -> any HTTPSession {
        own is any StandIn ? own : StandInSession(chain, over: own)
    }

    func makeClock() -> any CallClock {
        chain.lazy.compactMap(\.answerClock).first?.makeCallClock(in: time) ?? WallClock.shared
    }

    func noteWait(for reason: CallScope.WaitReason, of duration: Duration) {
        for standIn in chain { standIn.noteWait(for: reason, of: duration) }
    }

    func answerer(of url: URL) -> String? { chain.lazy.compactMap { $0.answerer(of: url) }.first }
}

/// A session that asks a chain of stand-ins, the innermost first.
final class StandInSession: EngineSession {
    let chain: [any NetworkStandIn]
    let own: any HTTPSession
    /// Whether it is the `next` of a stub's function. The chain has observed the call, which may go to the network.
    let isNext: Bool

    init(_ chain: [any NetworkStandIn], over own: any HTTPSession, isNext: Bool = false) {
        (self.chain, self.own, self.isNext) = (chain, own, isNext)
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }

    func makeTask() -> any EngineTask { StandInTask(in: self) }

    var clock: StubClock { chain.lazy.compactMap(\.answerClock).first ?? .immediate }
}
