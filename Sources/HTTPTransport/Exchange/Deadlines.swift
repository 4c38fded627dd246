/// The deadlines of one hop.
struct Deadlines {
    /// The result of a look at the clock.
    enum Finding: Equatable {
        case nothing
        /// The next deadline.
        case again(UInt64)
        case expired(TransportError.Reason)
    }

    private let limits: ExchangeLimits
    private let connectBy: UInt64?
    private let doneBy: UInt64?
    private var lastMove: UInt64
    private var isConnected = false

    /// Starts the clocks. Without an engine that tells when the connection stands, connecting has no time of its own. `used` is
    /// what the clock of the whole exchange had shown before.
    init(_ limits: ExchangeLimits, seesConnection: Bool, at now: UInt64, used: UInt64) {
        self.limits = limits
        lastMove = now
        connectBy = seesConnection ? limits.connect.map { now + $0.nanosecondsRoundedUp } : nil
        doneBy = limits.total.map { now + $0.nanosecondsRoundedUp - min(used, $0.nanosecondsRoundedUp) }
    }

    /// Notes that something has moved.
    mutating func moved(at now: UInt64) {
        lastMove = now
    }

    /// Notes that the connection stands.
    mutating func connected() {
        isConnected = true
    }

    /// The earliest deadline; nil if there is none.
    var next: UInt64? {
        var next = doneBy ?? .max
        if let connectBy, !isConnected { next = min(next, connectBy) }
        if let idleBy { next = min(next, idleBy) }
        return next == .max ? nil : next
    }

    /// The limit that has expired, or else the time at which to check again.
    func check(at now: UInt64) -> Finding {
        if let doneBy, now >= doneBy, let limit = limits.total {
            return .expired(.timedOut(which: .total, after: limit))
        }
        if !isConnected, let connectBy, now >= connectBy, let limit = limits.connect {
            return .expired(.timedOut(which: .connect, after: limit))
        }
        if let idleBy, now >= idleBy, let limit = limits.idle {
            return .expired(.timedOut(which: .idle, after: limit))
        }
        return next.map(Finding.again) ?? .nothing
    }

    private var idleBy: UInt64? {
        limits.idle.map { lastMove + $0.nanosecondsRoundedUp }
    }
}
