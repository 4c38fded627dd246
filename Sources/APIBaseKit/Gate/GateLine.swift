import Basics
import HTTPTransport

/// The calls that go through a gate. What happens is decided in ``GateState`` under the lock, and done here without it.
final class GateLine: Sendable {
    /// The place of a call that wants to pass.
    enum Entry {
        case decided(Result<GatePass, RequestError>)
        /// It waits, and this gives it up.
        case waits(CallWait)
    }

    private let state: Locked<GateState>
    private let pausesAfter429: Bool

    init(_ limits: GateLimits) {
        state = Locked(GateState(limits))
        pausesAfter429 = limits.pausesAfter429
    }

    /// Lets a call pass, or puts it into the line.
    ///
    /// - Parameters:
    ///   - clock: That of the call.
    ///   - action: Called on the worker pool once the call passes or is refused, unless that is so at once.
    /// - Returns: What has become of the call.
    func enter(
        on clock: any CallClock,
        then action: @escaping @Sendable (Result<GatePass, RequestError>) -> Void
    ) -> Entry {
        let (verdict, number) = state.withLock { state -> (GateState.Verdict?, UInt64) in
            let now = clock.gateTime(skipping: state.skipped)
            if let verdict = state.enter(at: now) { return (verdict, 0) }
            return (nil, state.wait(since: now) { verdict in action(verdict.map { GatePass(self, $0, clock) }) })
        }
        if let verdict { return .decided(verdict.map { GatePass(self, $0, clock) }) }
        decide(on: clock)
        return .waits(
            CallWait {
                let (forgotten, outdated) = self.state.withLock { $0.forget(number) }
                outdated?.cancel()
                withExtendedLifetime(forgotten) {}
            }
        )
    }

    /// The time for which calls are still refused; `nil` if they are not.
    func refusal(on clock: any CallClock) -> Duration? {
        state.withLock { $0.refusal(at: clock.gateTime(skipping: $0.skipped)) }
    }

    /// A call that has passed has ended.
    fileprivate func leave(_ end: GatePass.End, of generation: Int, on clock: any CallClock) {
        let pause = pausesAfter429 ? end.pause : nil
        let isEmpty = state.withLock { state in
            state.leave(end.outcome, of: generation, pause: pause, at: clock.gateTime(skipping: state.skipped))
            return state.isEmpty
        }
        if !isEmpty { decide(on: clock) }
    }

    /// Lets go on who may.
    ///
    /// - Parameters:
    ///   - clock: That of a call.
    ///   - rung: The alarm that has gone off.
    private func decide(on clock: any CallClock, after rung: GateState.Alarm? = nil) {
        var (rung, skipped) = (rung, Duration.zero)
        while true {
            // The next alarm is set by who has heard the last one: on a clock that a test moves, nobody else knows what time it
            // is.
            let (turn, now) = state.withLock { state in
                if let rung { state.silence(rung, skipping: skipped) }
                let now = clock.gateTime(skipping: state.skipped)
                return (state.decide(at: now), now)
            }
            turn.outdated?.cancel()
            for (action, verdict) in turn.decided { WorkerPool.run { action(verdict) } }
            guard let alarm = turn.alarm else { return }
            let wait = clock.waiting(for: alarm).wait(alarm.time - now) { self.decide(on: clock, after: alarm) }
            if let wait {
                if !state.withLock({ $0.keep(wait, for: alarm) }) { wait.cancel() }
                return
            }
            (rung, skipped) = (alarm, alarm.time - now)
        }
    }
}

extension CallClock {
    /// The time at a gate. Where waits are over at once, each call has a clock of its own, so there it is the time of day.
    fileprivate func gateTime(skipping skipped: Duration) -> Duration {
        (self is ImmediateClock ? WallClock.shared.now : now) + skipped
    }

    /// The clock on which an alarm is waited for: where waits are over at once, the end of another call comes when it does.
    fileprivate func waiting(for alarm: GateState.Alarm) -> any CallClock {
        alarm.awaitsPlace && self is ImmediateClock ? WallClock.shared : self
    }
}

/// The place of one attempt inside a gate. It is given back when the attempt has ended, at the latest with the last reference.
final class GatePass: Sendable {
    /// The end of an attempt.
    struct End {
        var outcome: CircuitBreaker.Outcome
        var pause: Duration?
    }

    let place: GatePlace
    private let line: GateLine
    private let generation: Int
    private let clock: any CallClock

    fileprivate init(_ line: GateLine, _ generation: Int, _ clock: any CallClock) {
        place = GatePlace(in: line)
        self.line = line
        self.generation = generation
        self.clock = clock
    }

    deinit { leave(End(outcome: .unknown)) }

    /// Gives the place back, the first time.
    func leave(_ end: End) {
        if place.giveBack() { line.leave(end, of: generation, on: clock) }
    }
}
