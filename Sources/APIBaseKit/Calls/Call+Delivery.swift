import Basics

extension Call {
    fileprivate func leaveGate(after result: Result<CallReply, any Error>) {
        guard line != nil else { return }
        let (pass, outcome) = state.withLock { ($0.takePass(), $0.storedOutcome) }
        // A stored reply says nothing of the server itself.
        pass?.leave(outcome.map { GatePass.End(outcome: $0) } ?? GatePass.End(result))
    }
}

/// The subscriber of one attempt.
struct AttemptSubscriber: Subscriber {
    let call: Call
    let number: Int

    var combineIdentifier: CombineIdentifier { CombineIdentifier(call) }

    func receive(subscription: any Subscription) { call.receive(subscription, from: number) }
    func receive(_ reply: AttemptReply) -> Subscribers.Demand { call.receive(reply, from: number) }
    func receive(completion: Subscribers.Completion<any Error>) { call.receive(completion, from: number) }
}

extension Call {
    fileprivate func receive(_ subscription: any Subscription, from number: Int) {
        guard let demand = state.withLock({ $0.adopt(subscription, from: number) }) else {
            return subscription.cancel()
        }
        if demand > .none { subscription.request(demand) }
    }

    fileprivate func receive(_ reply: AttemptReply, from number: Int) -> Subscribers.Demand {
        guard state.withLock({ $0.isCurrent(number) }) else { return .none }
        note(reply.whole)
        leaveGate(after: .success(reply.whole))
        if reply.head.statusCode >= 400, tryAgain(after: .success(reply.whole), from: number) { return .none }
        let (downstream, ended) = state.withLock { $0.deliver(reply.whole) }
        // A stream ends with its body.
        if let ended, reply.stream == nil { api.report(.ended(timings(of: ended))) }
        if isStream, reply.stream == nil {
            end(.failure(api.refusal(HTTPFailure(reply.whole.tuple))))
            return .none
        }
        do {
            let stream = reply.stream.map(followed)
            let more = try downstream?.receive(AttemptReply(whole: reply.whole, stream: stream)) ?? .none
            state.withLock { $0.demand += more }
            return more
        } catch {
            refuse(with: error)
            return .none
        }
    }

    func receive(_ completion: Subscribers.Completion<any Error>, from number: Int) {
        guard state.withLock({ $0.isCurrent(number) }) else { return }
        if case .failure(let error) = completion {
            leaveGate(after: .failure(error))
            api.note(error)
            if tryAgain(after: .failure(error), from: number) { return }
        }
        end(completion)
    }

    /// The reply is not accepted: what would come after it is not wanted.
    private func refuse(with error: any Error) {
        guard let remains = state.withLock({ $0.end() }) else { return }
        remains.stop()
        finish(remains, .failure(error))
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        guard let remains = state.withLock({ $0.end() }) else { return }
        remains.deadline?.cancel()
        finish(remains, completion)
    }

    func finish(_ remains: CallState.Remains, _ completion: Subscribers.Completion<any Error>) {
        if let report = remains.report {
            if case .failure(let error) = completion {
                reportFailure(error, report)
            } else {
                reportFailure(RequestError.noValue, report)
            }
        }
        remains.downstream?.receive(completion: completion)
    }

    /// Stores the head of a reply where the request object and its caller find it.
    private func note(_ reply: CallReply) {
        api.lastAttempt.withLock { attempt in
            attempt.head = reply.head
            if attempt.takenBody != nil, reply.head.statusCode >= 300 {
                attempt.takenBody?.failure = RequestError.httpFailure(HTTPFailure(reply.tuple))
            }
        }
        context.recorder?.head.withLock { $0 = reply.head }
    }
}

// MARK: Another attempt

extension Call {
    /// Whether another attempt follows this one.
    private func tryAgain(after result: Result<CallReply, any Error>, from number: Int) -> Bool {
        guard retry.attempts > 1, let request = state.withLock({ $0.isReported ? nil : $0.report.request }) else {
            return false
        }
        let delay: Duration
        switch nextDelay(after: result, of: request, number: number) {
        case .success(let found): delay = found
        case .failure(let refusal):
            state.withLock { $0.report.refusal = refusal.reason }
            return false
        }
        guard let (upstream, report) = state.withLock({ $0.endAttempt(result) }) else { return true }
        // Before the cancel, in which the call may be ended by what stands around the attempt.
        tell(of: report.request) { _ in .retrying(timings(of: report), after: delay) }
        upstream?.cancel()
        let wait = clock.wait(delay) { self.startAttempts() }
        guard let wait else {
            startAttempts()
            return true
        }
        keep(wait, as: \.wait)
        return true
    }
}
