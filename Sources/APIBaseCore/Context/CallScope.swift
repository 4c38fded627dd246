import Basics

/// The settings that calls take from where they are started: stubs or a recording in place of the network, accounts,
/// base URLs, watchers and a deadline.
///
/// Child tasks inherit the scope. Detached tasks, queues, threads and event loops do not, nor does code after
/// `receive(on:)`. Hand it on there:
///
/// ```swift
/// let scope = CallScope.here
/// queue.async {
///     scope.run { screen.reload() }
/// }
/// ```
///
/// Outside of all scopes it is empty and changes nothing, so a program can hand it on without knowing of tests.
public struct CallScope: Sendable {
    package let standIn: (any StandIn)?
    var accounts: Accounts
    var rules: ScopeRules

    init(
        standIn: (any StandIn)? = nil,
        accounts: Accounts = Accounts(),
        rules: ScopeRules = .current
    ) {
        (self.standIn, self.accounts, self.rules) = (standIn, accounts, rules)
    }

    var watchers: [any Sendable] { rules.watchers }

    var deadline: ScopeDeadline? { rules.deadline }

    /// The scope for work that others wait for too.
    package var withoutDeadline: CallScope {
        var scope = self
        scope.rules.deadline = nil
        return scope
    }

    /// The scope of the running code.
    public static var here: CallScope {
        CallScope(standIn: StandIns.current, accounts: Accounts.inScope)
    }

    /// Runs `body` inside the scope. Calls that it starts belong to the scope.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await StandIns.$current.withValue(
            standIn,
            operation: {
                try await Accounts.$inScope.withValue(
                    accounts,
                    operation: { try await rules.run(isolation: isolation, body) },
                    isolation: isolation
                )
            },
            isolation: isolation
        )
    }

    /// Runs a synchronous `body` inside the scope. Calls that it starts belong to the scope.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try StandIns.$current.withValue(standIn) {
            try Accounts.$inScope.withValue(accounts) { try rules.run(body) }
        }
    }

    /// The scope of the running code; `nil` outside of all scopes.
    package static var current: CallScope? {
        let scope = here
        return scope.isEmpty ? nil : scope
    }

    private var isEmpty: Bool { standIn == nil && accounts.isEmpty && rules.isEmpty }

    /// The stubs or the recording in place of the network; `nil` if the scope has neither.
    package var standInOwner: AnyObject? { standIn?.owner }

    /// The session that carries a call out, given the call's own.
    func session(over own: @autoclosure () -> any HTTPSession) -> any HTTPSession {
        standIn?.session(over: own()) ?? own()
    }

    /// The clock of one call; `nil` if the scope does not set one.
    package func makeClock() -> (any CallClock)? { standIn?.makeClock() }

    /// A clock of the scope.
    var clock: any CallClock { makeClock() ?? WallClock.shared }
}

extension CallScope {
    /// A reason for which the kit waits by itself.
    public enum WaitReason: Sendable, Hashable {
        /// The delay before another attempt: ``APIBase/retry``.
        case retry
        /// The turn at a ``CallGate``. Its duration is known when it has ended.
        case gate
        /// The delay before an event stream or a download is resumed.
        case reconnection
        /// The delay before a long operation is asked about: ``PolledRequest``.
        case poll
        /// ``CallScope/sleep(for:)``.
        case sleep
    }

    /// Waits on the clock of the scope: real time, or that of stubs. For polling and other waits between calls, which
    /// then take no time in tests.
    ///
    /// ```swift
    /// while try await ExportRequest(id: id).value().isRunning { try await CallScope.sleep(for: .seconds(2)) }
    /// ```
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled, and ``RequestError/deadlineExceeded(after:)`` at
    ///   once if the wait would end after the deadline of the scope.
    nonisolated(nonsending) public static func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let scope = here
        let duration = max(.zero, min(duration, .longest))
        if let error = scope.deadlineError(within: duration) { throw error }
        scope.noteWait(for: .sleep, of: duration)
        await scope.clock.sleep(for: duration)
        try Task.checkCancellation()
    }

    /// Tells the stubs of a wait, for their list.
    func noteWait(for reason: WaitReason, of duration: Duration) { standIn?.noteWait(for: reason, of: duration) }
}

extension Publisher {
    /// Delivers inside `scope`, so that calls started from a delivered value belong to the scope as well. After
    /// `receive(on:)`, add it explicitly: `.receive(on: queue).inScope(.here)`.
    ///
    /// - Parameter scope: The scope to deliver in.
    /// - Returns: A publisher with the same output.
    public func inScope(_ scope: CallScope) -> AnyPublisher<Output, Failure> {
        ScopedPublisher(upstream: self, scope: scope).eraseToAnyPublisher()
    }
}

private struct ScopedPublisher<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let scope: CallScope

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(ScopedSubscriber(scope: scope, downstream: subscriber))
    }
}

private struct ScopedSubscriber<Downstream: Subscriber>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let scope: CallScope
    let downstream: Downstream

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    func receive(subscription: any Subscription) { scope.run { downstream.receive(subscription: subscription) } }
    func receive(_ input: Input) -> Subscribers.Demand { scope.run { downstream.receive(input) } }
    func receive(completion: Subscribers.Completion<Failure>) {
        scope.run { downstream.receive(completion: completion) }
    }
}
