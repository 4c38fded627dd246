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
    /// The time at which the line is looked at again; `nil` if none is set.
    private(set) var alarm: Duration?

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
    /// - Returns: What it kept, to be let go of outside the lock; `nil` if it waits no more.
    mutating func forget(_ number: UInt64) -> Action? { waiters.removeValue(forKey: number)?.action }

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
        /// It waits: until then, or for a call to end.
        case waits(until: Duration?)
    }

    /// Judges the call that comes next.
    private mutating func judge(arrival: Duration, at now: Duration) -> Judgement {
        if let rest = breaker.refusal(at: now) { return .decided(.failure(.circuitOpen(retryAfter: rest))) }
        if let pausedUntil, pausedUntil > now { return .waits(until: pausedUntil) }
        if let concurrent = limits.concurrent, running >= concurrent { return .waits(until: nil) }
        // What the timer was late by is made up for; what was spent in a pause or in waiting for a place is not.
        let arrival = max(arrival, now - Self.lateness)
        let due = pace.due(for: arrival)
        guard due <= now else { return .waits(until: due) }
        pace.begin(from: arrival)
        running += 1
        return .decided(.success(breaker.begin()))
    }

    /// Decides on those that wait, in their order, as far as that can be done now.
    ///
    /// - Returns: What has been decided, and when to look again: `nil` if that is arranged already, or not needed.
    mutating func decide(at now: Duration) -> (decided: [(Action, Verdict)], alarm: Duration?) {
        var decided: [(Action, Verdict)] = []
        while first < next {
            guard let waiter = waiters[first] else {
                first += 1
                continue
            }
            switch judge(arrival: waiter.arrival, at: now) {
            case .decided(let verdict):
                decided.append((waiter.action, verdict))
                waiters[first] = nil
                first += 1
            case .waits(let time): return (decided, setAlarm(at: time))
            }
        }
        return (decided, nil)
    }

    private mutating func setAlarm(at time: Duration?) -> Duration? {
        guard let time else { return nil }
        if let alarm, alarm <= time { return nil }
        alarm = time
        return time
    }

    /// The alarm for that time has gone off, or its wait was over at once.
    mutating func silence(_ time: Duration, skipping duration: Duration = .zero) {
        if alarm == time { alarm = nil }
        skipped += duration
    }
}
