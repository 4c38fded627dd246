import Basics

/// One entry of ``Stubs``: which requests it answers, with what, and what it has answered so far.
public final class Stub: Sendable {
    /// What comes when all answers of a sequence have been given.
    public enum SequenceEnd: Sendable, Hashable {
        /// The call fails with ``StubProblem/exhausted(stub:answers:)``, which also fails the check of the scope.
        case fail
        /// The last answer, again and again.
        case repeatLast
        /// The first answer, and so on.
        case startOver
        /// What another stub of those behind this one answers, as if this one were not there.
        case giveWay
    }

    /// What a stub's function gets to call: what the real server answers, or the stubs of an outer scope.
    public typealias Next = @Sendable () async throws -> StubReply

    enum Plan: Sendable {
        case none
        case sequence([StubAnswer], then: SequenceEnd)
        case function(@Sendable (StubbedCall) throws -> StubAnswer)
        case asyncFunction(@Sendable (StubbedCall, @escaping Next) async throws -> StubAnswer)
    }

    /// What to do for one call.
    enum Turn: Sendable {
        case answer(StubAnswer)
        case compute(@Sendable (StubbedCall) throws -> StubAnswer)
        case ask(@Sendable (StubbedCall, @escaping Next) async throws -> StubAnswer)
        case giveWay
        case fail(any Error)
    }

    fileprivate struct State {
        var name: String
        var isOptional = false
        var plan = Plan.none
        var given = 0
        var calls: [StubbedCall] = []
    }

    /// Where the stub was set up.
    let place: SourcePlace
    let pattern: RequestPattern
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

    private func plan(_ plan: Plan) -> Stub {
        let old = state.withLock { state in
            defer {
                state.plan = plan
                state.given = 0
            }
            return state.plan
        }
        _ = old
        return self
    }
}

extension Stub {
    /// What it is called in messages.
    public var name: String { state.withLock { $0.name } }

    /// The requests it has answered, in their order.
    public var calls: [StubbedCall] { state.withLock { $0.calls } }

    /// How many requests it has answered.
    public var callCount: Int { state.withLock { $0.calls.count } }

    /// What is wrong with its use so far.
    var problem: StubProblem? {
        state.withLock { state in
            state.calls.isEmpty && !state.isOptional ? .unused(stub: state.name) : nil
        }
    }

    /// Takes the request, unless it gives way to the stubs behind it.
    func take(_ call: inout StubbedCall) -> Turn {
        let (turn, name) = state.withLock { state in
            let turn = state.next()
            if case .giveWay = turn { return (turn, String?.none) }
            call.stub = state.name
            state.calls.append(call)
            return (turn, state.name)
        }
        call.stub = name
        guard case .compute(let function) = turn else { return turn }
        do { return .answer(try function(call)) } catch { return .fail(error) }
    }
}

extension Stub.State {
    fileprivate mutating func next() -> Stub.Turn {
        switch plan {
        case .none: return .fail(StubProblem.noAnswer(stub: name))
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
            return .fail(StubProblem.exhausted(stub: name, answers: answers.count))
        }
    }
}
