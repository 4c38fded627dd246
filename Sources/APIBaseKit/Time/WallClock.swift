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
        let timer = Timer(source: DispatchSource.makeTimerSource(queue: DispatchQueue(label: "APIBaseKit.wait")))
        timer.source.setEventHandler {
            timer.source.cancel()
            action()
        }
        timer.source.schedule(deadline: .now() + .nanoseconds(Int(clamping: duration.nanosecondsRoundedUp)))
        timer.source.resume()
        return CallWait { timer.source.cancel() }
    }

    package func pretend(_ duration: Duration) {}
}

/// A timer that any thread may cancel, as Dispatch allows without saying so to the compiler.
private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
}
