/// The deadlines of one hop (one request on the wire; a redirect starts the next).
struct Deadlines {
    /// The result of a check.
    enum Decision: Equatable {
        case noDeadline
        /// The next deadline.
        case checkAgain(at: UInt64)
        case expired(TransportError.Reason)
        /// The rest of a redirect's body has not come.
        case isNotDrained
    }

    /// The longest wait for the rest of a redirect's body, in nanoseconds.
    private static let drainTime: UInt64 = 1_000_000_000

    private let limits: ExchangeRequest.Limits
    private let connectBy: UInt64?
    private let doneBy: UInt64?
    private var lastActivity: UInt64
    private var isConnected = false
    private var drainedBy: UInt64?

    /// Starts the clocks. The connect limit needs an engine that reports the connection. `elapsed` is the time of the
    /// earlier hops of the exchange.
    init(_ limits: ExchangeRequest.Limits, reportsConnection: Bool, at now: UInt64, elapsed: UInt64) {
        self.limits = limits
        lastActivity = now
        connectBy = reportsConnection ? limits.connect.map { now + $0.nanosecondsRoundedUp } : nil
        doneBy = limits.total.map { now + $0.nanosecondsRoundedUp - min(elapsed, $0.nanosecondsRoundedUp) }
    }

    /// Restarts the idle clock.
    mutating func noteActivity(at now: UInt64) {
        lastActivity = now
    }

    /// Stops the connect clock.
    mutating func connected() {
        isConnected = true
    }

    /// The response is a redirect that is followed.
    mutating func drain(at now: UInt64) {
        drainedBy = now + Self.drainTime
    }

    var next: UInt64? {
        var next = min(doneBy ?? .max, drainedBy ?? .max)
        if let connectBy, !isConnected { next = min(next, connectBy) }
        if let idleBy { next = min(next, idleBy) }
        return next == .max ? nil : next
    }

    /// The limit that has expired, or the time of the next check.
    func check(at now: UInt64) -> Decision {
        if let doneBy, now >= doneBy, let limit = limits.total {
            return .expired(.timedOut(which: .total, after: limit))
        }
        if let drainedBy, now >= drainedBy { return .isNotDrained }
        if !isConnected, let connectBy, now >= connectBy, let limit = limits.connect {
            return .expired(.timedOut(which: .connect, after: limit))
        }
        if let idleBy, now >= idleBy, let limit = limits.idle {
            return .expired(.timedOut(which: .idle, after: limit))
        }
        return next.map { .checkAgain(at: $0) } ?? .noDeadline
    }

    private var idleBy: UInt64? {
        limits.idle.map { lastActivity + $0.nanosecondsRoundedUp }
    }
}
