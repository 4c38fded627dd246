import Basics

/// All deadlines of the process, behind one thread that sleeps until the next.
///
/// A hop sets a deadline it will hardly ever reach. With a timer each, every hop would pay the system for arming and
/// disarming it; here a deadline that is not the earliest costs an entry in a heap. The thread is started by the first
/// deadline, needs no descriptor, and ends when there has been no deadline for a while.
final class DeadlineTimer: Sendable {
    /// An object that has set a deadline.
    protocol Client: AnyObject, Sendable {
        /// The deadline is reached. Must not block.
        func deadlineReached()
    }

    /// A deadline that has been set. Later ones are greater.
    struct Token: Sendable, Comparable {
        fileprivate let number: UInt64
        fileprivate let timer: DeadlineTimer

        /// Forgets the deadline, unless it has been reached.
        func cancel() {
            if timer === DeadlineTimer.shared { timer.cancel(number) }
        }

        static func == (left: Token, right: Token) -> Bool { left.number == right.number }
        static func < (left: Token, right: Token) -> Bool { left.number < right.number }
    }

    /// The timer of this process. One that was forked has its own: the threads are gone there, what they held may be locked,
    /// and the deadlines are those of the parent.
    static var shared: DeadlineTimer { timers.value }

    private static let timers = PerProcess { DeadlineTimer() }

    /// Nanoseconds for which the thread is kept without a deadline.
    private static let rest: UInt64 = 5_000_000_000

    private struct State {
        var deadlines = DeadlineHeap()
        /// The time until which the thread sleeps; nil if there is no thread.
        var sleepsUntil: UInt64?
    }

    private enum Call { case nothing, signal, start }

    private let state = Locked(State())
    private let sleeper = Sleeper()

    /// Calls `client` once, on the timer's thread, when `deadline` is reached, and keeps it until then.
    func schedule(at deadline: UInt64, for client: any Client) -> Token {
        let (number, call) = state.withLock { state -> (UInt64, Call) in
            let number = state.deadlines.insert(client, at: deadline)
            guard let time = state.sleepsUntil else {
                state.sleepsUntil = 0
                return (number, .start)
            }
            guard deadline < time else { return (number, .nothing) }
            state.sleepsUntil = deadline
            return (number, .signal)
        }
        switch call {
        case .nothing: break
        case .signal: sleeper.wake()
        case .start: BackgroundThread.start { self.run() }
        }
        return Token(number: number, timer: self)
    }

    private func cancel(_ number: UInt64) {
        let client = state.withLock { $0.deadlines.remove(number) }
        withExtendedLifetime(client) {}
    }

    /// The number of deadlines that are set. For tests.
    var count: Int { state.withLock { $0.deadlines.count } }

    private func run() {
        while true {
            let (due, time, isLast) = state.withLock { state -> ([any Client], UInt64, Bool) in
                let now = monotonicNanoseconds()
                let due = state.deadlines.takeDue(at: now)
                let next = state.deadlines.next
                // Woken by the clock with nothing to wait for: it has rested.
                let isLast = due.isEmpty && next == nil && state.sleepsUntil.map { 0 < $0 && $0 <= now } ?? false
                let time = next ?? now + Self.rest
                state.sleepsUntil = isLast ? nil : time
                return (due, time, isLast)
            }
            if isLast { return }
            for client in due { client.deadlineReached() }
            if due.isEmpty { sleeper.sleep(until: time) }
        }
    }
}
