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

/// The time of a scope whose clocks are immediate: that of the call that has got furthest.
package final class ScopeTime: Sendable {
    private let time = Locked(Duration.zero)

    package init() {}

    var now: Duration { time.withLock { $0 } }

    func reach(_ time: Duration) { self.time.withLock { $0 = max($0, time) } }
}

/// A clock for one call to stubs. A wait ends at once, and moves the clock by its duration.
package final class ImmediateClock: CallClock {
    private struct State {
        var now = Duration.zero
        /// The time of the scope when the clock was at zero.
        var zero: Duration
    }

    private let state: Locked<State>
    private let scope: ScopeTime?

    package init(in scope: ScopeTime? = nil) {
        self.scope = scope
        state = Locked(State(zero: scope?.now ?? .zero))
    }

    package var now: Duration { state.withLock { $0.now } }

    package var scopeTime: Duration? { scope == nil ? nil : state.withLock { $0.zero + $0.now } }

    package func catchUp() {
        guard let scope else { return }
        let time = scope.now
        state.withLock { $0.zero = max($0.zero, time - $0.now) }
    }

    package var offset: Duration { .zero }

    package var endsWaitsAtOnce: Bool { true }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        account(for: duration)
        return nil
    }

    package func account(for duration: Duration) {
        let time = state.withLock { state in
            state.now += max(.zero, min(duration, .longest))
            return state.zero + state.now
        }
        scope?.reach(time)
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
}

extension CallClock {
    /// Waits until the time has passed, or the task is canceled.
    func sleep(for duration: Duration) async {
        var end = pause(duration).values.makeAsyncIterator()
        _ = try? await end.next()
    }
}

extension Duration {
    /// A hundred years. Longer waits are cut to it.
    package static var longest: Duration { .seconds(3_155_760_000) }
}
