import Basics

/// One entry of ``Stubs``: which requests it answers, with what, and what it has answered so far.
public final class Stub: Sendable {
    /// The behavior of a stub that has given all answers of a sequence.
    public enum SequenceEnd: Sendable, Hashable {
        /// The call fails with ``StubProblem/exhausted(stub:answers:)``, which also fails the check of the scope.
        case fail
        /// The last answer, again and again.
        case repeatLast
        /// The first answer, and so on.
        case startOver
        /// The answer of another stub of those behind this one, as if this one were not there.
        case giveWay
    }

    /// A closure for a stub's function that asks further: the real server, or the stubs of an outer scope.
    public typealias Next = @Sendable () async throws -> StubReply

    enum Plan: Sendable {
        case none
        case sequence([StubAnswer], then: SequenceEnd)
        case function(@Sendable (StubbedCall) throws -> StubAnswer)
        case asyncFunction(@Sendable (StubbedCall, @escaping Next) async throws -> StubAnswer)
    }

    fileprivate struct State {
        var name: String
        var isOptional = false
        /// Whether another stub has answered a request in its place.
        var isOverridden = false
        /// The greater, the earlier it is asked.
        var rank = 0
        var plan = Plan.none
        var given = 0
        var calls: [StubbedCall] = []
    }

    /// The place in the source at which the stub was set up.
    let place: SourcePlace
    let pattern: RequestPattern
    private let dice = Dice()
    private let state: Locked<State>

    init(_ pattern: RequestPattern, at place: SourcePlace) {
        self.pattern = pattern
        self.place = place
        state = Locked(State(name: pattern.description))
    }
}

extension Stub {
    /// Every request gets this answer.
    @discardableResult
    public func answer(_ answer: StubAnswer) -> Stub { plan(.sequence([answer], then: .repeatLast)) }

    /// Each request gets the next answer, in the order in which requests are sent: `.retry` sees one after the other.
    @discardableResult
    public func answer(inOrder answers: StubAnswer..., then end: SequenceEnd = .fail) -> Stub {
        plan(.sequence(answers, then: end))
    }

    /// Each request gets what `function` makes of it, or fails with what it throws. It is called where the request is
    /// sent from, and must not block.
    @discardableResult
    public func answer(with function: @escaping @Sendable (StubbedCall) throws -> StubAnswer) -> Stub {
        plan(.function(function))
    }

    /// Each request gets what `function` makes of it, or fails with what it throws. It can ask `next` for what the real
    /// server answers, and change that. The call's time-outs do not run while it works.
    @discardableResult
    public func answer(
        with function: @escaping @Sendable (StubbedCall, _ next: @escaping Next) async throws -> StubAnswer
    ) -> Stub {
        plan(.asyncFunction(function))
    }

    /// Gives the stub a name for messages. By default it is called by its pattern, as `GET /users/:id`.
    @discardableResult
    public func named(_ name: String) -> Stub {
        state.withLock { $0.name = name }
        return self
    }

    /// Says that it is no mistake if no request comes.
    @discardableResult
    public func optional() -> Stub {
        state.withLock { $0.isOptional = true }
        return self
    }

    /// Has the stub asked before those of its set that were there already: `stubs.on(.get, "/books").overriding()` takes the
    /// place, inside of a test, of what its suite has set up. It is no mistake then if those that it comes before are never used.
    @discardableResult
    public func overriding() -> Stub {
        let rank = Self.lastRank.withLock { last in
            last += 1
            return last
        }
        state.withLock { $0.rank = rank }
        return self
    }

    private static let lastRank = Locked(0)

    private func plan(_ plan: Plan) -> Stub {
        let old = state.withLock { state in
            defer { (state.plan, state.given) = (plan, 0) }
            return state.plan
        }
        _ = old
        return self
    }
}

extension Stub {
    /// The name of the stub in messages.
    public var name: String { state.withLock { $0.name } }

    /// The requests it has answered, in their order.
    public var calls: [StubbedCall] { state.withLock { $0.calls } }

    /// The number of requests it has answered.
    public var callCount: Int { state.withLock { $0.calls.count } }

    /// The problem with its use so far; nil if there is none.
    var problem: StubProblem? {
        state.withLock { state in
            state.calls.isEmpty && !state.isOptional && !state.isOverridden ? .unused(stub: state.name) : nil
        }
    }

    /// The greater, the earlier it is asked.
    var rank: Int { state.withLock { $0.rank } }

    /// Notes that another stub has answered a request that it would have answered as well.
    func override() { state.withLock { $0.isOverridden = true } }

    /// Takes the request; nil gives way to the stubs behind it.
    func take(_ call: inout StubbedCall) -> PendingCall.Answer? {
        let (turn, name) = state.withLock { state -> (Turn, String) in
            let turn = state.next()
            if case .giveWay = turn { return (turn, state.name) }
            (call.stub, call.stubID) = (state.name, ObjectIdentifier(self))
            state.calls.append(call)
            return (turn, state.name)
        }
        do {
            switch turn {
            case .giveWay: return nil
            case .fail: throw StubProblem.noAnswer(stub: name)
            case .exhausted(let count): throw StubProblem.exhausted(stub: name, answers: count)
            case .answer(let answer): return .give(try given(answer).resolved(for: call))
            case .compute(let function): return .give(try given(function(call)).resolved(for: call))
            case .ask(let function): return .ask { [self] in given(try await function($0, $1)) }
            }
        } catch {
            return .fail(error)
        }
    }

    /// The answer as this stub gives it.
    private func given(_ answer: StubAnswer) -> StubAnswer {
        var answer = answer
        answer.chance = dice
        return answer
    }

    /// The action for one call.
    fileprivate enum Turn: Sendable {
        case answer(StubAnswer)
        case compute(@Sendable (StubbedCall) throws -> StubAnswer)
        case ask(@Sendable (StubbedCall, @escaping Next) async throws -> StubAnswer)
        case giveWay
        case exhausted(Int)
        case fail
    }
}

extension Stub.State {
    fileprivate mutating func next() -> Stub.Turn {
        switch plan {
        case .none: return .fail
        case .function(let function): return .compute(function)
        case .asyncFunction(let function): return .ask(function)
        case .sequence(let answers, let end):
            defer { given += 1 }
            if given < answers.count { return .answer(answers[given]) }
            switch end {
            case .repeatLast: if let last = answers.last { return .answer(last) }
            case .startOver: if !answers.isEmpty { return .answer(answers[given % answers.count]) }
            case .giveWay: return .giveWay
            case .fail: break
            }
            return .exhausted(answers.count)
        }
    }
}
