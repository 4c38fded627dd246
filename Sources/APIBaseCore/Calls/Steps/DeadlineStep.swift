import HTTPTransport

/// Ends the call at its ``RetryPolicy/deadline``.
struct DeadlineStep: CallStep {
    private let call: Call
    private let deadline: Duration

    init?(_ call: Call) {
        guard let deadline = call.deadline else { return nil }
        (self.call, self.deadline) = (call, deadline)
    }

    func reply(to attempt: Attempt, next: NextStep) -> PendingResponse {
        PendingResponse { [self] then in
            // To end calls that hang; see also ``SendStep``.
            guard let wait = call.clock.forRealWork.wait(deadline - call.elapsed, then: { call.expire() }) else {
                return call.expire()
            }
            call.keepDeadline(wait)
            next.start(attempt, then: then)
        }
    }
}
