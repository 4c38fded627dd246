import Dispatch

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
