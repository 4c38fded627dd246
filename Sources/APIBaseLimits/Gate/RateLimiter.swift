import Basics

/// A rate limit with bursts, by the generic cell rate algorithm (GCRA, ITU-T I.371).
///
/// A late timer does not slow the rate down: an attempt counts from when it was due.
struct RateLimiter {
    private let interval: Duration?
    /// The time by which attempts may run ahead of the rate in a burst.
    private let tolerance: Duration
    /// The theoretical arrival time of the next attempt; `nil` before the first.
    private var next: Duration?

    init(interval: Duration?, burst: Int) {
        self.interval = interval
        let longest = Duration.longest / max(1, burst)
        tolerance = min(interval ?? .zero, longest) * (burst - 1)
    }

    /// Whether a full burst may begin.
    func isAtRest(at now: Duration) -> Bool { next.map { $0 <= now } ?? true }

    /// The earliest time at which an attempt that came at `arrival` may begin.
    func due(for arrival: Duration) -> Duration {
        guard let next else { return arrival }
        return max(arrival, next - tolerance)
    }

    /// Counts an attempt that came at `arrival`.
    mutating func begin(from arrival: Duration) {
        guard let interval else { return }
        next = max(next ?? arrival, arrival) + interval
    }
}
