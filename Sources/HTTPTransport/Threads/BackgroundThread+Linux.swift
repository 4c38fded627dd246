#if os(Linux) || os(Android)
import Basics
import CCurl
import Dispatch

/// Threads of this module's own.
enum BackgroundThread {
    /// The number of forks that led to this process. The threads of a parent are not in it.
    static var generation: UInt32 { ccurl_generation() }

    /// Runs `body` on a new thread, or where there can be none on one of Dispatch's.
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

/// A place for one thread to sleep until a time or until it is woken, by the monotonic clock: on Linux the timed waits of
/// Dispatch go by the other one.
final class Sleeper: Sendable {
    /// Locked only to be taken: what it points to has a lock of its own.
    private let pointer = Locked(ccurl_sleeper_new())

    deinit { ccurl_sleeper_free(pointer.withLock { $0 }) }

    /// Sleeps, unless it has been woken since the last sleep.
    func sleep(until time: UInt64) { ccurl_sleeper_sleep(pointer.withLock { $0 }, time) }

    /// Wakes the thread, or the next that comes to sleep.
    func wake() { ccurl_sleeper_wake(pointer.withLock { $0 }) }
}
#endif
