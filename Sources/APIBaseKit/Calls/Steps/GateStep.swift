import Basics
import HTTPTransport

/// Has each attempt wait for a permit of the ``APIBase/gate``, and gives it back when the attempt or the call ends.
package struct GateStep: CallStep {
    private let call: Call
    private let queue: LimiterQueue

    package init?(_ call: Call) {
        // Calls that hold places may wait for this one, as for the refresh of a token.
        guard !call.context.locals[IsAwaitedByCalls.self] else { return nil }
        if let gate = call.account?.gate {
            queue = gate.queue(of: call.substitute, for: nil, on: call.clock)
        } else {
            guard let gate = call.api.gate else { return nil }
            queue = gate.queue(of: call.substitute, for: call.account?.identity, on: call.clock)
        }
        self.call = call
    }

    var refusal: Duration? { queue.refusal(on: call.clock) }

    /// A call made inside an attempt is not shared: an equal call may wait for the place of that attempt.
    var identity: AnyHashable? { isInside ? ObjectIdentifier(call) : ObjectIdentifier(queue) }

    /// Whether an attempt that holds a place at this gate has started the call.
    private var isInside: Bool {
        call.context.locals[HeldPlaces.self].contains { ($0 as? GatePlace)?.isHeld(in: queue) == true }
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard !isInside else { return try next.reply(to: attempt) }
        return PendingResponse { [self] then in
            call.wait {
                let arrival = queue.time(on: call.clock)
                let entry = queue.enter(on: call.clock) { result in
                    let wait = queue.time(on: call.clock) - arrival
                    call.noteWait(for: .gate, of: wait)
                    call.state.withLock { $0.report.gate = wait }
                    enter(result, attempt, next, then)
                }
                switch entry {
                case .decided(let result):
                    call.state.withLock { $0.report.gate = .zero }
                    enter(result, attempt, next, then)
                case .waits(let wait): return .time(wait)
                }
                return nil
            }
        }
    }

    private func enter(
        _ result: Result<Permit, RequestError>,
        _ attempt: Attempt,
        _ next: NextStep,
        _ then: @escaping PendingResponse.Receiver
    ) {
        // On an immediate clock, the wait may have passed the deadline.
        guard !call.isPastDeadline else { return call.expire() }
        switch result {
        case .failure(let error): then(.failure(error))
        case .success(let permit):
            // The call keeps the permit, so that canceling it gives the place back even while an override blocks.
            let places = call.context.locals[HeldPlaces.self] + [permit.place]
            guard call.state.withLock({ $0.keep(permit, places: places) }) else { return }
            next.start(attempt) { [call] result in
                let (permit, server) = call.state.withLock { $0.endPlace() }
                permit?.leave(server.map { Permit.End(outcome: $0) } ?? end(of: result))
                then(result)
            }
        }
    }

    /// Derives the health of the server, and the pause for which it asks, from the result of an attempt.
    private func end(of result: Result<AttemptResponse?, any Error>) -> Permit.End {
        switch result {
        case .success(let reply?):
            let outcome: ServerOutcome = reply.head.statusCode >= 500 ? .failure : .success
            return Permit.End(outcome: outcome, pause: queue.pausesAfter429 ? pause(after: reply.head) : nil)
        case .success(nil): return Permit.End(outcome: .unknown)
        case .failure(let error): return Permit.End(outcome: error.isTransient ? .failure : .unknown)
        }
    }

    private func pause(after head: ResponseHead) -> Duration? {
        if head.statusCode == 429, let asked = RetryAfter.wait(asked: head) { return asked }
        return RateLimit.wait(after: head).map { min($0, call.retry.longestRetryAfter) }
    }
}
