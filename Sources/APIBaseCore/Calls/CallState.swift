import HTTPTransport

/// The state of one subscription to a call. Each attempt that is sent makes an exchange: a request and its response.
package struct CallState {
    package enum Waiting {
        /// A time, a place, or another call.
        case time(CallWait)
        /// Work for the call, such as an exchange.
        case work(any Cancellable)

        func cancel() {
            switch self {
            case .time(let wait): wait.cancel()
            case .work(let work): work.cancel()
            }
        }
    }

    private(set) var subscriber: CallSubscriber?
    /// Whether the call has begun, and whether its response has been requested.
    private var (hasBegun, isRequested) = (false, false)
    private(set) var isOver = false
    /// The place among the running calls.
    private var place: Int?
    private var isDelivering = false
    /// Whether all calls were canceled while its response was being delivered.
    private var isInterrupted = false
    /// The body of the delivered response, also when the call has ended: a cancel of all calls that began before the
    /// delivery finds the body only here.
    private(set) weak var body: CancelableSeries?
    /// Whether the end has been reported, or another call reports it.
    package var isReported = false

    private var waiting: Waiting?
    /// The number of the last wait.
    private var waits = 0
    /// The API's publisher around the exchange, which may continue after its response.
    var upstream: (any Cancellable)?
    private var deadline: CallWait?

    /// The facts to report about the attempt.
    package var report = Report(attempt: 1)
    /// The secrets of the requests so far, once an error has asked for them.
    private var secrets: RequestSecrets?
    /// The phase that the attempt has reached.
    package var phase = TransportError.Phase.request
    /// The health of the server, if the result of the attempt does not show it: after a stored response or a failed
    /// refresh.
    package var server: ServerOutcome?
    /// The permits that the attempt holds; `nil` if they are those of the code that has made the call.
    private(set) var permits: [any HeldPermit]?
    /// The resource that the attempt holds until it or the call ends, such as a permit.
    private var hold: (any AttemptHold)?

    init(_ subscriber: CallSubscriber) {
        self.subscriber = subscriber
    }

    /// Whether somebody waits for the response.
    var isAwaited: Bool { !isOver && !isInterrupted }

    /// Whether the call runs, waits, or has ended.
    var standing: CallStanding {
        if isOver { return .ended }
        if case .time = waiting { return .waiting }
        return .running
    }
}

// MARK: Beginning and waiting

extension CallState {
    /// The subscriber has the subscription. True if the attempts begin now.
    mutating func begin() -> Bool {
        hasBegun = true
        return isRequested && !isOver
    }

    /// A task waits for the response, which begins the call; false if it is over.
    mutating func begin(for task: UnsafeContinuation<AwaitedResponse, any Error>) -> Bool {
        guard !isOver else { return false }
        (subscriber, hasBegun, isRequested) = (.task(task), true, true)
        return true
    }

    /// The response is requested. True if the attempts begin now.
    mutating func request() -> Bool {
        defer { isRequested = true }
        return hasBegun && !isRequested && !isOver
    }

    /// Keeps the place of a call that begins.
    mutating func keep(place: Int) { self.place = place }

    /// Keeps an exchange, which replaces the last wait.
    ///
    /// - Returns: False if the call is over, and the last wait, to be released outside the lock.
    mutating func keep(_ exchange: Exchange) -> (isWanted: Bool, last: Waiting?) {
        guard !isOver else { return (false, nil) }
        waits += 1
        defer { waiting = .work(exchange) }
        return (true, waiting)
    }

    /// Begins a wait, which replaces the last one.
    ///
    /// - Returns: The number of the wait, and the last wait, to be released outside the lock; `nil` if the call is over.
    mutating func beginWait() -> (number: Int, last: Waiting?)? {
        guard !isOver else { return nil }
        waits += 1
        return (waits, waiting.take())
    }

    /// Keeps a wait, unless another has begun.
    ///
    /// - Returns: False if the call is over.
    mutating func keep(_ waiting: Waiting, number: Int) -> Bool {
        if number == waits, !isOver { self.waiting = waiting }
        return !isOver
    }

    /// Keeps the wait for the deadline, and returns the one to cancel: a later one, or this one if the call is over.
    mutating func keep(deadline: CallWait) -> CallWait? {
        guard !isOver else { return deadline }
        defer { self.deadline = deadline }
        return self.deadline
    }

    /// Keeps what an attempt holds, and the permits that its code holds; false if the call is over.
    package mutating func keep(_ hold: any AttemptHold, permits: [any HeldPermit]) -> Bool {
        if !isOver { (self.hold, self.permits) = (hold, permits) }
        return !isOver
    }

    /// Forgets what an attempt holds.
    ///
    /// - Returns: What it has held, and the health of the server if the result does not show it.
    package mutating func endHold() -> (hold: (any AttemptHold)?, server: ServerOutcome?) {
        permits = nil
        return (hold.take(), server)
    }
}

// MARK: Attempts

