#if !os(Linux) && !os(Android)
import Dispatch
import Foundation

/// Threads of this module's own.
enum BackgroundThread {
    /// Nothing here goes on in a forked process.
    static let generation: UInt32 = 0

    /// Runs `body` on a new thread.
    static func start(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread(body)
    }
}

/// A semaphore on which one thread sleeps until a time or until it is woken.
final class Sleeper: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Sleeps, unless it has been woken since the last sleep.
    func sleep(until time: UInt64) { _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: time)) }

    /// Wakes the thread, or the next that comes to sleep.
    func wake() { semaphore.signal() }
}
#endif
