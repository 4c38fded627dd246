import HTTPTransport

/// Has each attempt wait for its place at the ``APIBase/gate``, and gives that back when its reply or its failure is there.
struct GateStep: CallStep {
    private let call: Call
    private let line: GateLine

    init?(_ call: Call) {
        // Calls that have passed the gate may wait for what this one is for.
        guard let gate = call.api.gate, !call.context.locals[IsAwaitedByCalls.self] else { return nil }
        self.call = call
        line = gate.line(of: call.substitute)
    }

    var refusal: Duration? { line.refusal(on: call.clock) }

    /// An equal call may wait for the very place that this one is made in, so one that has no place of its own is equal to none.
    var identity: AnyHashable? { isInside ? ObjectIdentifier(call) : ObjectIdentifier(line) }

    /// Whether an attempt that has passed the gate, and has not ended, has started this call.
    private var isInside: Bool {
        call.context.locals[HeldPlaces.self].contains { ($0 as? GatePlace)?.isHeld(in: line) == true }
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingReply {
        guard !isInside else { return try next.reply(to: attempt) }
        return PendingReply { [self] then in
            call.wait {
                let goOn: @Sendable (Result<GatePass, RequestError>) -> Void = { pass($0, attempt, next, then) }
                switch line.enter(on: call.clock, then: goOn) {
                case .decided(let result): goOn(result)
                case .waits(let wait): return .time(wait)
                }
                return nil
            }
        }
    }

    private func pass(
        _ result: Result<GatePass, RequestError>,
        _ attempt: Attempt,
        _ next: NextStep,
        _ then: @escaping PendingReply.Receiver
    ) {
        // Where waits are over at once, the deadline may have come in this one.
        guard !call.isPastDeadline else { return call.expire() }
        switch result {
        case .failure(let error): then(.failure(error))
        case .success(let pass):
            call.beginPlace(call.context.locals[HeldPlaces.self] + [pass.place])
            next.start(attempt) { [call] result in
                pass.leave(call.endPlace().map { GatePass.End(outcome: $0) } ?? GatePass.End(result))
                then(result)
            }
        }
    }
}

extension GatePass.End {
    /// Tells from the result of an attempt how healthy the server is, and whether it asks for a pause.
    fileprivate init(_ result: Result<AttemptReply?, any Error>) {
        switch result {
        case .success(let reply?):
            let status = reply.head.statusCode
            outcome = status >= 500 ? .failure : .success
            pause = status == 429 ? RetryAfter.wait(asked: reply.head) : nil
        case .success(nil): outcome = .unknown
        case .failure(let error): outcome = error.isTransient ? .failure : .unknown
        }
    }
}
