import Basics
package import HTTPTransport

/// The clock of calls to the network.
package final class WallClock: CallClock {
    package static let shared = WallClock()

    package var now: Duration { .nanoseconds(Int64(clamping: monotonicNanoseconds())) }

    package var offset: Duration { .zero }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        duration > .zero ? WorkerPool.run(after: duration, action) : nil
    }

    package func account(for duration: Duration) {}
}

/// The time of a scope whose clocks are immediate. Each task has its own, since such a clock is at the end of a call
/// before a call that waits at the same time has begun.
///
/// The calls of one task follow one another. Those of another task wait at the same time, from the beginning of the
/// scope, or of its deadline. A call without a task follows all others, as one does that a publisher makes.
package final class ScopeTime: Sendable {
    private struct State {
        var tasks: [Int?: Duration] = [:]
        var latest = Duration.zero
    }

    private let state = Locked(State())

    package init() {}

    /// The running task.
    static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// The time of the task that has got furthest.
    var latest: Duration { state.withLock { $0.latest } }

    func time(of task: Int?) -> Duration {
        state.withLock { state in task == nil ? state.latest : state.tasks[task] ?? .zero }
    }

    func reach(_ time: Duration, by task: Int?) {
        state.withLock { state in
            state.tasks[task] = max(state.tasks[task] ?? .zero, time)
            state.latest = max(state.latest, time)
        }
    }
}

/// A clock for one call to stubs. A wait ends at once, and moves the clock by its duration.
package final class ImmediateClock: CallClock {
    private let time = Locked(Duration.zero)
    private let scope: ScopeTime?
    /// The task of the call, and the time that it had reached in the scope.
    private let task: Int?
    private let start: Duration

    package init(in scope: ScopeTime? = nil) {
        self.scope = scope
        task = ScopeTime.task
        start = scope?.time(of: task) ?? .zero
    }

    package var now: Duration { time.withLock { $0 } }

    package var scopeTime: Duration? { scope == nil ? nil : start + now }

    package var latestTime: Duration? { scope?.latest }

    package func catchUp(to time: Duration) { if scope != nil { account(for: time - start - now) } }

    package func handOn() { scope?.reach(start + now, by: ScopeTime.task) }

    package var offset: Duration { .zero }

    package var endsWaitsAtOnce: Bool { true }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        account(for: duration)
        return nil
    }

    package func account(for duration: Duration) {
        let now = time.withLock { time in
            time += max(.zero, min(duration, .longest))
            return time
        }
        scope?.reach(start + now, by: task)
    }
}

extension CallClock {
    /// The clock for the limits of work, which takes real time even where waits take none.
    package var forRealWork: any CallClock { endsWaitsAtOnce ? WallClock.shared : self }

    /// A publisher that finishes after this time, never synchronously, so that repeated waits do not deepen the stack.
    package func pause(_ duration: Duration) -> AnyPublisher<Never, any Error> {
        ColdWork { end in
            let wait = self.wait(duration) { end(.success(nil)) }
            if wait == nil { WorkerPool.run { end(.success(nil)) } }
            return wait?.cancel
        }
        .eraseToAnyPublisher()
    }

    /// Waits until the time has passed, or the task is canceled.
    package func sleep(for duration: Duration) async {
        var end = pause(duration).values.makeAsyncIterator()
        _ = try? await end.next()
    }
}
