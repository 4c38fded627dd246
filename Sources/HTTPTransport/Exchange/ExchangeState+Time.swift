// The clocks of an exchange and of its hops: see `Deadlines`.

extension ExchangeState {
    /// The hop has its turn. The task's properties are final from now on.
    mutating func began(_ task: any EngineTask, at now: UInt64) -> Action {
        guard isCurrent(task) else { return Action() }
        report.began = now
        phase = task.reportsConnection ? .connect : request.body.isEmpty ? .head : .send
        backPressure = BackPressure(canPause: task.canPause)
        guard !task.appliesTimeLimits else { return Action() }
        let earlier = (request.context?.elapsed ?? elapsed).nanosecondsRoundedUp
        deadlines = Deadlines(
            request.limits,
            reportsConnection: task.reportsConnection,
            at: now,
            elapsed: earlier
        )
        since = now
        return Action(deadline: deadlines?.next)
    }

    mutating func waits(_ task: any EngineTask, at now: UInt64) {
        guard isCurrent(task) else { return }
        deadlines = nil
        stopClock(at: now)
    }

    mutating func connected(_ task: any EngineTask, at now: UInt64) {
        guard isCurrent(task) else { return }
        deadlines?.noteActivity(at: now)
        deadlines?.connected()
        if phase == .connect { phase = request.body.isEmpty ? .head : .send }
    }

    /// Stops the clock of the whole exchange until the next hop has its turn.
    mutating func stopClock(at now: UInt64) {
        guard let since = since.take() else { return }
        let time = Duration.nanoseconds(now - min(since, now))
        if let context = request.context { context.addElapsed(time) } else { elapsed += time }
    }

    /// Keeps the engine that is to be told of the end of the exchange.
    mutating func claim(by owner: any ExchangeOwner, isOpen: Bool) -> ExchangeClaim {
        if self.owner === owner { return .admitted(isNew: false) }
        guard isOpen else { return .refused }
        guard let reading, !reading.isOfOneHop else { return .admitted(isNew: false) }
        self.owner = owner
        return .admitted(isNew: true)
    }

    /// Whether to pause or resume the hop; nil if there is nothing to change, or if another thread is changing it.
    ///
    /// The thread that gets a value asks again after acting on it, so that two threads cannot act in the wrong order.
    mutating func nextPause(of task: any EngineTask, at now: UInt64, continuing: Bool) -> Bool? {
        guard task === self.task else { return nil }
        let queued = completion == nil ? events.bytes : 0
        guard let pause = backPressure.next(queued: queued, continuing: continuing) else { return nil }
        deadlines?.noteActivity(at: now)
        return pause
    }

    /// Fails the hop if a deadline is over, or sets the next one.
    mutating func deadlineReached(at now: UInt64) -> Action {
        guard reading != nil, completion == nil else { return Action() }
        if backPressure.isPaused { deadlines?.noteActivity(at: now) }
        switch deadlines?.check(at: now) {
        case .expired(let reason)?: return fail(reason, at: now)
        case .isNotDrained?: return abandon(with: nil, at: now)
        case .checkAgain(let deadline)?: return Action(deadline: deadline)
        case .noDeadline?, nil: return Action()
        }
    }

    /// Keeps the later of two tokens, since the deadline of the other has been reached. Returns the one to cancel.
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
