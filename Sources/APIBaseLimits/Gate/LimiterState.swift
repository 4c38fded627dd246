import HTTPTransport

/// The state of a gate: the attempts inside, those that wait, and the limits.
struct LimiterState {
    /// An attempt passes in this generation of the circuit breaker, or is refused.
    typealias Decision = Result<Int, RequestError>
    typealias Action = @Sendable (Decision) -> Void

    private struct Waiter {
        let arrival: Duration
        let action: Action
    }

    /// A time at which the queue is looked at again.
    struct Alarm: Sendable {
        let time: Duration
        /// True if the first attempt waits for another to end, so that the alarm only ends a wait that takes too long.
        let awaitsPlace: Bool
        fileprivate let number: UInt64
    }

    /// The actions to perform without the lock.
    struct Turn {
        var decided: [(action: Action, decision: Decision)] = []
        /// The alarm to set; `nil` if none is needed, or the present one will do.
        var alarm: Alarm?
        /// The wait of an alarm that is no longer needed.
        var outdated: CallWait?
    }

    /// The delay of a timer that is made up for.
    private static let lateness = Duration.milliseconds(100)

    private let limits: GateLimits
    private var breaker: CircuitBreaker
    private var rate: RateLimiter
    private var running = 0
    private var pausedUntil: Duration?
    /// The waiting attempts by number. A number that is missing between `first` and `next` was canceled.
    private var waiters: [UInt64: Waiter] = [:]
    private var (first, next): (UInt64, UInt64) = (0, 0)

    /// The time that has been skipped on immediate clocks.
    private(set) var skipped = Duration.zero
    /// The alarm that is set, and its wait. There is one at most.
    private var alarm: Alarm?
    private var alarmWait: CallWait?
    private var lastAlarm: UInt64 = 0

    init(_ limits: GateLimits) {
        self.limits = limits
        breaker = CircuitBreaker(opensAfter: limits.opensAfter, restsFor: limits.restsFor)
        rate = RateLimiter(interval: limits.interval, burst: limits.burst)
    }

    var isEmpty: Bool { waiters.isEmpty }

    /// Whether an attempt may pass now, as with a new state. Only failures in the past are forgotten with this one.
    func isAtRest(at now: Duration) -> Bool {
        isEmpty && running == 0 && breaker.isAtRest(at: now) && rate.isAtRest(at: now)
            && pausedUntil.map { $0 <= now } ?? true
    }
}

// MARK: Entering and leaving

extension LimiterState {
    /// The decision on an attempt; `nil` if it has to wait.
    mutating func enter(at now: Duration) -> Decision? {
        guard isEmpty, case .decided(let decision) = decide(arrival: now, at: now) else { return nil }
        return decision
    }

    func refusal(at now: Duration) -> Duration? { breaker.refusal(at: now) }

    /// Puts an attempt at the end of the queue, and returns its number.
    mutating func wait(since arrival: Duration, _ action: @escaping Action) -> UInt64 {
        defer { next += 1 }
        waiters[next] = Waiter(arrival: arrival, action: action)
        return next
    }

    /// Takes an attempt out of the queue. The caller releases the results outside the lock.
    mutating func forget(_ number: UInt64) -> (Action?, outdated: CallWait?) {
        let action = waiters.removeValue(forKey: number)?.action
        return (action, isEmpty ? takeAlarm() : nil)
    }

    mutating func leave(_ outcome: ServerOutcome, of generation: Int, pause: Duration?, at now: Duration) {
        running -= 1
        breaker.end(outcome, of: generation, at: now)
        if let pause { pausedUntil = max(pausedUntil ?? now, now + min(pause, GateLimits.longestPause)) }
    }
}

// MARK: Deciding

extension LimiterState {
    private enum Step {
        case decided(Decision)
        /// The attempt waits, until `until` at the latest.
        case waits(until: Duration?, awaitsPlace: Bool)
    }

    private mutating func decide(arrival: Duration, at now: Duration) -> Step {
        if let rest = breaker.refusal(at: now) { return .decided(.failure(.circuitOpen(retryAfter: rest))) }
        if let pausedUntil, pausedUntil > now { return wait(until: pausedUntil, since: arrival, at: now) }
        if let concurrent = limits.concurrent, running >= concurrent {
            return wait(until: nil, since: arrival, at: now)
        }
        // The lateness of a timer is made up for. Time spent in a pause or waiting for a place is not.
        let start = max(arrival, now - Self.lateness)
        let due = rate.due(for: start)
        guard due <= now else { return wait(until: due, since: arrival, at: now) }
        rate.begin(from: start)
        running += 1
        return .decided(.success(breaker.begin()))
    }

    /// Has an attempt wait until `time`, or until another ends; refuses it if it has waited for too long.
    private func wait(until time: Duration?, since arrival: Duration, at now: Duration) -> Step {
        guard let longest = limits.longestWait else { return .waits(until: time, awaitsPlace: time == nil) }
        let end = arrival + longest
        guard end > now else { return .decided(.failure(.gateTimedOut(after: longest))) }
        return .waits(until: min(time ?? end, end), awaitsPlace: time == nil)
    }

    /// Decides on the waiting attempts in their order, up to the first that has to wait longer. That one is also the
    /// first to have waited for too long.
    mutating func decide(at now: Duration) -> Turn {
        var turn = Turn()
        while first < next {
            guard let waiter = waiters[first] else {
                first += 1
                continue
            }
            switch decide(arrival: waiter.arrival, at: now) {
            case .decided(let decision):
                turn.decided.append((waiter.action, decision))
                waiters[first] = nil
                first += 1
            case .waits(let time, let awaitsPlace):
                guard let time, alarm.map({ $0.time > time }) ?? true else { return turn }
                turn.outdated = takeAlarm()
                lastAlarm += 1
                alarm = Alarm(time: time, awaitsPlace: awaitsPlace, number: lastAlarm)
                turn.alarm = alarm
                return turn
            }
        }
        turn.outdated = takeAlarm()
        return turn
    }

    private mutating func takeAlarm() -> CallWait? {
        alarm = nil
        return alarmWait.take()
    }

    /// Keeps the wait of an alarm; false if the alarm is no longer needed.
    mutating func keep(_ wait: CallWait, for alarm: Alarm) -> Bool {
        guard self.alarm?.number == alarm.number else { return false }
        alarmWait = wait
        return true
    }

    /// The alarm has gone off, or its wait was skipped.
    mutating func alarmFired(_ alarm: Alarm, skipping duration: Duration = .zero) {
        if self.alarm?.number == alarm.number { self.alarm = nil }
        skipped += duration
    }
}
