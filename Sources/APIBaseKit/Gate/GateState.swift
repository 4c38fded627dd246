import HTTPTransport

/// The calls inside a gate, and those that wait, and for what.
struct GateState {
    /// Goes on with a call: it passes, as one of this generation of the circuit breaker, or is refused.
    typealias Verdict = Result<Int, RequestError>
    typealias Action = @Sendable (Verdict) -> Void

    /// One that waits.
    private struct Waiter {
        let arrival: Duration
        let action: Action
    }

    /// A time at which the line is looked at again.
    struct Alarm: Sendable {
        let time: Duration
        /// Whether the end of another call is waited for: then the alarm ends a wait that has lasted too long.
        let awaitsPlace: Bool
        fileprivate let number: UInt64
    }

    /// What is to be done without the lock.
    struct Turn {
        var decided: [(action: Action, verdict: Verdict)] = []
        /// The alarm to set; `nil` if the one that is set will do, or none is needed.
        var alarm: Alarm?
        /// The wait for an alarm that is needed no more.
        var outdated: CallWait?
    }

    /// The delay of a timer that is made up for.
    private static let lateness = Duration.milliseconds(100)

    private let limits: GateLimits
    private var breaker: CircuitBreaker
    private var pace: Pace
    private var running = 0
    private var pausedUntil: Duration?
    /// Those that wait, by number. Numbers between `first` and `next` that are missing have been cancelled.
    private var waiters: [UInt64: Waiter] = [:]
    private var (first, next): (UInt64, UInt64) = (0, 0)

    /// The time that has been skipped on a clock where waits are over at once.
    private(set) var skipped = Duration.zero
    /// The alarm that is set, if one is, and the wait for it; there is one at most.
    private var alarm: Alarm?
    private var alarmWait: CallWait?
    private var lastAlarm: UInt64 = 0

    init(_ limits: GateLimits) {
        self.limits = limits
        breaker = CircuitBreaker(opensAfter: limits.opensAfter, restsFor: limits.restsFor)
        pace = Pace(interval: limits.interval, burst: limits.burst)
    }

    var isEmpty: Bool { waiters.isEmpty }
}

// MARK: Coming and going

extension GateState {
    /// The verdict on a call that can be decided at once; `nil` if it has to wait.
    mutating func enter(at now: Duration) -> Verdict? {
        guard isEmpty, case .decided(let verdict) = judge(arrival: now, at: now) else { return nil }
        return verdict
    }

    func refusal(at now: Duration) -> Duration? { breaker.refusal(at: now) }

    /// Puts a call at the end of the line.
    ///
    /// - Returns: The number by which it can be taken out.
    mutating func wait(since arrival: Duration, _ action: @escaping Action) -> UInt64 {
        defer { next += 1 }
        waiters[next] = Waiter(arrival: arrival, action: action)
        return next
    }

    /// Takes a call out of the line.
    ///
    /// - Returns: What it kept, to be let go of outside the lock, and the wait for an alarm that is needed no more.
    mutating func forget(_ number: UInt64) -> (Action?, outdated: CallWait?) {
        let action = waiters.removeValue(forKey: number)?.action
        return (action, isEmpty ? takeAlarm() : nil)
    }

    /// A call that has passed has ended.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - generation: What ``enter(at:)`` gave it.
    ///   - pause: For how long the server asks to be left alone.
    ///   - now: The time.
    mutating func leave(_ outcome: CircuitBreaker.Outcome, of generation: Int, pause: Duration?, at now: Duration) {
        running -= 1
        breaker.end(outcome, of: generation, at: now)
        if let pause { pausedUntil = max(pausedUntil ?? now, now + min(pause, GateLimits.longestPause)) }
    }
}

// MARK: Deciding

extension GateState {
    private enum Judgement {
        case decided(Verdict)
        /// It waits: until then at most, if there is a limit.
        case waits(until: Duration?, awaitsPlace: Bool)
    }

    /// Judges the call that comes next.
    private mutating func judge(arrival: Duration, at now: Duration) -> Judgement {
        if let rest = breaker.refusal(at: now) { return .decided(.failure(.circuitOpen(retryAfter: rest))) }
        if let pausedUntil, pausedUntil > now { return wait(until: pausedUntil, since: arrival, at: now) }
        if let concurrent = limits.concurrent, running >= concurrent {
            return wait(until: nil, since: arrival, at: now)
        }
        // What the timer was late by is made up for; what was spent in a pause or in waiting for a place is not.
        let start = max(arrival, now - Self.lateness)
        let due = pace.due(for: start)
        guard due <= now else { return wait(until: due, since: arrival, at: now) }
        pace.begin(from: start)
        running += 1
        return .decided(.success(breaker.begin()))
    }

    /// Judges a call that cannot pass before `time`, or before another ends: it waits, unless it has done so for too long.
    private func wait(until time: Duration?, since arrival: Duration, at now: Duration) -> Judgement {
        guard let longest = limits.longestWait else { return .waits(until: time, awaitsPlace: time == nil) }
        let end = arrival + longest
        guard end > now else { return .decided(.failure(.gateTimedOut(after: longest))) }
        return .waits(until: min(time ?? end, end), awaitsPlace: time == nil)
    }

    /// Decides on those that wait, in their order, as far as that can be done now. The first is also the first that has waited
    /// for too long.
    mutating func decide(at now: Duration) -> Turn {
        var turn = Turn()
        while first < next {
            guard let waiter = waiters[first] else {
                first += 1
                continue
            }
            switch judge(arrival: waiter.arrival, at: now) {
            case .decided(let verdict):
                turn.decided.append((waiter.action, verdict))
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

    /// Keeps the wait for an alarm; false if that is needed no more.
    mutating func keep(_ wait: CallWait, for alarm: Alarm) -> Bool {
        guard self.alarm?.number == alarm.number else { return false }
        alarmWait = wait
        return true
    }

    /// The alarm has gone off, or its wait was over at once.
    mutating func silence(_ alarm: Alarm, skipping duration: Duration = .zero) {
        if self.alarm?.number == alarm.number { self.alarm = nil }
        skipped += duration
    }
}
