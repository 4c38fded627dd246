import Basics
import HTTPTransport

extension APIBase {
    /// The gate that limits the calls to the server, shared by all of them. `nil` by default.
    public var gate: CallGate? {
        get { features[CallGate.self] }
        set { features[CallGate.self] = newValue }
    }
}

extension APIAccount {
    /// The gate, for this account and the others to which it is given; `nil` for the one of the API, in which the
    /// account has a queue of its own.
    public var gate: CallGate? {
        get { features[CallGate.self] }
        set { features[CallGate.self] = newValue }
    }

    /// Creates an account with a gate, or `nil` for that of the API.
    public init(
        baseURL: URL? = nil,
        authorization: Authorization? = nil,
        headers: HTTPHeaders = [:],
        session: (any HTTPSession)? = nil,
        gate: CallGate?
    ) {
        self.init(baseURL: baseURL, authorization: authorization, headers: headers, session: session)
        self.gate = gate
    }
}

extension CallGate: CallFeature {
    package static var position: StepPosition { .aroundAttempt }
    package static var runsUserCode: Bool { false }

    package func step(in call: Call) -> (any CallStep)? {
        // Calls that hold permits may wait for this one, as for the refresh of a token.
        guard !call.context.locals[IsAwaitedByCalls.self] else { return nil }
        let account = call.account?.gate == nil ? call.account?.identity : nil
        let name = account == nil ? nil : call.account?.name
        return GateStep(call: call, queue: queue(of: call.standInOwner, for: account, name, on: call.clock))
    }
}

/// Has each attempt wait for a permit of the ``APIBase/gate``, and gives it back when the attempt or the call ends.
struct GateStep: CallStep {
    let call: Call
    let queue: LimiterQueue

    var refusal: Duration? { queue.refusal(on: call.clock) }

    /// Whether an attempt that holds a place at this gate has started the call.
    private var isInside: Bool {
        call.context.locals[HeldPermits.self].contains { ($0 as? GatePlace)?.isHeld(in: queue) == true }
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard !isInside else { return try next.reply(to: attempt) }
        return PendingResponse { [self] then in
            call.wait {
                let arrival = queue.time(on: call.clock)
                let entry = queue.enter(on: call.clock) { result in
                    call.endWait {
                        let wait = queue.time(on: call.clock) - arrival
                        call.noteWait(for: .gate, of: wait)
                        call.state.withLock { $0.report.gate = wait }
                        enter(result, attempt, next, then)
                    }
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
            let permits = call.context.locals[HeldPermits.self] + [permit.place]
            guard call.state.withLock({ $0.keep(permit, permits: permits) }) else { return }
            guard let shared = queue.shared else { return start(attempt, next, then) }
            waitForTurn(at: shared, with: permit, then) { start(attempt, next, then) }
        }
    }

    /// Waits for the limits that other processes share.
    private func waitForTurn(
        at shared: SharedTurns,
        with permit: Permit,
        _ then: @escaping PendingResponse.Receiver,
        _ action: @escaping @Sendable () -> Void
    ) {
        let arrival = call.clock.now
        call.wait {
            let wait = shared.wait(call, permit.sharedPlace) { mayBegin in
                call.endWait {
                    guard !call.isPastDeadline else { return call.expire() }
                    let wait = call.clock.now - arrival
                    if wait > .milliseconds(1) { call.noteWait(for: .gate, of: wait) }
                    call.state.withLock { $0.report.gate = ($0.report.gate ?? .zero) + wait }
                    if mayBegin { return action() }
                    permit.release()
                    then(.failure(RequestError.gateTimedOut(after: queue.longestWait ?? wait)))
                }
            }
            return .work(wait)
        }
    }

    private func start(_ attempt: Attempt, _ next: NextStep, _ then: @escaping PendingResponse.Receiver) {
        next.start(attempt) { [call] result in
            let (hold, server) = call.state.withLock { $0.endHold() }
            (hold as? Permit)?.leave(server.map { Permit.End(outcome: $0) } ?? end(of: result))
            then(result)
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
        return RateLimit.wait(after: head).map { min($0, call.settings.retry.longestRetryAfter) }
    }
}
