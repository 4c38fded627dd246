#if os(Linux) || os(Android)
import Basics

extension WorkerPool {
    static var shared: Workers { workers.value }

    private static let workers = PerProcess { Workers() }
}

/// One thread that works in the order in which the work came, and others where work blocks its thread: see
/// ``LeaderFollowers``.
///
/// Not Dispatch's: its concurrent queues share their few threads with the tasks of the program, which blocked work would stop,
/// and its serial ones take hundreds.
final class Workers: Sendable {
    fileprivate enum Step {
        case work(@Sendable () -> Void, tellsWatchdog: Bool)
        case sleep(until: UInt64)
        /// The thread ends.
        case end
    }

    fileprivate enum Call { case nothing, wake, start }

    fileprivate struct State {
        var work = Queue<@Sendable () -> Void>()
        var threads = LeaderFollowers<LoopThread>()
        /// The number of threads, and whether one of them leads or is about to.
        var count = 0
        var isLed = false
        /// The time at which the leader ends if nothing comes; `nil` while it works.
        var endsAt: UInt64?
    }

    /// Nanoseconds for which the leader is kept without work.
    fileprivate static let rest: UInt64 = 5_000_000_000
    /// The most threads, if all of them are blocked.
    fileprivate static let mostThreads = 256

    private let state = Locked(State())
    private let sleeper = Sleeper()

    func add(_ work: @escaping @Sendable () -> Void) {
        switch state.withLock({ $0.add(work) }) {
        case .nothing: break
        case .wake: sleeper.wake()
        case .start: startThread()
        }
    }

    private func startThread() {
        BackgroundThread.start { [self] in
            let thread = LoopThread()
            state.withLock { $0.threads.begin(thread) }
            run(thread)
        }
    }

    private func run(_ thread: LoopThread) {
        while true {
            switch state.withLock({ $0.step(of: thread, at: monotonicNanoseconds()) }) {
            case .work(let work, let tellsWatchdog):
                if tellsWatchdog { watch() }
                work()
            case .sleep(let time): sleeper.sleep(until: time)
            case .end: return
            }
        }
    }
}

extension Workers.State {
    fileprivate mutating func add(_ new: @escaping @Sendable () -> Void) -> Workers.Call {
        work.append(new)
        guard isLed else {
            isLed = true
            count += 1
            return .start
        }
        return endsAt.take() == nil ? .nothing : .wake
    }

    fileprivate mutating func step(of thread: LoopThread, at now: UInt64) -> Workers.Step {
        guard threads.goesOn(thread) else {
            count -= 1
            return .end
        }
        if let next = work.popFirst() {
            endsAt = nil
            return .work(next, tellsWatchdog: threads.beginDelivery(at: now))
        }
        let time = endsAt ?? now + Workers.rest
        endsAt = time
        guard now >= time else { return .sleep(until: time) }
        endsAt = nil
        threads.end()
        isLed = false
        count -= 1
        return .end
    }
}

// MARK: The watchdog

extension Workers: DeadlineTimer.Client {
    /// Has the watchdog look at the leader in a while.
    private func watch() {
        let interval = LeaderFollowers<LoopThread>.patience / 2
        _ = DeadlineTimer.shared.schedule(at: monotonicNanoseconds() + interval, for: self)
    }

    func deadlineReached() {
        switch state.withLock({ $0.threads.look(at: monotonicNanoseconds()) }) {
        case .quiet: return
        case .fine: break
        case .overdue(let overdue):
            let (busyTime, isRunnable) = (overdue.leader.busyTime, overdue.leader.isRunnable)
            let now = monotonicNanoseconds()
            let isReplaced = state.withLock { state in
                guard state.count < Self.mostThreads else { return false }
                let isDeposed = state.threads.depose(overdue, busyTime: busyTime, isRunnable: isRunnable, at: now)
                if isDeposed { state.count += 1 }
                return isDeposed
            }
            if isReplaced { startThread() }
        }
        watch()
    }
}
#endif
