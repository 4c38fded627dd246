import Basics

/// One entry of ``Stubs``: which requests it answers, with what, and what it has answered so far.
public final class Stub: Sendable {
    /// The behavior of a stub after the last answer of a sequence.
    public enum SequenceEnd: Sendable, Hashable {
        /// The call fails with ``StubProblem/exhausted(stub:answers:)``, which also fails the check of the scope.
        case fail
        /// The stub repeats its last answer.
        case repeatLast
        /// The stub begins again with its first answer.
        case cycle
        /// The next stub that matches answers.
        case fallThrough
    }

    /// Returns what would answer without the stub: the stubs of an outer scope, or the real server.
    public typealias Next = @Sendable () async throws -> StubReply

    enum Plan: Sendable {
        case none
        case sequence([StubAnswer], then: SequenceEnd)
        case function(PendingCall.Function)
    }

    fileprivate struct State {
        var name: String
        var isOptional = false
        var isOverridden = false
        var rank = 0
        var notes: [any Sendable] = []
        var plan = Plan.none
        var answerCount = 0
        var calls: [StubbedCall] = []
    }

    let place: SourcePlace
    let pattern: RequestPattern
    private let random = SeededRandom()
    let expectations = SocketExpectations()
    private let state: Locked<State>

    init(_ pattern: RequestPattern, at place: SourcePlace) {
        (self.pattern, self.place) = (pattern, place)
        state = Locked(State(name: pattern.description))
    }
}

extension Stub {
    /// Gives every request this answer.
    @discardableResult
    public func answer(_ answer: StubAnswer) -> Stub { plan(.sequence([answer], then: .repeatLast)) }

    /// Gives each request the next of these answers, in the order of sending. A `.retry` gets one after the other.
    @discardableResult
    public func answer(inOrder answers: StubAnswer..., then end: SequenceEnd = .fail) -> Stub {
        plan(.sequence(answers, then: end))
    }

    /// Gives each request the result of `function`. A request fails with the error that the function throws.
    ///
    /// The function is called on the thread that sends the request, and must not block.
    @discardableResult
    public func answer(with function: @escaping @Sendable (StubbedCall) throws -> StubAnswer) -> Stub {
        answer(StubAnswer(.function(function)))
    }

    /// Gives each request the result of `function`. A request fails with the error that the function throws.
    ///
    /// The function can call `next` for the reply of the real server, and change that. The call's timeouts do not run
    /// meanwhile.
    @discardableResult
    public func answer(
        with function: @escaping @Sendable (StubbedCall, _ next: @escaping Next) async throws -> StubAnswer
    ) -> Stub {
        plan(.function(function))
    }

    /// Accepts each handshake of a socket, and speaks with its client:
    ///
    /// ```swift
    /// stubs.on(.socket, "/chat").socket { socket in
    ///     try await socket.expect(#"{"text":"Hello"}"#)
    ///     socket.send(#"{"text":"Welcome"}"#)
    /// }
    /// ```
    ///
    /// When the function has ended, the socket is closed with code 1000. If it throws, the client's socket fails with
    /// that error. The function runs in a task of its own.
    ///
    /// - Parameters:
    ///   - subprotocol: The subprotocol to choose.
    ///   - talk: The other end of the client's socket.
    /// - Returns: The stub.
    @discardableResult
    public func socket(
        subprotocol: String? = nil,
        _ talk: @escaping @Sendable (StubSocket) async throws -> Void
    ) -> Stub {
        answer(.socket(subprotocol: subprotocol, talk))
    }

    /// Sets the name of the stub in messages. By default it is the pattern, such as `GET /users/:id`.
    @discardableResult
    public func named(_ name: String) -> Stub {
        state.withLock { $0.name = name }
        return self
    }

    /// Allows that no request comes for the stub.
    @discardableResult
    public func optional() -> Stub {
        state.withLock { $0.isOptional = true }
        return self
    }

    /// Has the stub asked before the earlier ones of its set.
    ///
    /// In a test, `stubs.on(.get, "/books").overriding()` replaces what the suite has set up. The replaced stubs need
    /// not be used.
    @discardableResult
    public func overriding() -> Stub {
        let rank = Self.lastRank.withLock { last in
            last += 1
            return last
        }
        state.withLock { $0.rank = rank }
        return self
    }

    /// Has the stub asked after all others of its set.
    package func last() -> Stub {
        state.withLock { $0.rank = -1 }
        return self
    }

    /// Adds a note for what watches the stub's calls.
    package func note(_ note: any Sendable) -> Stub {
        state.withLock { $0.notes.append(note) }
        return self
    }

    private static let lastRank = Locked(0)

    private func plan(_ plan: Plan) -> Stub {
        let old = state.withLock { state in
            defer { (state.plan, state.answerCount) = (plan, 0) }
            return state.plan
        }
        withExtendedLifetime(old) {}
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

    /// Whether it has answered no request, and should have.
    var isUnused: Bool { state.withLock { $0.calls.isEmpty && !$0.isOptional && !$0.isOverridden } }

    var rank: Int { state.withLock { $0.rank } }

    /// Takes note that another stub has answered a request that this one matches.
    func override() { state.withLock { $0.isOverridden = true } }

    /// The answer to a request that matches; nil to ask the next stub.
    func answer(to call: inout StubbedCall) -> PendingCall.Answer? {
        let action = state.withLock { state in
            let action = state.nextAction()
            if case .fallThrough = action { return action }
            (call.stub, call.stubID) = (state.name, ObjectIdentifier(self))
            (call.stubPlace, call.stubNotes) = (place, state.notes)
            state.calls.append(call)
            return action
        }
        do {
            switch action {
            case .fallThrough: return nil
            case .fail(let problem): throw problem
            case .answer(let answer): return .give(try seeded(answer).resolved(for: call))
            case .ask(let function): return .ask { [self] in seeded(try await function($0, $1)) }
            }
        } catch {
            return .fail(error)
        }
    }

    private func seeded(_ answer: StubAnswer) -> StubAnswer {
        var answer = answer
        (answer.random, answer.expectations) = (random, expectations)
        return answer
    }

    fileprivate enum Action: Sendable {
        case answer(StubAnswer)
        case ask(PendingCall.Function)
        case fallThrough
        case fail(StubProblem)
    }
}

extension Stub.State {
    fileprivate mutating func nextAction() -> Stub.Action {
        switch plan {
        case .none: return .fail(.noAnswer(stub: name))
        case .function(let function): return .ask(function)
        case .sequence(let answers, let end):
            defer { answerCount += 1 }
            if answerCount < answers.count { return .answer(answers[answerCount]) }
            switch end {
            case .repeatLast: if let last = answers.last { return .answer(last) }
            case .cycle: if !answers.isEmpty { return .answer(answers[answerCount % answers.count]) }
            case .fallThrough: return .fallThrough
            case .fail: break
            }
            return .fail(.exhausted(stub: name, answers: answers.count))
        }
    }
}