extension CallState {
    /// Begins another attempt.
    ///
    /// - Returns: What the last one has left, to be released outside the lock.
    mutating func beginAttempt(_ number: Int) -> (Waiting?, Report) {
        defer {
            let earlier = sentRequests
            (report, phase, server, waiting) = (Report(attempt: number, earlier: earlier), .request, nil, nil)
        }
        return (waiting, report)
    }

    /// The attempt has this request now. Those that were sent before it stay known.
    package mutating func replaceRequest(by request: URLRequest) {
        report.earlier = sentRequests
        (report.request, secrets) = (request, nil)
    }

    /// The attempt waits for credentials, and begins anew with them.
    mutating func awaitCredentials() { (report.earlier, phase) = (sentRequests, .credentials) }

    /// The requests that were sent; of many, the last ones.
    private var sentRequests: [URLRequest] {
        guard ![.request, .credentials].contains(phase), let request = report.request else { return report.earlier }
        return Array((report.earlier + [request]).suffix(16))
    }

    /// The requests of this call are those of an equal one, which has been sent for it.
    package mutating func takeRequests(of other: Report) {
        (report.request, report.earlier, report.redirects) = (other.request, other.earlier, other.redirects)
        secrets = nil
    }

    /// The secrets of the requests so far.
    mutating func secrets(_ secretHeaders: Set<String>) -> RequestSecrets {
        if let secrets { return secrets }
        let requests = report.otherRequests + (report.request.map { [$0] } ?? [])
        let made = RequestSecrets(of: requests, secretHeaders: secretHeaders)
        secrets = made
        return made
    }

    /// Ends an attempt that is followed by another.
    ///
    /// - Returns: Its report, and the publisher to cancel; `nil` if the call is over.
    mutating func endAttempt(_ result: Result<AttemptResponse?, any Error>) -> (Report, (any Cancellable)?)? {
        guard !isOver else { return nil }
        switch result {
        case .success(let reply): report.reply = reply?.whole
        case .failure(let error): report.error = error
        }
        return (report, upstream.take())
    }

    /// Marks the response as delivered.
    ///
    /// - Returns: The subscriber, and the report of the end unless it has been made; `nil` if the call is over.
    mutating func deliver(_ reply: CallResponse, _ body: CancelableSeries?) -> (CallSubscriber, Report?)? {
        guard !isOver, let subscriber else { return nil }
        report.reply = reply
        self.body = body
        // A task is told once.
        if case .task = subscriber { self.subscriber = nil }
        defer { (isReported, isDelivering) = (true, true) }
        return (subscriber, isReported ? nil : report)
    }
}

// MARK: The end

extension CallState {
    /// The facts to report about an attempt.
    package struct Report {
        var attempt: Int
        /// The requests that the call has sent before.
        var earlier: [URLRequest] = []
        /// The request that was sent; `nil` if none was built.
        var request: URLRequest?
        var times = CallTimes()
        /// The wait at the gate.
        package var gate: Duration?
        /// The wait for credentials.
        var credentials: Duration?
        package var cacheOutcome: CacheOutcome?
        package var redirects: [CallTimings.FollowedRedirect] = []
        /// The requests that were sent besides the last one.
        var otherRequests: [URLRequest] { redirects.isEmpty ? earlier : earlier + redirects.map(\.next) }
        /// The complete response.
        var reply: CallResponse?
        /// Whether the attempt has failed because its token was missing.
        var isRefreshFailed = false
        var error: (any Error)?
        /// Why there is no other attempt.
        var stopReason: RetryPolicy.StopReason?
    }

    /// The parts of an ended call, to be canceled and released outside the lock.
    struct Teardown {
        var place: Int?
        var subscriber: CallSubscriber?
        var waiting: Waiting?
        var upstream: (any Cancellable)?
        var deadline: CallWait?
        var hold: (any AttemptHold)?
        /// The report of the end; `nil` if it has been made.
        var report: Report?
    }

    /// Ends the call; `nil` if it has ended.
    mutating func end() -> Teardown? {
        guard !isOver else { return nil }
        // A task that was canceled before it waited has started nothing.
        if case .task(nil) = subscriber { isReported = true }
        defer { (isOver, report.reply, permits) = (true, nil, nil) }
        return Teardown(
            place: place.take(),
            subscriber: subscriber.take(),
            waiting: waiting.take(),
            upstream: upstream.take(),
            deadline: deadline.take(),
            hold: hold.take(),
            report: isReported ? nil : report
        )
    }

    /// Ends the call, unless its response is delivered.
    mutating func expire() -> Teardown? { isDelivering ? nil : end() }

    /// Ends the call, unless its response is being delivered: that is decoded no further. The subscriber stays until it
    /// is told.
    mutating func interrupt() -> Teardown? {
        isInterrupted = true
        guard !isDelivering, var teardown = end() else { return nil }
        subscriber = teardown.subscriber.take()
        return teardown
    }

    mutating func takeSubscriber() -> CallSubscriber? { subscriber.take() }
}
