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

/// A clock for one call to stubs. A wait ends at once, and moves the clock by its duration.
package final class ImmediateClock: CallClock {
    private let time = Locked(Duration.zero)

    package init() {}

    package var now: Duration { time.withLock { $0 } }

    package var offset: Duration { .zero }

    package var endsWaitsAtOnce: Bool { true }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        account(for: duration)
        return nil
    }

    package func account(for duration: Duration) { time.withLock { $0 += max(.zero, min(duration, .longest)) } }
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
