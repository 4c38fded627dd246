import Basics
import HTTPTransport

/// One subscription to a call, which goes through its steps: see ``CallSteps``.
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
    let scope: CallScope?
    /// The stubs or the recording that the request object has as its session; `nil` if that is the network.
    private let sessionScope: (any SessionScope)?
    /// The calls that wait for this one, if it may be shared.
    let shared: SharedCall?
    /// Whether its reply is delivered when its head is there.
    let isStream: Bool
    let variation: CallVariation?
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
        sessionScope = api.sessionScope
        clock = scope?.makeClock() ?? api.makeClock(in: sessionScope)
        start = clock.now
        state = Locked(CallState(downstream))
    }

    /// The time since the start of the call.
    var elapsed: Duration { clock.now - start }

    /// Whether the time of the call is over.
    var isPastDeadline: Bool { deadline.map { elapsed >= $0 } ?? false }

    /// The stand-in for the network: stubs or a recording; `nil` for the network itself.
    var substitute: AnyObject? { scope?.substitute ?? api.substitute(in: sessionScope) }

    /// The key by which calls share tokens: stubs or a recording, or `nil` for the network. A stub of one request object stands
    /// in for that call alone, and not for a refresh.
    var tokenOwner: AnyObject? { scope?.substitute ?? sessionScope?.owner }

    /// The session that carries an exchange out.
    var session: any HTTPSession { scope?.session(over: self.api.session) ?? api.session }

    /// Runs `body` inside the scope of the call, which older systems do not keep as a part of its context.
    func inScope<Value>(_ body: () throws -> Value) rethrows -> Value { try scope?.run(body) ?? body() }

    /// Runs `body` as a part of the attempt, with the task locals of where the call was started.
    func inAttempt<Value>(_ body: () -> Value) -> Value { context.run { holdingPlace(body) } }

    /// Runs `body` as a part of the attempt, which holds its place.
    func holdingPlace<Value>(_ body: () -> Value) -> Value {
        guard let places = state.withLock({ $0.places }) else { return body() }
        return CallLocals.with(HeldPlaces.self, places, body)
    }
}

// MARK: Its beginning

extension Call: Subscription {
    /// Starts the call, once its subscriber knows of it and has asked for its reply.
    func begin() {
        clock.follow(self)
        if state.withLock({ $0.begin() }) { run() }
    }

    /// The reply is asked for. There is one at most, so nothing is counted.
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        if state.withLock({ $0.ask() }) { run() }
    }

    private func run() {
        NextStep(call: self).start(Attempt()) { self.end($0) }
    }

    func cancel() {
        guard let remains = state.withLock({ $0.end() }) else { return }
        stop(remains)
        if let report = remains.report { reportFailure(CancellationError(), report) }
    }
}

// MARK: Its waits

extension Call {
    var isRunning: Bool { !state.withLock { $0.isOver } }

    /// Starts something that the call waits for, and that is cancelled with it. It waits for one thing at a time.
    func wait(_ start: () -> CallState.Waiting?) {
        let number = state.withLock { $0.beginWait() }
        guard let waiting = start(), !state.withLock({ $0.keep(waiting, number: number) }) else { return }
        waiting.cancel()
    }

    /// Waits for the first value of a publisher.
    ///
    /// - Parameters:
    ///   - publisher: The publisher.
    ///   - isUpstream: Whether it may go on afterwards, and is cancelled with the attempt.
    ///   - then: Gets the value; `nil` if there is none, or the error.
    func waitForFirst<Value>(
        of publisher: some Publisher<Value, any Error>,
        isUpstream: Bool = false,
        then: @escaping (Result<Value?, any Error>) -> Void
    ) {
        wait {
            let first = FirstValue<Value>()
            if isUpstream { replaceUpstream(by: first) }
            first.wait(for: publisher, then: then)
            return .work(first)
        }
    }

    /// Another attempt with another token has a publisher of its own.
    private func replaceUpstream(by next: any Cancellable) {
        let last = state.withLock { state in
            defer { state.upstream = next }
            return state.upstream
        }
        last?.cancel()
    }

    func keepDeadline(_ wait: CallWait) {
        if !state.withLock({ $0.keep(deadline: wait) }) { wait.cancel() }
    }
}

// MARK: Its end

extension Call {
    private func end(_ result: Result<AttemptReply?, any Error>) {
        guard isRunning else { return }
        note(result)
        switch result {
        case .success(let reply?): deliver(reply)
        case .success(nil): complete(.finished)
        case .failure(let error): complete(.failure(error))
        }
    }

    private func deliver(_ reply: AttemptReply) {
        guard let (downstream, ended) = state.withLock({ $0.deliver(reply.whole) }) else { return }
        // A stream ends with its body.
        if let ended, reply.stream == nil { api.report(.ended(timings(of: ended))) }
        if isStream, reply.stream == nil { return complete(.failure(api.refusal(HTTPFailure(reply.whole.tuple)))) }
        do {
            _ = try downstream.receive(AttemptReply(whole: reply.whole, stream: reply.stream.map(followed)))
        } catch {
            return complete(.failure(error))
        }
        complete(.finished)
    }

    private func complete(_ completion: Subscribers.Completion<any Error>) {
        guard let remains = state.withLock({ $0.end() }) else { return }
        remains.deadline?.cancel()
        finish(remains, completion)
        remains.upstream?.cancel()
    }

    private func finish(_ remains: CallState.Remains, _ completion: Subscribers.Completion<any Error>) {
        if let report = remains.report {
            if case .failure(let error) = completion {
                reportFailure(error, report)
            } else {
                reportFailure(RequestError.noValue, report)
            }
        }
        remains.downstream?.receive(completion: completion)
    }

    private func stop(_ remains: CallState.Remains) {
        remains.deadline?.cancel()
        remains.waiting?.cancel()
        remains.upstream?.cancel()
    }

    /// The deadline of the whole call has come.
    func expire() {
        let (remains, phase) = state.withLock { ($0.expire(), $0.phase) }
        guard let deadline, var remains else { return }
        if retry.attempts > 1 { remains.report?.refusal = .deadline }
        stop(remains)
        let reason = TransportError.Reason.timedOut(which: .total, after: deadline)
        let url = remains.report?.request?.url
        finish(remains, .failure(TransportError(phase: phase, reason: reason, url: url)))
    }
}
