import Basics

/// The threads on which calls continue after a wait: for a time, for a place, for each other.
///
/// The code after a wait may be a user's and take any time, or may release the next waiter at once. On the stack of the
/// code that releases it, the stack would grow with each waiter. So it runs here.
package enum WorkerPool {
    /// Runs `work` soon, after the work that was added before, on another stack than the caller's.
    package static func run(_ work: @escaping @Sendable () -> Void) { shared.add(work) }

    /// Runs `work` after this time, by the thread of ``DeadlineTimer``.
    ///
    /// - Returns: The wait, which can be canceled.
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

/// A wait that can be canceled.
package struct CallWait: Sendable {
    /// Ends the wait. Its action does not run any more, unless it runs already.
    package let cancel: @Sendable () -> Void

    package init(cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }
}

private final class TimedWork: DeadlineTimer.Client {
    private let work: Locked<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = Locked(work) }

    func deadlineReached() { WorkerPool.run { self.take()?() } }

    /// Removes the work, which may already be on its way to a thread.
    func cancel() { _ = take() }

    private func take() -> (@Sendable () -> Void)? { work.withLock { $0.take() } }
}
