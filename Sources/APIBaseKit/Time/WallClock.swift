package import HTTPTransport

/// The time of calls to the network.
package final class WallClock: CallClock {
    package static let shared = WallClock()

    package var now: Duration { .nanoseconds(Int64(clamping: monotonicNanoseconds())) }

    package var offset: Duration { .zero }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        duration > .zero ? WorkerPool.run(after: duration, action) : nil
    }

    package func account(for duration: Duration) {}
}
