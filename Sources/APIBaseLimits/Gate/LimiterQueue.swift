import Basics
import HTTPTransport

/// The queue of attempts at a gate. ``LimiterState`` decides under the lock; this acts on it without the lock.
final class LimiterQueue: Sendable {
    /// The answer to an attempt that wants to pass.
    enum Entry {
        case decided(Result<Permit, RequestError>)
        /// The attempt waits; cancel the wait to leave the queue.
        case waits(CallWait)
    }

    private let state: Locked<LimiterState>
    /// Whether the end of an attempt may have a pause.
    let pausesAfter429: Bool
    let longestWait: Duration?
    /// The limits that other processes share; `nil` for those of this process alone.
    let shared: SharedTurns?

    init(_ limits: GateLimits, _ shared: SharedLimits? = nil) {
        state = Locked(LimiterState(limits))
        self.shared = shared.map { SharedTurns(limits, $0) }
        (pausesAfter429, longestWait) = (limits.pausesAfter429, limits.longestWait)
    }

    /// Lets an attempt pass, or puts it into the queue.
    ///
    /// - Parameters:
    ///   - clock: The clock of the call.
    ///   - action: Called when a waiting attempt passes or is refused, on the thread that decides: it returns at once.
    /// - Returns: The decision, or the wait for it.
    func enter(
        on clock: any CallClock,
        then action: @escaping @Sendable (Result<Permit, RequestError>) -> Void
    ) -> Entry {
        let (decision, number) = state.withLock { state -> (LimiterState.Decision?, UInt64) in
            let now = clock.gateTime(skipping: state.skipped)
            if let decision = state.enter(at: now) { return (decision, 0) }
            return (nil, state.wait(since: now) { decision in action(decision.map { Permit(self, $0, clock) }) })
        }
        if let decision { return .decided(decision.map { Permit(self, $0, clock) }) }
        decide(on: clock)
        return .waits(
            CallWait {
                let (action, outdated) = self.state.withLock { $0.forget(number) }
                outdated?.cancel()
                withExtendedLifetime(action) {}
            }
        )
    }

    /// The time for which attempts are still refused; `nil` if they are not.
    func refusal(on clock: any CallClock) -> Duration? {
        state.withLock { $0.refusal(at: clock.gateTime(skipping: $0.skipped)) }
    }

    /// The time at the gate.
    func time(on clock: any CallClock) -> Duration { state.withLock { clock.gateTime(skipping: $0.skipped) } }

    /// Whether nothing runs or waits, and no limit applies.
    func isAtRest(on clock: any CallClock) -> Bool {
        state.withLock { $0.isAtRest(at: clock.gateTime(skipping: $0.skipped)) }
    }

    fileprivate func leave(_ end: Permit.End, of generation: Int, on clock: any CallClock) {
        let isEmpty = state.withLock { state in
            state.leave(end.outcome, of: generation, pause: end.pause, at: clock.gateTime(skipping: state.skipped))
            return state.isEmpty
        }
        if !isEmpty { decide(on: clock) }
    }

    /// Admits the attempts whose turn has come.
    ///
    /// - Parameters:
    ///   - clock: The clock of one of the calls.
    ///   - fired: The alarm that has gone off.
    private func decide(on clock: any CallClock, after fired: LimiterState.Alarm? = nil) {
        var (fired, skipped) = (fired, Duration.zero)
        while true {
            // The next alarm is set on the clock of the last one: only that clock is known to have moved.
            let (turn, now) = state.withLock { state in
                if let fired { state.alarmFired(fired, skipping: skipped) }
                let now = clock.gateTime(skipping: state.skipped)
                return (state.decide(at: now), now)
            }
            turn.outdated?.cancel()
            for (action, decision) in turn.decided { action(decision) }
            guard let alarm = turn.alarm else { return }
            let wait = clock.waiting(for: alarm).wait(alarm.time - now) { self.decide(on: clock, after: alarm) }
            if let wait {
                if !state.withLock({ $0.keep(wait, for: alarm) }) { wait.cancel() }
                return
            }
            (fired, skipped) = (alarm, alarm.time - now)
        }
    }
}

extension CallClock {
    /// The time at a gate. With immediate clocks each call has its own, so real time counts there.
    fileprivate func gateTime(skipping skipped: Duration) -> Duration {
        forRealWork.now + skipped
    }

    /// The clock of an alarm. On an immediate clock, a wait for a place still takes real time, since another call has
    /// to end.
    fileprivate func waiting(for alarm: LimiterState.Alarm) -> any CallClock {
        alarm.awaitsPlace ? forRealWork : self
    }
}

/// The permit of an attempt that has passed a gate. It is given back once: when the attempt ends, when the call is
/// canceled, or with the last reference.
final class Permit: AttemptHold {
    /// The end of an attempt.
    struct End {
        var outcome: ServerOutcome
        var pause: Duration?
    }

    /// The place as task locals hand it on.
    let place: GatePlace
    /// Its place among those of all processes; `nil` without a shared limit.
    let sharedPlace: SharedPlace?
    private let queue: LimiterQueue
    private let generation: Int
    private let clock: any CallClock

    fileprivate init(_ queue: LimiterQueue, _ generation: Int, _ clock: any CallClock) {
        place = GatePlace(in: queue)
        sharedPlace = queue.shared?.place()
        self.queue = queue
        self.generation = generation
        self.clock = clock
    }

    deinit { release() }

    func release() { leave(End(outcome: .unknown)) }

    /// Gives the place back, the first time.
    func leave(_ end: End) {
        guard place.giveBack() else { return }
        sharedPlace?.leave()
        if let pause = end.pause { queue.shared?.pause(for: pause) }
        queue.leave(end, of: generation, on: clock)
    }
}

/// The place of a permit, without a reference that would keep the permit alive.
struct GatePlace: HeldPermit {
    private let queue: ObjectIdentifier
    private let isFree = Locked(false)

    init(in queue: LimiterQueue) { self.queue = ObjectIdentifier(queue) }

    var isHeld: Bool { !isFree.withLock { $0 } }

    func isHeld(in queue: LimiterQueue) -> Bool { self.queue == ObjectIdentifier(queue) && isHeld }

    /// Gives the place back; true the first time.
    func giveBack() -> Bool {
        isFree.withLock { isFree in
            defer { isFree = true }
            return !isFree
        }
    }
}
