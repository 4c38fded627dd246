/// A rule for the wait before the next attempt.
public struct Backoff: Sendable {
    private let delay: @Sendable (_ attempt: Int) -> Duration

    /// Any rule.
    ///
    /// - Parameter delay: The wait after the attempt with this number, from 1. Less than nothing is nothing.
    public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) {
        self.delay = delay
    }

    /// A random time between nothing and a limit that doubles with each attempt: full jitter, so that clients which fail
    /// together do not come back together.
    ///
    /// - Parameters:
    ///   - first: The limit after the first attempt.
    ///   - cap: The highest limit.
    /// - Returns: The rule.
    public static func exponential(from first: Duration, upTo cap: Duration) -> Backoff {
        Backoff { attempt in
            let limit = limit(after: attempt, from: first, upTo: cap)
            return limit * Double.random(in: 0...1)
        }
    }

    /// The same time after each attempt.
    public static func constant(_ delay: Duration) -> Backoff { Backoff { _ in delay } }

    /// No wait.
    public static let none = constant(.zero)

    func delay(after attempt: Int) -> Duration { delay(attempt) }

    private static func limit(after attempt: Int, from first: Duration, upTo cap: Duration) -> Duration {
        let cap = min(cap, .longest)
        var limit = max(.zero, min(first, cap))
        for _ in 1..<max(1, min(attempt, 64)) where limit < cap { limit *= 2 }
        return max(.zero, min(limit, cap))
    }
}
