#if os(Linux) || os(Android)
import CCurl

/// An owner of threads with the roles of ``LeaderFollowers``, and the watchdog that checks the leader, the thread that
/// works at present.
protocol WatchedThreads: DeadlineTimer.Client {
    /// Calls `body` with the roles, under the lock.
    func withRoles<Result>(_ body: (inout LeaderFollowers<WatchedThread>) -> Result) -> Result

    /// Starts a follower if `remove`, called under the lock, has removed the leader. May do nothing if there are too
    /// many threads.
    func replaceLeader(if remove: (inout LeaderFollowers<WatchedThread>) -> Bool)
}

extension WatchedThreads {
    /// Has the watchdog check the leader in a while.
    func startWatchdog() {
        let interval = LeaderFollowers<WatchedThread>.deliveryTimeout / 2
        _ = DeadlineTimer.shared.schedule(at: monotonicNanoseconds() + interval, for: self)
    }

    func deadlineReached() {
        switch withRoles({ $0.check(at: monotonicNanoseconds()) }) {
        case .stopWatching: return
        case .keepWatching: break
        case .replaceLeader(let slow):
            let (busyTime, isRunnable) = (slow.leader.busyTime, slow.leader.isRunnable)
            let now = monotonicNanoseconds()
            replaceLeader { $0.replaceLeader(slow, busyTime: busyTime, isRunnable: isRunnable, at: now) }
        }
        startWatchdog()
    }
}

/// A thread as the watchdog sees it. Created on the thread itself.
final class WatchedThread: Sendable {
    private let number = ccurl_thread_number()

    /// The time for which the thread has run, or waited for a processor, in nanoseconds. The rest of its time it was
    /// asleep.
    ///
    /// The system may not have counted the present yet: see ``isRunnable``.
    var busyTime: Int64 { ccurl_thread_busy_time(number) }

    /// Whether the thread runs or waits for a processor at this moment.
    var isRunnable: Bool { ccurl_thread_is_runnable(number) }
}
#endif
