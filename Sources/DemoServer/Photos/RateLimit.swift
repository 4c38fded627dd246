import Foundation
import Basics

/// A limit on the requests that are answered in an hour of the clock.
final class RateLimit: Sendable {
    let limit: Int
    private let now: @Sendable () -> Date
    private let state = Locked((hour: 0.0, used: 0))

    init(limit: Int, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.now = now
    }

    /// Counts a request: returns the number that are left, or nil if it is one too many.
    func take() -> Int? {
        let hour = (now().timeIntervalSince1970 / 3_600).rounded(.down)
        return state.withLock { state in
            if state.hour != hour { state = (hour, 0) }
            guard state.used < limit else { return nil }
            state.used += 1
            return limit - state.used
        }
    }
}
