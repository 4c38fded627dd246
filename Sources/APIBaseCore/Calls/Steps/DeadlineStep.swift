import HTTPTransport

/// Ends the call at its ``RetryPolicy/deadline``, or at that of its scope.
struct DeadlineStep: CallStep {
    private let call: Call
    private let left: Duration
    /// That of the scope, if the step is for it.
    private let deadline: ScopeDeadline?

    /// The step for the deadline of the scope: each call has it, also one that waits for an equal one.
    static func ofScope(_ call: Call) -> DeadlineStep? {
        call.scopeLeft.map { DeadlineStep(call: call, left: $0, deadline: call.scope?.deadline) }
    }

    /// The step for the deadline of the call, unless that of the scope is earlier.
    static func ofCall(_ call: Call) -> DeadlineStep? {
        call.isLimitedByScope ? nil : call.ownLeft.map { DeadlineStep(call: call, left: $0, deadline: nil) }
    }

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        PendingResponse { [self] then in
            // To end calls that hang; see also ``SendStep``.
            guard left > .zero, let wait = wait(then: { call.expire() }) else { return call.expire() }
            call.keepDeadline(wait)
            next.start(attempt, then: then)
        }
    }

    private func wait(then action: @escaping @Sendable () -> Void) -> CallWait? {
        if let deadline { return deadline.wait(then: action) }
        return call.clock.forRealWork.wait(left, then: action)
    }
}
