package import Basics
import HTTPTransport

/// One subscription to a call, which passes the steps of ``CallSteps``.
package final class Call: Sendable {
    /// Unchecked: from here on the request object is only read, as its documentation requires.
    private let object: UncheckedSendable<APIBase>
    package var api: APIBase { object.value }
    package let context: CallerTaskLocals
    package let clock: any CallClock
    package let id = CallEvent.Info.nextID()
    package let settings: CallSettings
    package let scope: CallScope?
    /// The stubs or the recording that the request object has as its session.
    private let standIn: (any StandIn)?
    /// The stubs or the recording in place of the network, of the scope or of the object.
    var anyStandIn: (any StandIn)? { scope?.standIn ?? standIn }
    /// Whether the response is delivered when its head has arrived.
    package let isStream: Bool
    /// Whether the task that awaits the response reads it, after the call has delivered it.
    let isReadByTask: Bool
    package let variant: (any CallVariant)?
    /// The steps of the call and of its sending, with those of its features.
    let steps: CallSteps.Lists
    private let start: Duration
    /// Those of the scope, of the account and of the class.
    let watchers: [any CallWatcher]
    /// Receives the events, besides the request object and the watchers.
    let observer = CallObserver.current
    package let state: Locked<CallState>

    package init(
        of api: APIBase,
        in context: CallerTaskLocals,
        scope: CallScope?,
        for subscriber: CallSubscriber,
        variant: (any CallVariant)? = nil,
        settings: CallSettings? = nil
    ) {
        object = UncheckedSendable(api)
        self.context = context
        self.scope = scope
        self.variant = variant ?? context.locals[StartedVariants.self]?.variant(of: api)
        if case .stream = subscriber { isStream = true } else { isStream = false }
        if case .task = subscriber { isReadByTask = true } else { isReadByTask = false }
        self.settings = settings ?? CallSettings(of: api, in: scope?.accounts ?? Accounts())
        let ofScope = scope?.watchers.compactMap { $0 as? any CallWatcher } ?? []
        watchers = ofScope + (self.settings.account?.watchers ?? []) + api.watchers
        steps = CallSteps.with(self.settings.features)
        standIn = api.standIn(of: self.settings.account)
        clock = scope?.makeClock() ?? api.makeClock(in: standIn)
        if let deadline = scope?.deadline { deadline.begin(clock, of: scope?.standIn ?? standIn) }
        start = clock.now
        state = Locked(uncheckedState: CallState(subscriber))
    }

    var elapsed: Duration { clock.now - start }

    /// The stubs or the recording in place of the network; `nil` for the network.
    package var standInOwner: AnyObject? { scope?.standInOwner ?? api.standInOwner(in: standIn) }

    /// The stubs or the recording by which calls share tokens; `nil` for the network. A request object's own stub is
    /// not among them, since it does not answer a refresh.
    package var tokenStandInOwner: AnyObject? { scope?.standInOwner ?? standIn?.owner }

    package var session: any HTTPSession { scope?.session(over: self.ownSession) ?? ownSession }

    package var account: APIAccount? { settings.account }

    package var secretHeaders: Set<String> { settings.secretHeaders }

    /// The session of the account or the request object, without the stubs of a scope.
    package var ownSession: any HTTPSession { account?.session ?? api.session }

    /// Whether the body of a request can be sent again.
    package func canRepeatBody(of request: URLRequest) -> Bool {
        variant?.hasOwnBody == false || api.canRepeatBody(of: request)
    }

    /// Runs `body` inside the scope of the call, which the context does not include on older systems.
    package func inScope<Value>(_ body: () throws -> Value) rethrows -> Value { try scope?.run(body) ?? body() }

    /// Runs `body` as a part of the attempt: with the task locals of the code that started the call, and with the
    /// permits that the attempt holds.
    package func inContext<Value>(_ body: () -> Value) -> Value { context.run { withHeldPermits(body) } }

    /// Runs `body` with the permits that the attempt holds, as at a gate.
    func withHeldPermits<Value>(_ body: () -> Value) -> Value {
        // Only features give permits.
        guard !settings.features.list.isEmpty, let permits = state.withLock({ $0.permits }) else { return body() }
        return CallLocals.with(HeldPermits.self, permits, body)
    }
}

// MARK: The beginning

extension Call: Subscription {
    /// Starts the call once its subscriber has received the subscription and requested the response.
    package func begin() {
        clock.follow(self)
        if state.withLock({ $0.begin() && enter(&$0) }) { run() }
    }

    /// Starts the call for a task.
    func begin(for task: UnsafeContinuation<AwaitedResponse, any Error>) {
        clock.follow(self)
        let starts = state.withLockUnchecked { $0.begin(for: task) && enter(&$0) }
        if starts { run() } else { task.resume(throwing: CancellationError()) }
    }

    /// Requests the response. There is one at most, so the demand is not counted.
    package func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        if state.withLock({ $0.request() && enter(&$0) }) { run() }
    }

    /// Takes a place among the running calls, before another thread can end the call.
    private func enter(_ state: inout CallState) -> Bool {
        state.keep(place: RunningCalls.shared.add(self))
        return true
    }

    private func run() {
        NextStep(call: self).start(Attempt()) { self.end($0) }
    }

    package func cancel() {
        let (teardown, untold) = state.withLockUnchecked { ($0.end(), $0.takeSubscriber()) }
        // A publisher's subscriber that has yet to be told of a cancel of all calls is not told any more.
        defer { (teardown?.subscriber ?? untold)?.receiveCancel() }
        guard let teardown else { return }
        leave(teardown)
        stop(teardown)
        if let report = teardown.report { reportFailure(CancellationError(), report) }
    }
}

