/// The deadlines of one exchange.
struct ExchangePace {
    enum Finding {
        case nothing
        case again(UInt64)
        case expired(TransportError.Reason)
    }

    private let limits: ExchangeLimits
    private var connectBy: UInt64?
    private var doneBy: UInt64?
    private var lastMove: UInt64 = 0

    var hasBegun = false
    var isConnected = false
    var seesConnection = false
    var alarm: Timekeeper.Alarm?

    init(_ limits: ExchangeLimits) {
        self.limits = limits
    }

    /// Starts the clocks; `used` is what the total clock had shown before.
    mutating func begin(at now: UInt64, used: UInt64) {
        hasBegun = true
        lastMove = now
        if seesConnection { connectBy = limits.connect.map { now + $0.nanosecondsRoundedUp } }
        doneBy = limits.total.map { now + $0.nanosecondsRoundedUp - min(used, $0.nanosecondsRoundedUp) }
    }

    mutating func moved(at now: UInt64) {
        lastMove = now
    }

    /// The earliest deadline; nil if there is none.
    var nextDeadline: UInt64? {
        [isConnected ? nil : connectBy, idleBy, doneBy].compactMap(\.self).min()
    }

    func check(at now: UInt64) -> Finding {
        guard hasBegun else { return .nothing }
        if let doneBy, now >= doneBy, let limit = limits.total {
            return .expired(.timedOut(which: .total, after: limit))
        }
        if !isConnected, let connectBy, now >= connectBy, let limit = limits.connect {
            return .expired(.timedOut(which: .connect, after: limit))
        }
        if let idleBy, now >= idleBy, let limit = limits.idle {
            return .expired(.timedOut(which: .idle, after: limit))
        }
        return nextDeadline.map(Finding.again) ?? .nothing
    }

    private var idleBy: UInt64? {
        limits.idle.map { lastMove + $0.nanosecondsRoundedUp }
    }
}
