import Basics
import HTTPTransport

/// One subscription to a call: its attempts, one after another.
final class Call: Sendable {
    /// Unchecked: the request object is set up before, and only read from here on, as its documentation asks.
    private let object: UncheckedSendable<APIBase>
    var api: APIBase { object.value }
    let context: CallerContext
    let clock: any CallClock
    let id = CallInfo.nextID()
    let retry: RetryPolicy
    /// The longest time that the call may take in all; `nil` if it is not limited.
    let deadline: Duration?
    private let scope: CallScope?
    /// The stubs or the recording that the request object has as its session; `nil` if that is the network.
    private let sessionScope: (any SessionScope)?
    /// Its subscribers, if it may have several.
    let shared: SharedCall?
    /// Whether its reply is delivered when its head is there.
    let isStream: Bool
    let variation: CallVariation?
    /// The line of the gate that its attempts go through.
    let line: GateLine?
    private let start: Duration
    let state: Locked<CallState>

    init(
        of api: APIBase,
        in context: CallerContext,
        scope: CallScope?,
        sharedBy shared: SharedCall? = nil,
        for downstream: CallDownstream,
        variation: CallVariation? = nil
    ) {
        object = UncheckedSendable(api)
        self.context = context
        self.scope = scope
        self.shared = shared
        self.variation = variation
        if case .stream = downstream { isStream = true } else { isStream = false }
        retry = api.retry
        deadline = retry.deadline.map { min($0, .longest) }
        // A call that renews a token does not wait: calls that have passed the gate may wait for it.
        sessionScope = api.sessionScope
        let substitute = scope?.substitute ?? api.substitute(in: sessionScope)
        line = context.refreshing.isEmpty ? api.gate?.line(of: substitute) : nil
        clock = scope?.makeClock() ?? api.makeClock(in: sessionScope)
        start = clock.now
        state = Locked(CallState(downstream))
    }

    /// The target for the byte counts of an exchange; `nil` for a shared call, whose members have their own.
    func progressTarget(sending body: HTTPBody) -> ProgressTarget? {
        shared == nil ? ProgressTarget(api, sending: body) : nil
    }

    /// Takes a count of an exchange.
    func count(_ progress: ExchangeProgress, for target: ProgressTarget?) {
        shared?.progressed(progress)
        target?.count(variation.map { progress.moved(by: $0.offset()) } ?? progress)
    }

    /// The time since the start of the call.
    var elapsed: Duration { clock.now - start }

    /// The stand-in for the network: stubs or a recording; `nil` for the network itself.
    var substitute: AnyObject? { scope?.substitute ?? api.substitute(in: sessionScope) }

    /// The key by which calls share tokens: stubs or a recording, or `nil` for the network. A stub of one request object stands
    /// in for that call alone, and not for a refresh.
    var tokenOwner: AnyObject? { scope?.substitute ?? sessionScope?.owner }

    /// Runs `body` inside the scope of the call, which older systems do not keep as a part of its context.
    func inScope<Value>(_ body: () throws -> Value) rethrows -> Value { try scope?.run(body) ?? body() }

    /// The session that carries an exchange out.
    var session: any HTTPSession { scope?.session(over: self.api.session) ?? api.session }

    /// Starts the call, once its subscriber knows of it.
    func begin() {
        clock.follow(self)
        retry.budget?.count(at: clock)
        if let deadline {
            // Where waits are over at once, this ends what hangs all the same; see also `exchange(for:)`.
            let clock = clock is ImmediateClock ? WallClock.shared : clock
            guard let wait = clock.wait(deadline, then: { self.expire(after: deadline) }) else {
                return expire(after: deadline)
            }
            keep(wait, as: \.deadline)
        }
        if state.withLock({ $0.mayBegin() }) { startAttempts() }
    }

    /// Keeps a wait that a cancel has to stop; stops it if that has come already.
    func keep(_ wait: CallWait, as place: WritableKeyPath<CallState, CallWait?>) {
        let isOver = state.withLock { state in
            if !state.isOver { state[keyPath: place] = wait }
            return state.isOver
        }
        if isOver { wait.cancel() }
    }

    /// Starts attempts for as long as each is to be followed by another at once. So many in a row need no deep stack.
    func startAttempts() {
        guard state.withLock({ $0.beginStarting() }) else { return }
        while let number = state.withLock({ $0.nextAttempt() }) {
            if let line, !isInside(line) { enter(line, number) } else { start(number) }
        }
    }

    /// Whether an attempt that has passed the gate, and has not ended, has started this call.
    private func isInside(_ line: GateLine) -> Bool { context.places.contains { $0.isHeld(in: line) } }

    /// Goes through the gate, now or later.
    private func enter(_ line: GateLine, _ number: Int) {
        switch line.enter(on: clock, then: { self.start(number, with: $0) }) {
        case .decided(let result): start(number, with: result)
        case .waits(let wait): keep(wait, as: \.gate)
        }
    }

    private func start(_ number: Int, with result: Result<GatePass, RequestError>) {
        // Where waits are over at once, the deadline may have come in this one.
        if let deadline, elapsed >= deadline { return expire(after: deadline) }
        switch result {
        case .success(let pass): if state.withLock({ $0.keep(pass, from: number) }) { start(number) }
        case .failure(let error): receive(.failure(error), from: number)
        }
    }

    private func start(_ number: Int) {
        let subscriber = AttemptSubscriber(call: self, number: number)
        let result = inAttempt { Result { try inScope { try replies() } } }
        holdingPlace {
            switch result {
            case .success(let replies): replies.subscribe(subscriber)
            case .failure(let error): subscriber.receive(completion: .failure(error))
            }
        }
    }

    /// Runs `body` as a part of the attempt, with the task locals of where the call was started.
    func inAttempt<Value>(_ body: () -> Value) -> Value { context.run { holdingPlace(body) } }

    /// Runs `body` as a part of the attempt: calls that it makes do not wait at the gate.
    func holdingPlace<Value>(_ body: () -> Value) -> Value {
        guard line != nil, let place = state.withLock({ $0.pass?.place }) else { return body() }
        return GatePlace.$held.withValue(context.places + [place], operation: body)
    }

    /// The deadline of the whole call has come.
    private func expire(after deadline: Duration) {
        let (remains, phase) = state.withLock { ($0.expire(), $0.phase) }
        guard var remains else { return }
        if retry.attempts > 1 { remains.report?.refusal = .deadline }
        remains.stop()
        let reason = TransportError.Reason.timedOut(which: .total, after: deadline)
        let url = remains.report?.request?.url
        finish(remains, .failure(TransportError(phase: phase, reason: reason, url: url)))
    }
}

// MARK: The subscriber

extension Call: Subscription {
    func request(_ demand: Subscribers.Demand) {
        let (upstream, begins) = state.withLock { state in
            state.demand += demand
            return (state.upstream, state.mayBeginLate())
        }
        upstream?.request(demand)
        if begins { startAttempts() }
    }

    func cancel() {
        guard let remains = state.withLock({ $0.end() }) else { return }
        remains.stop()
        if let report = remains.report { reportFailure(CancellationError(), report) }
    }
}
