import HTTPTransport

/// The state of one subscription to a call.
struct CallState {
    private(set) var downstream: CallDownstream?
    var demand = Subscribers.Demand.none
    /// The number of the attempt, from 1.
    private(set) var attempt = 0
    private(set) var upstream: (any Subscription)?
    /// The wait for the next attempt.
    var wait: CallWait?
    /// The wait for the end of the call's time.
    var deadline: CallWait?
    /// The wait at the gate.
    var gate: CallWait?
    /// The place of the attempt inside the gate.
    private(set) var pass: GatePass?
    private(set) var isOver = false
    /// Whether the attempt is over, and the next has not begun.
    private var isBetween = false
    /// Whether the first attempt waits for a demand.
    private var isHeldBack = false
    /// Whether a thread starts attempts, and whether it is to start another.
    private var (isStarting, isWanted) = (false, false)

    /// The facts about the attempt that are to be reported.
    var report = Report()
    /// The phase that the attempt has reached.
    var phase = TransportError.Phase.request
    /// The outcome of the exchange with the server, where something else decides how the attempt ends: a stored reply, or the
    /// refresh of a token; `nil` otherwise.
    var storedOutcome: CircuitBreaker.Outcome?
    /// Whether the end has been reported.
    private(set) var isReported = false

    init(_ downstream: CallDownstream) {
        self.downstream = downstream
    }

    /// Whether the call runs, waits at the gate or for its next attempt, or has ended.
    var standing: CallStanding {
        if isOver { return .ended }
        return upstream == nil && (wait != nil || gate != nil && pass == nil) ? .waiting : .running
    }

    /// Whether the attempt goes on.
    func isCurrent(_ number: Int) -> Bool { number == attempt && !isBetween && !isOver }
}

// MARK: Attempts

extension CallState {
    /// Whether the first attempt may begin when the call does: only if a reply is asked for.
    mutating func mayBegin() -> Bool {
        isHeldBack = demand == .none
        return !isHeldBack
    }

    /// Whether the first attempt begins now that something is asked for.
    mutating func mayBeginLate() -> Bool {
        guard isHeldBack, demand > .none, !isOver else { return false }
        isHeldBack = false
        return true
    }

    /// Asks for an attempt; false if a thread is starting attempts already and will see to it.
    mutating func beginStarting() -> Bool {
        isWanted = true
        defer { isStarting = true }
        return !isStarting
    }

    /// The number of the next attempt; nil if none is wanted.
    mutating func nextAttempt() -> Int? {
        guard isWanted, !isOver else {
            isStarting = false
            return nil
        }
        (isWanted, isBetween) = (false, false)
        wait = nil
        attempt += 1
        (report, phase, storedOutcome) = (Report(attempt: attempt), .request, nil)
        return attempt
    }

    /// Takes the place of an attempt inside the gate; false if the attempt is not wanted any more.
    mutating func keep(_ pass: GatePass, from number: Int) -> Bool {
        guard isCurrent(number) else { return false }
        self.pass = pass
        return true
    }

    /// The refresh of a token has failed, for which the attempt has waited. That says nothing of the server itself.
    mutating func refreshFailed() { (report.isRefreshFailed, storedOutcome) = (true, .unknown) }

    /// Returns the place of an attempt that has its reply, or has failed.
    mutating func takePass() -> GatePass? { pass.take() }

    /// Takes the subscription of an attempt and returns what to ask it for; nil if it is not wanted.
    mutating func adopt(_ subscription: any Subscription, from number: Int) -> Subscribers.Demand? {
        guard isCurrent(number) else { return nil }
        upstream = subscription
        return demand
    }

    /// Ends the attempt, so that another may follow.
    ///
    /// - Parameter result: What the attempt has brought.
    /// - Returns: Its subscription, and what to report; nil if the call is over.
    mutating func endAttempt(_ result: Result<CallReply, any Error>) -> ((any Subscription)?, Report)? {
        guard !isOver else { return nil }
        isBetween = true
        switch result {
        case .success(let reply): report.reply = reply
        case .failure(let error): report.error = error
        }
        return (upstream.take(), report)
    }

    /// Counts the reply as delivered: returns the subscriber that gets it and, the first time, the report of the end.
    mutating func deliver(_ reply: CallReply) -> (CallDownstream?, Report?) {
        guard !isOver else { return (nil, nil) }
        if demand > .none { demand -= .max(1) }
        report.reply = reply
        defer { isReported = true }
        return (downstream, isReported ? nil : report)
    }
}

// MARK: The end

extension CallState {
    /// The facts about an attempt that are reported.
    struct Report {
        /// The number of the attempt.
        var attempt = 0
        /// The request that was sent; `nil` if none was built.
        var request: URLRequest?
        /// The times and byte counts of the exchanges.
        var times = CallTimes()
        /// The reply, once it is whole.
        var reply: CallReply?
        /// Whether the attempt has failed because there was no token for it.
        var isRefreshFailed = false
        /// The error of an attempt or a call without a reply.
        var error: (any Error)?
        /// Why the call is not tried again.
        var refusal: RetryRefusal?
    }

    /// The objects that a call leaves behind: to be let go of outside the lock.
    struct Remains {
        var downstream: CallDownstream?
        var upstream: (any Subscription)?
        var wait: CallWait?
        var deadline: CallWait?
        var gate: CallWait?
        var pass: GatePass?
        /// The report of the end; `nil` if it was made already.
        var report: Report?

        /// Stops what still goes on.
        func stop() {
            wait?.cancel()
            deadline?.cancel()
            gate?.cancel()
            upstream?.cancel()
        }
    }

    /// Ends the call; nil if it has ended.
    mutating func end() -> Remains? {
        guard !isOver else { return nil }
        defer { (isOver, report.reply) = (true, nil) }
        return Remains(
            downstream: downstream.take(),
            upstream: upstream.take(),
            wait: wait.take(),
            deadline: deadline.take(),
            gate: gate.take(),
            pass: pass.take(),
            report: isReported ? nil : report
        )
    }

    /// Ends the call unless its value has been delivered, or is being so.
    mutating func expire() -> Remains? { isReported ? nil : end() }
}
