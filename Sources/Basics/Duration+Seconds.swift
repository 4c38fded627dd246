package import Foundation

extension Duration {
    /// A hundred years.
    package static var longest: Duration { .seconds(3_155_760_000) }

    /// The duration in seconds, at most a hundred years.
    package var inSeconds: TimeInterval {
        // Limited, since `components` traps if the seconds exceed an `Int64`.
        let (seconds, attoseconds) = min(max(.zero - .longest, self), .longest).components
        return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
    }

    /// Converts Foundation's seconds to whole milliseconds, from zero to a hundred years. Infinity and NaN become a
    /// hundred years.
    package init(limiting seconds: TimeInterval) {
        let longest = 3_155_760_000.0
        self = .milliseconds(Int64((seconds <= longest ? max(0, seconds) : longest) * 1_000))
    }
}
