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
            // In real time on an immediate clock, to end calls that hang; see also ``SendStep``.
            let clock = call.clock is ImmediateClock ? WallClock.shared : call.clock
            guard let wait = clock.wait(deadline - call.elapsed, then: { call.expire() }) else { return call.expire() }
            call.keepDeadline(wait)
            next.start(attempt, then: then)
        }
    }
}
