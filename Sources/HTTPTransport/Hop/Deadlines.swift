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
    let seesConnection: Bool
    private var connectBy: UInt64?
    private var doneBy: UInt64?
    private var lastMove: UInt64 = 0
    private(set) var hasBegun = false
    private var isConnected = false

    /// - Parameters:
    ///   - limits: How much time there is.
    ///   - seesConnection: Whether the engine tells when the connection stands; otherwise connecting has no time of its own.
    init(_ limits: ExchangeLimits, seesConnection: Bool) {
        self.limits = limits
        self.seesConnection = seesConnection
    }

    /// Starts the clocks. `used` is what the clock of the whole exchange had shown before.
    mutating func begin(at now: UInt64, used: UInt64) {
        hasBegun = true
        lastMove = now
        if seesConnection { connectBy = limits.connect.map { now + $0.nanosecondsRoundedUp } }
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
        return next.map(Finding.again) ?? .nothing
    }

    private var idleBy: UInt64? {
        limits.idle.map { lastMove + $0.nanosecondsRoundedUp }
    }
}
