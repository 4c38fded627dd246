#if os(Linux) || os(Android)
import Basics
import CCurl
import Dispatch

enum BackgroundThread {
    /// The number of forks that led to this process, which has none of its parent's threads.
    static var forkCount: UInt32 { ccurl_fork_count() }

    /// Runs `body` on a new thread, or on one of Dispatch's if the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body: body))
        let isStarted = ccurl_thread_start(
            { context in
                guard let context else { return }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            },
            box.toOpaque()
        )
        guard !isStarted else { return }
        box.release()
        DispatchQueue(label: "HTTPTransport.thread").async(execute: body)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// A place where one thread sleeps until a time of the monotonic clock, or until it is woken. Dispatch's timed waits on
/// Linux go by the wall clock.
final class Parker: Sendable {
    /// Locked only to read the pointer: the C object has its own lock.
    private let pointer = Locked(ccurl_parker_new())

    deinit { ccurl_parker_free(pointer.withLock { $0 }) }

    /// Sleeps, unless ``unpark()`` was called since the last sleep.
    func park(until time: UInt64) { ccurl_parker_park(pointer.withLock { $0 }, time) }

    /// Wakes the thread, or keeps its next sleep from starting.
    func unpark() { ccurl_parker_unpark(pointer.withLock { $0 }) }
}
#endif
