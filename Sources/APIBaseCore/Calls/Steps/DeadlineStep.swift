import HTTPTransport

/// Ends the call at its ``RetryPolicy/deadline``, or at that of its scope.
struct DeadlineStep: CallStep {
    private let call: Call
    private let left: Duration

    /// The step for the deadline of the scope: each call has it, also one that waits for an equal one.
    static func ofScope(_ call: Call) -> DeadlineStep? { call.scopeLeft.map { DeadlineStep(call: call, left: $0) } }

    /// The step for the deadline of the call, unless that of the scope is earlier.
    static func ofCall(_ call: Call) -> DeadlineStep? {
        call.isLimitedByScope ? nil : call.ownLeft.map { DeadlineStep(call: call, left: $0) }
    }

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        PendingResponse { [self] then in
            // To end calls that hang; see also ``SendStep``.
            guard let wait = call.clock.forRealWork.wait(left, then: { call.expire() }) else { return call.expire() }
            call.keepDeadline(wait)
            next.start(attempt, then: then)
        }
    }
}
