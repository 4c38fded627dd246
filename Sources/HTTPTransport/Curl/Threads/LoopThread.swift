#if os(Linux) || os(Android)
import CCurl
import Dispatch

/// One thread of an event loop.
final class LoopThread: Sendable {
    private let number = ccurl_thread_number()
    private let promotion = DispatchSemaphore(value: 0)

    /// Whether the system has the thread wait for something, rather than run it or have it wait for a processor.
    var isBlocked: Bool { ccurl_thread_is_asleep(number) }

    /// Waits until ``unpark()``, at most for so many seconds; false if they have passed.
    func park(seconds: Int) -> Bool { promotion.wait(timeout: .now() + .seconds(seconds)) == .success }

    /// Ends the wait of ``park(seconds:)``.
    func unpark() { promotion.signal() }
}
#endif
