import Basics

/// The threads on which calls go on that have waited: for a time, for a place, for each other.
///
/// What follows a wait may build a request, and may run a user's code, which takes any time. And it may end at once and let
/// the next one go on: where that one was let go, the stack would grow with each. So all of it comes here.
package enum WorkerPool {
    /// Runs `work` soon, after what came before, on another stack than the caller's.
    package static func run(_ work: @escaping @Sendable () -> Void) { shared.add(work) }

    /// Runs `work` when so much time has passed, with all deadlines of the process behind one thread.
    ///
    /// - Returns: What gives it up.
    package static func run(after duration: Duration, _ work: @escaping @Sendable () -> Void) -> CallWait {
        let timed = TimedWork(work)
        let time = monotonicNanoseconds() + duration.nanosecondsRoundedUp
        let token = DeadlineTimer.shared.schedule(at: time, for: timed)
        return CallWait {
            token.cancel()
            timed.cancel()
        }
    }
}

/// Work that waits for its time.
private final class TimedWork: DeadlineTimer.Client {
    private let work: Locked<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = Locked(work) }

    func deadlineReached() { WorkerPool.run { self.take()?() } }

    /// It may be on its way to a thread already.
    func cancel() { _ = take() }

    private func take() -> (@Sendable () -> Void)? { work.withLock { $0.take() } }
}
