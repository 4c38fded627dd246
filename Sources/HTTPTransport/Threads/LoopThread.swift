#if os(Linux) || os(Android)
import CCurl

/// One thread of an event loop, made on the thread itself.
final class LoopThread: Sendable {
    private let number = ccurl_thread_number()

    /// The time for which the thread has run, or waited for a processor, in nanoseconds. The rest of its time it was asleep.
    ///
    /// Of what goes on now, the system may count nothing yet: see ``isRunnable``.
    var busyTime: Int64 { ccurl_thread_busy_time(number) }

    /// Whether the thread runs or waits for a processor, right now.
    var isRunnable: Bool { ccurl_thread_is_runnable(number) }
}
#endif
