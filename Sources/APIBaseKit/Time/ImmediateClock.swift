import Basics
package import HTTPTransport

/// The time of one call to stubs on which every wait is over at once, and counts all the same.
package final class ImmediateClock: CallClock {
    private let time = Locked(Duration.zero)

    package init() {}

    package var now: Duration { time.withLock { $0 } }

    package var offset: Duration { .zero }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        account(for: duration)
        return nil
    }

    package func account(for duration: Duration) { time.withLock { $0 += max(.zero, min(duration, .longest)) } }
}

extension Duration {
    /// A hundred years: longer waits are not told from it.
    package static var longest: Duration { .seconds(3_155_760_000) }
}
