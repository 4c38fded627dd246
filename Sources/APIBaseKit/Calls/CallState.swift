import HTTPTransport

/// What is known of one subscription to a call.
struct CallState {
    private(set) var downstream: Call.Downstream?
    var demand = Subscribers.Demand.none
    /// The number of the attempt, from 1.
    private(set) var attempt = 0
    private(set) var upstream: (any Subscription)?
    /// The wait for the next attempt.
    var wait: CallWait?
    /// The wait for the end of the call's time.
    var deadline: CallWait?
    private(set) var isOver = false
    /// Whether a thread starts attempts, and whether it is to start another.
    private var (isStarting, isWanted) = (false, false)

    /// What the attempt has sent.
    var request: URLRequest?
    /// How far the attempt has come.
    var phase = TransportError.Phase.request
    /// What it has taken so far.
    var times = CallTimes()
    /// The reply, once it is whole.
    private(set) var reply: APIBase.DataResponseTuple?
    /// Why the call was not tried again.
    var refusal: RetryRefusal?
    /// Whether the end has been reported.
    private var isReported = false

    init(_ downstream: Call.Downstream) {
        self.downstream = downstream
    }

    func isCurrent(_ number: Int) -> Bool { number == attempt && !isOver }
}

// MARK: Attempts

extension CallState {
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
        isWanted = false
        wait = nil
        attempt += 1
        (request, phase, times, reply, refusal) = (nil, .request, CallTimes(), nil, nil)
        return attempt
    }

    /// Takes the subscription of an attempt and returns what to ask it for; nil if it is not wanted.
    mutating func adopt(_ subscription: any Subscription, from number: Int) -> Subscribers.Demand? {
        guard isCurrent(number) else { return nil }
        upstream = subscription
        return demand
    }

    /// Ends the attempt, so that another may follow; returns what it leaves behind.
    ///
    /// - Parameter reply: What the attempt has brought, if it has.
    mutating func endAttempt(_ reply: APIBase.DataResponseTuple?) -> CallState {
        self.reply = reply
        let last = self
        upstream = nil
        return last
    }

    /// What gets the reply; and the state for the report of the end, the first time.
    mutating func deliver(_ reply: APIBase.DataResponseTuple) -> (Call.Downstream?, CallState?) {
        guard !isOver else { return (nil, nil) }
        if demand > .none { demand -= .max(1) }
        self.reply = reply
        guard !isReported else { return (downstream, nil) }
        let ended = self
        isReported = true
        return (downstream, ended)
    }
}

// MARK: The end

extension CallState {
    /// Ends the call and returns what it leaves behind: to be let go of outside the lock.
    mutating func end() -> CallState {
        let last = self
        isOver = true
        (downstream, upstream, wait, deadline, reply, request) = (nil, nil, nil, nil, nil, nil)
        return last
    }

    /// Ends the call unless its value has been delivered, or is being so.
    mutating func expire() -> CallState? { isOver || isReported ? nil : end() }

    /// Whether the end is still to be reported.
    var isToReport: Bool { !isReported }

    /// Stops what still goes on.
    func stop(upstream stopsUpstream: Bool = true) {
        wait?.cancel()
        deadline?.cancel()
        if stopsUpstream { upstream?.cancel() }
    }
}
