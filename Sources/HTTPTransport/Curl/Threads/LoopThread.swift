#if os(Linux) || os(Android)
import CCurl

/// One thread of an event loop, made on the thread itself.
final class LoopThread: Sendable {
    private let number = ccurl_thread_number()

    /// How long the thread has run, in nanoseconds, if the system has it wait for something now; nil if it runs, or waits
    /// for a processor.
    var asleepAfter: Int64? {
        let time = ccurl_thread_asleep_after(number)
        return time < 0 ? nil : time
    }
}
#endif
