// The clocks of an exchange: see `Deadlines`.

extension ExchangeState {
    /// The hop has its turn. What its task can do is known from now on.
    mutating func began(_ task: any EngineTask, at now: UInt64) -> Action {
        guard hears(task) else { return Action() }
        report.began = now
        phase = task.seesConnection ? .connect : request.body.isEmpty ? .head : .send
        pausing = Pausing(canPause: task.canPause)
        guard !task.keepsTime else { return Action() }
        let used = (request.context?.spent ?? spent).nanosecondsRoundedUp
        let deadlines = Deadlines(request.limits, seesConnection: task.seesConnection, at: now, used: used)
        self.deadlines = deadlines
        since = now
        return Action(deadline: deadlines.next)
    }

    mutating func connected(_ task: any EngineTask, at now: UInt64) {
        guard hears(task) else { return }
        deadlines?.moved(at: now)
        deadlines?.connected()
        if phase == .connect { phase = request.body.isEmpty ? .head : .send }
    }

    /// Stops the clock of the whole exchange until the next hop has its turn.
    mutating func stopClock(at now: UInt64) {
        guard let since = since.take() else { return }
        let time = Duration.nanoseconds(now - min(since, now))
        if let context = request.context { context.spend(time) } else { spent += time }
    }

    /// Notes the engine that carries the exchange, which is to be told of its end; false if it need not be.
    mutating func carry(by carrier: any ExchangeCarrier) -> Bool {
        guard let reading, !reading.isOfOneHop else { return false }
        self.carrier = carrier
        return true
    }

    /// Whether to pause the hop or to let it go on; nil if it is as it should be, or another thread sees to it.
    ///
    /// The thread that got an answer asks again after acting on it, so that two threads cannot act in the wrong order.
    mutating func nextPause(of task: any EngineTask, at now: UInt64, continuing: Bool) -> Bool? {
        guard task === self.task else { return nil }
        let queued = completion == nil ? events.bytes : 0
        guard let pause = pausing.next(queued: queued, continuing: continuing) else { return nil }
        deadlines?.moved(at: now)
        return pause
    }

    /// A deadline may be over: the hop fails, or another deadline is to be set.
    mutating func deadlineReached(at now: UInt64) -> Action {
        guard reading != nil, completion == nil else { return Action() }
        if pausing.isPaused { deadlines?.moved(at: now) }
        switch deadlines?.check(at: now) {
        case .expired(let reason)?: return fail(reason, at: now)
        case .again(let deadline)?: return Action(deadline: deadline)
        case .nothing?, nil: return Action()
        }
    }

    /// Keeps the later of two tokens, since the other one's deadline has been reached, and returns the one to cancel.
    mutating func keep(_ token: DeadlineTimer.Token) -> DeadlineTimer.Token? {
        guard reading != nil, completion == nil else { return token }
        guard let kept = alarm else {
            alarm = token
            return nil
        }
        alarm = max(kept, token)
        return min(kept, token)
    }
}
