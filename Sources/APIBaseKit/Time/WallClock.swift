import Basics
package import HTTPTransport
import Dispatch

/// The time of calls to the network.
package final class WallClock: CallClock {
    package static let shared = WallClock()

    package var now: Duration { .nanoseconds(Int64(clamping: monotonicNanoseconds())) }

    package var shift: Duration { .zero }

    /// Waits on a queue of its own: what comes afterwards builds a request, and that may take any time.
    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        guard duration > .zero else { return nil }
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "APIBaseKit.wait"))
        let timer = Locked(Optional(source))
        source.setEventHandler {
            timer.withLock { $0.take() }?.cancel()
            action()
        }
        source.schedule(deadline: .now() + .nanoseconds(Int(clamping: duration.nanosecondsRoundedUp)))
        source.resume()
        return CallWait { timer.withLock { $0.take() }?.cancel() }
    }

    package func pretend(_ duration: Duration) {}
}
