#if !os(Linux) && !os(Android)
import Dispatch
import Foundation

enum BackgroundThread {
    /// Always 0: nothing of this module is used in a forked process here.
    static let forkCount: UInt32 = 0

    static func start(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread(body)
    }
}

/// A place where one thread sleeps until a time, or until it is woken.
final class Parker: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Sleeps, unless ``unpark()`` was called since the last sleep.
    func park(until time: UInt64) { _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: time)) }

    /// Wakes the thread, or keeps its next sleep from starting.
    func unpark() { semaphore.signal() }
}
#endif
