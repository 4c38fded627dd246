import Dispatch
import Locking

/// The clock of ``ExchangeLimits/total``: runs only while a hop has its turn, and goes through all hops of a chain.
final class ExchangeClock: Sendable {
    private let state: Locked<(used: UInt64, since: UInt64?)> = Locked((0, nil))

    /// Starts the clock and returns what it has shown so far, in nanoseconds.
    func start(at now: UInt64) -> UInt64 {
        state.withLock { state in
            state.since = now
            return state.used
        }
    }

    /// Stops the clock until the next hop has its turn.
    func stop(at now: UInt64) {
        state.withLock { state in
            guard let since = state.since else { return }
            state.used += now - min(since, now)
            state.since = nil
        }
    }
}

/// The time that does not jump, in nanoseconds.
func monotonicNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

extension Duration {
    /// The duration in nanoseconds, rounded up to whole milliseconds; nothing below zero, at most a hundred years.
    var nanosecondsRoundedUp: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let whole = UInt64(min(seconds, 3_155_760_000)) * 1_000
        return (whole + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)) * 1_000_000
    }
}
