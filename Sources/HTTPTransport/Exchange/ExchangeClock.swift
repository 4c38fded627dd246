import Dispatch

/// The clock of ``ExchangeLimits/total``: runs only while a hop has its turn, and goes through all hops of an exchange.
struct ExchangeClock {
    private var used: UInt64 = 0
    private var since: UInt64?

    /// Starts the clock and returns what it has shown so far, in nanoseconds.
    mutating func start(at now: UInt64) -> UInt64 {
        since = now
        return used
    }

    /// Stops the clock until the next hop has its turn.
    mutating func stop(at now: UInt64) {
        guard let since else { return }
        used += now - min(since, now)
        self.since = nil
    }
}

/// The time that does not jump, in nanoseconds.
package func monotonicNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

extension Duration {
    /// The duration in nanoseconds, rounded up to whole milliseconds; nothing below zero, at most a hundred years.
    package var nanosecondsRoundedUp: UInt64 {
        // Before it is taken apart: more seconds than an `Int64` has would end the process.
        let (seconds, attoseconds) = min(max(.zero, self), .seconds(3_155_760_000)).components
        let whole = UInt64(seconds) * 1_000
        return (whole + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)) * 1_000_000
    }
}