// MARK: Waiting

extension Call {
    var isRunning: Bool { !state.withLock { $0.isOver } }

    /// Tells the stubs of a wait, for their list.
    package func noteWait(for reason: CallScope.WaitReason, of duration: Duration) {
        anyStandIn?.noteWait(for: reason, of: duration)
    }

    /// Starts a wait, unless the call is over. It replaces the last one, and is canceled with the call.
    package func wait(_ start: () -> CallState.Waiting?) {
        guard let (number, last) = state.withLock({ $0.beginWait() }) else { return }
        withExtendedLifetime(last) {}
        guard let waiting = start(), !state.withLockUnchecked({ $0.keep(waiting, number: number) }) else { return }
        waiting.cancel()
    }

    /// Starts an exchange, unless the call is over. It replaces the last wait, and is canceled with the call.
    func start(_ exchange: Exchange) {
        let (isWanted, last) = state.withLockUnchecked { $0.keep(exchange) }
        withExtendedLifetime(last) {}
        if isWanted { exchange.request(.unlimited) }
    }

    /// Waits for the first value of a publisher; `nil` for an end without one. An upstream may continue afterwards, and
    /// is canceled with the attempt.
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

    /// Cancels the publisher of an attempt that is sent again with another token.
    private func replaceUpstream(by next: any Cancellable) {
        let last = state.withLockUnchecked { state in
            defer { state.upstream = next }
            return state.upstream
        }
        last?.cancel()
    }

    func keepDeadline(_ wait: CallWait) {
        state.withLock { $0.keep(deadline: wait) }?.cancel()
    }
}

// MARK: The end

extension Call {
    private func end(_ result: Result<AttemptResponse?, any Error>) {
        switch result {
        case .success(let reply?): deliver(reply)
        case .success(nil): complete(.finished)
        case .failure(let error): complete(.failure(shown(error))) { self.api.record($0) }
        }
    }

    private func deliver(_ reply: AttemptResponse) {
        // Among the running work before the call can no longer be interrupted.
        let body = reply.stream.map { _ in CancelableSeries(of: api, in: scope) }
        guard let (subscriber, ended) = state.withLock({ $0.deliver(reply.whole, body) }) else { return }
        record(.success(reply))
        // A stream ends with its body.
        if let ended, reply.stream == nil { tell(.ended(timings(of: ended))) }
        if case .task(let task) = subscriber {
            task?.resume(returning: AwaitedResponse(response: reply.whole, call: self))
            return
        }
        if isStream, reply.stream == nil {
            return complete(.failure(api.refusal(HTTPFailure(reply.whole.tuple).removing(secrets))))
        }
        do {
            let stream = body.flatMap { body in reply.stream.map { followed($0, in: body) } }
            let response = AttemptResponse(whole: reply.whole, stream: stream)
            _ = try Delivery.run(of: self) { try subscriber.receive(response) }
        } catch {
            return complete(.failure(shown(error)))
        }
        complete(.finished)
    }

    /// The task that has awaited the response has read it.
    func hasBeenRead() { complete(.finished) }

    /// Ends the call, unless it is over. An error of its own is recorded before the subscriber gets it.
    private func complete(_ completion: Subscribers.Completion<any Error>, record: ((any Error) -> Void)? = nil) {
        guard let teardown = state.withLock({ $0.end() }) else { return }
        if let record, case .failure(let error) = completion { record(error) }
        leave(teardown)
        teardown.deadline?.cancel()
        finish(teardown, completion)
        teardown.upstream?.cancel()
    }

    private func finish(_ teardown: CallState.Teardown, _ completion: Subscribers.Completion<any Error>) {
        if let report = teardown.report {
            if case .failure(let error) = completion {
                reportFailure(error, report)
            } else {
                reportFailure(RequestError.noValue, report)
            }
        }
        teardown.subscriber?.receive(completion: completion)
    }

    private func stop(_ teardown: CallState.Teardown) {
        teardown.deadline?.cancel()
        teardown.waiting?.cancel()
        teardown.upstream?.cancel()
        // Now, and not with the last reference: an override may still run.
        teardown.hold?.release()
    }

    private func leave(_ teardown: CallState.Teardown) {
        if let place = teardown.place { RunningCalls.shared.remove(place) }
    }

    /// Ends the call at its deadline, or at that of a call for which it was sent.
    package func expire(with other: (any Error)? = nil) {
        let error = other ?? timeout
        guard var teardown = state.withLock({ $0.expire() }) else { return }
        leave(teardown)
        if settings.retry.mostAttempts > 1 { teardown.report?.stopReason = .deadline }
        stop(teardown)
        finish(teardown, .failure(error))
    }

    /// Whether somebody waits for the response that is being delivered.
    var isAwaited: Bool { state.withLock { $0.isAwaited } }
}

extension Call: CancelableWork {
    var scopeOwner: AnyObject? { scope?.standInOwner }

    func cancelWithAll() -> () -> Void {
        let (teardown, body) = state.withLock { ($0.interrupt(), $0.body) }
        let endBody = body?.cancelWithAll()
        if let teardown { leave(teardown) }
        return { [self] in
            endBody?()
            guard var teardown else { return }
            stop(teardown)
            teardown.subscriber = state.withLockUnchecked { $0.takeSubscriber() }
            finish(teardown, .failure(CancellationError()))
        }
    }
}
