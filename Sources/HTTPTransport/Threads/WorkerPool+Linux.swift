#if os(Linux) || os(Android)
import Basics

extension WorkerPool {
    static var shared: Workers { workers.value }

    private static let workers = PerProcess { Workers() }
}

/// One thread, the leader, that works in the order in which work was added, and others while work blocks it: see
/// ``LeaderFollowers``.
///
/// Dispatch is not used: its concurrent queues share their few threads with the program's tasks, which blocked work
/// would stop, and its serial queues take hundreds of threads.
final class Workers: Sendable {
    fileprivate enum Step {
        case work(@Sendable () -> Void, startsWatchdog: Bool)
        case park(until: UInt64)
        /// The thread ends.
        case end
    }

    fileprivate enum Wakeup { case none, unpark, startThread }

    fileprivate struct State {
        var work = Queue<@Sendable () -> Void>()
        var roles = LeaderFollowers<WatchedThread>()
        /// The number of threads, and whether one of them leads or is about to.
        var count = 0
        var isLed = false
        /// The time at which an idle leader ends; nil while it works.
        var endsAt: UInt64?
    }

    /// Nanoseconds for which an idle leader is kept.
    fileprivate static let idleTime: UInt64 = 5_000_000_000
    /// The most threads, if all of them are blocked.
    private static let maxThreads = 256

    private let state = Locked(State())
    private let parker = Parker()

    func add(_ work: @escaping @Sendable () -> Void) {
        switch state.withLock({ $0.add(work) }) {
        case .none: break
        case .unpark: parker.unpark()
        case .startThread: startThread()
        }
    }

    private func startThread() {
        BackgroundThread.start { [self] in
            let thread = WatchedThread()
            state.withLock { $0.roles.setLeader(thread) }
            run(thread)
        }
    }

    private func run(_ thread: WatchedThread) {
        while true {
            switch state.withLock({ $0.step(of: thread, at: monotonicNanoseconds()) }) {
            case .work(let work, let startsWatchdog):
                if startsWatchdog { startWatchdog() }
                work()
            case .park(let time): parker.park(until: time)
            case .end: return
            }
        }
    }
}

extension Workers: WatchedThreads {
    func withRoles<Result>(_ body: (inout LeaderFollowers<WatchedThread>) -> Result) -> Result {
        state.withLockUnchecked { body(&$0.roles) }
    }

    func replaceLeader(if remove: (inout LeaderFollowers<WatchedThread>) -> Bool) {
        let isRemoved = state.withLock { state in
            guard state.count < Self.maxThreads, remove(&state.roles) else { return false }
            state.count += 1
            return true
        }
        if isRemoved { startThread() }
    }
}

extension Workers.State {
    fileprivate mutating func add(_ new: @escaping @Sendable () -> Void) -> Workers.Wakeup {
        work.append(new)
        guard isLed else {
            isLed = true
            count += 1
            return .startThread
        }
        return endsAt.take() == nil ? .none : .unpark
    }

    fileprivate mutating func step(of thread: WatchedThread, at now: UInt64) -> Workers.Step {
        guard roles.endDelivery(of: thread) else {
            count -= 1
            return .end
        }
        if let next = work.popFirst() {
            endsAt = nil
            return .work(next, startsWatchdog: roles.beginDelivery(at: now))
        }
        let time = endsAt ?? now + Workers.idleTime
        endsAt = time
        guard now >= time else { return .park(until: time) }
        endsAt = nil
        roles.removeLeader()
        isLed = false
        count -= 1
        return .end
    }
}
#endif
