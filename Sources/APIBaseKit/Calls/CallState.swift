import HTTPTransport

/// The state of one subscription to a call.
struct CallState {
    /// What the call waits for.
    enum Waiting {
        /// A time, a place, or another call.
        case time(CallWait)
        /// Something that is at work for it.
        case work(any Cancellable)

        func cancel() {
            switch self {
            case .time(let wait): wait.cancel()
            case .work(let work): work.cancel()
            }
        }
    }

    private(set) var downstream: CallDownstream?
    /// Whether the call has begun, and whether its reply has been asked for.
    private var (hasBegun, isAskedFor) = (false, false)
    private(set) var isOver = false
    /// Whether the end has been reported, or is for another call to report.
    var isReported = false

    private var waiting: Waiting?
    /// The number of the last wait.
    private var waits = 0
    /// The publisher that an API has put around the exchange. It may go on when its reply has come.
    var upstream: (any Cancellable)?
    /// The wait for the end of the call's time.
    private var deadline: CallWait?

    /// The facts about the attempt that are to be reported.
    var report = Report(attempt: 1)
    /// The phase that the attempt has reached.
    var phase = TransportError.Phase.request
    /// What is known of the server, where something else decides how the attempt ends: a stored reply, or the refresh of a token;
    /// `nil` otherwise.
    var server: ServerOutcome?
    /// The places that the code of the attempt holds; `nil` where there are none but those that the call was made in.
    var places: [any HeldPlace]?

    init(_ downstream: CallDownstream) {
        self.downstream = downstream
    }

    /// Whether the call runs, waits at the gate or for its next attempt, or has ended.
    var standing: CallStanding {
        if isOver { return .ended }
        if case .time = waiting { return .waiting }
        return .running
    }
}

// MARK: Beginning and waiting

extension CallState {
    /// The subscriber knows of the call; true if its attempts begin now.
    mutating func begin() -> Bool {
        hasBegun = true
        return isAskedFor && !isOver
    }

    /// The reply is asked for; true if the attempts begin now.
    mutating func ask() -> Bool {
        defer { isAskedFor = true }
        return hasBegun && !isAskedFor && !isOver
    }

    /// Begins a wait, after which the one before is not waited for any more.
    ///
    /// - Returns: The number of the wait.
    mutating func beginWait() -> Int {
        waits += 1
        waiting = nil
        return waits
    }

    /// Keeps what is waited for, unless the call waits for something else by now.
    ///
    /// - Returns: False if the call is over, so that nothing is waited for.
    mutating func keep(_ waiting: Waiting, number: Int) -> Bool {
        if number == waits, !isOver { self.waiting = waiting }
        return !isOver
    }

    /// Keeps the wait for the end of the call's time; false if the call is over.
    mutating func keep(deadline: CallWait) -> Bool {
        if !isOver { self.deadline = deadline }
        return !isOver
    }
}

// MARK: Attempts

extension CallState {
    /// Another attempt begins.
    mutating func beginAttempt(_ number: Int) {
        (report, phase, server, waiting) = (Report(attempt: number), .request, nil, nil)
    }

    /// Ends an attempt that another follows, and returns what to report of it and to cancel; nil if the call is over.
    mutating func endAttempt(_ result: Result<AttemptReply?, any Error>) -> (Report, (any Cancellable)?)? {
        guard !isOver else { return nil }
        switch result {
        case .success(let reply): report.reply = reply?.whole
        case .failure(let error): report.error = error
        }
        return (report, upstream.take())
    }

    /// Counts the reply as delivered: returns the subscriber that gets it, and the report of the end unless that was made.
    mutating func deliver(_ reply: CallReply) -> (CallDownstream, Report?)? {
        guard !isOver, let downstream else { return nil }
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
        var attempt: Int
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
        var waiting: Waiting?
        var upstream: (any Cancellable)?
        var deadline: CallWait?
        /// The report of the end; `nil` if it was made already.
        var report: Report?
    }

    /// Ends the call; nil if it has ended.
    mutating func end() -> Remains? {
        guard !isOver else { return nil }
        defer { (isOver, report.reply, places) = (true, nil, nil) }
        return Remains(
            downstream: downstream.take(),
            waiting: waiting.take(),
            upstream: upstream.take(),
            deadline: deadline.take(),
            report: isReported ? nil : report
        )
    }

    /// Ends the call unless its value has been delivered, or is being so.
    mutating func expire() -> Remains? { isReported ? nil : end() }
}
