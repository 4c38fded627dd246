import Basics
import Dispatch

/// All deadlines of the process, kept by one thread that sleeps until the next.
///
/// A request sets a deadline that it will hardly ever reach. With a timer each, every request would pay the system for
/// arming and disarming it; here a deadline that is not the earliest costs an entry in a heap. The first deadline
/// starts the thread, which needs no descriptor, and ends when there has been no deadline for a while.
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

        /// Removes the deadline, unless it has been reached.
        func cancel() {
            if timer === DeadlineTimer.shared { timer.cancel(number) }
        }

        static func == (left: Token, right: Token) -> Bool { left.number == right.number }
        static func < (left: Token, right: Token) -> Bool { left.number < right.number }
    }

    /// The timer of this process. A forked one has its own, without the deadlines of the parent.
    static var shared: DeadlineTimer { timers.value }

    private static let timers = PerProcess { DeadlineTimer() }

    /// Nanoseconds for which the thread is kept without a deadline.
    private static let idleTime: UInt64 = 5_000_000_000

    private struct State {
        var deadlines = DeadlineHeap()
        /// The time until which the thread sleeps; nil if there is no thread.
        var sleepsUntil: UInt64?
    }

    private enum Wakeup { case none, unpark, startThread }

    private let state = Locked(State())
    private let parker = Parker()

    /// Calls `client` once, on the timer's thread, when `deadline` is reached, and retains it until then.
    func schedule(at deadline: UInt64, for client: any Client) -> Token {
        let (number, wakeup) = state.withLock { state -> (UInt64, Wakeup) in
            let number = state.deadlines.insert(client, at: deadline)
            guard let time = state.sleepsUntil else {
                state.sleepsUntil = 0
                return (number, .startThread)
            }
            guard deadline < time else { return (number, .none) }
            state.sleepsUntil = deadline
            return (number, .unpark)
        }
        switch wakeup {
        case .none: break
        case .unpark: parker.unpark()
        case .startThread: BackgroundThread.start { self.run() }
        }
        return Token(number: number, timer: self)
    }

    private func cancel(_ number: UInt64) {
        let client = state.withLock { $0.deadlines.remove(number) }
        withExtendedLifetime(client) {}
    }

    var count: Int { state.withLock { $0.deadlines.count } }

    private func run() {
        while true {
            let (due, time, isLast) = state.withLock { state -> ([any Client], UInt64, Bool) in
                let now = monotonicNanoseconds()
                let due = state.deadlines.takeDue(at: now)
                let next = state.deadlines.next
                // Woken by the clock without a deadline: the idle time is over.
                let isLast = due.isEmpty && next == nil && state.sleepsUntil.map { 0 < $0 && $0 <= now } ?? false
                let time = next ?? now + Self.idleTime
                state.sleepsUntil = isLast ? nil : time
                return (due, time, isLast)
            }
            if isLast { return }
            for client in due { client.deadlineReached() }
            if due.isEmpty { parker.park(until: time) }
        }
    }
}

/// The monotonic clock's time, in nanoseconds.
package func monotonicNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

extension Duration {
    /// The duration in nanoseconds, rounded up to whole milliseconds; at least zero, at most a hundred years.
    package var nanosecondsRoundedUp: UInt64 {
        // Clamped first: more seconds than an `Int64` holds would trap.
        let (seconds, attoseconds) = min(max(.zero, self), .seconds(3_155_760_000)).components
        let whole = UInt64(seconds) * 1_000
        return (whole + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)) * 1_000_000
    }
}
