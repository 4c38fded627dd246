import Basics
import HTTPTransport

extension CallClock {
    /// A publisher that finishes when so much time has passed since it was subscribed to, never at once: what follows it may
    /// wait again, as often as it likes, without a deeper stack.
    func pause(_ duration: Duration) -> AnyPublisher<Never, any Error> {
        ColdPublisher { Pause(duration, on: self, for: $0) }.eraseToAnyPublisher()
    }
}

/// One wait on a clock.
private final class Pause: Subscription, Sendable {
    private struct State {
        var downstream: AnySubscriber<Never, any Error>?
        var hasStarted = false
        var wait: CallWait?
    }

    private let duration: Duration
    private let clock: any CallClock
    private let state: Locked<State>

    init(_ duration: Duration, on clock: any CallClock, for downstream: AnySubscriber<Never, any Error>) {
        self.duration = duration
        self.clock = clock
        state = Locked(State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted && state.downstream != nil
        }
        guard starts else { return }
        guard let wait = clock.wait(duration, then: { self.end() }) else {
            return WorkerPool.run { self.end() }
        }
        let isOver = state.withLock { state in
            if state.downstream != nil { state.wait = wait }
            return state.downstream == nil
        }
        if isOver { wait.cancel() }
    }

    func cancel() { take().wait?.cancel() }

    private func end() { take().downstream?.receive(completion: .finished) }

    private func take() -> State {
        state.withLock { state in
            defer { (state.downstream, state.wait) = (nil, nil) }
            return state
        }
    }
}
