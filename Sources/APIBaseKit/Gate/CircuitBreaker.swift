/// Whether a server is worth asking: closed while calls go well, open after failures in a row, then tried with one call.
struct CircuitBreaker {
    typealias Outcome = ServerOutcome

    private enum Phase {
        case closed(failures: Int)
        case open(until: Duration)
        /// One call is under way as a trial.
        case trying
    }

    private let opensAfter: Int?
    private let restsFor: Duration
    private var phase = Phase.closed(failures: 0)
    /// Counts the changes of phase, so that calls which began before one do not count after it.
    private var generation = 0

    init(opensAfter: Int?, restsFor: Duration) {
        self.opensAfter = opensAfter
        self.restsFor = restsFor
    }

    /// The time for which calls are still refused; `nil` if one may pass.
    func refusal(at now: Duration) -> Duration? {
        switch phase {
        case .closed: nil
        case .open(let until): until > now ? until - now : nil
        case .trying: .zero
        }
    }

    /// A call passes. It is a trial if the circuit has rested.
    ///
    /// - Returns: What ``end(_:of:at:)`` wants to know it by.
    mutating func begin() -> Int {
        if case .open = phase { enter(.trying) }
        return generation
    }

    /// A call that has passed has ended.
    mutating func end(_ outcome: Outcome, of generation: Int, at now: Duration) {
        guard let opensAfter, generation == self.generation else { return }
        switch (phase, outcome) {
        case (.closed(let failures), .failure):
            if failures + 1 >= opensAfter {
                enter(.open(until: now + restsFor))
            } else {
                phase = .closed(failures: failures + 1)
            }
        case (.closed, .success): phase = .closed(failures: 0)
        case (.trying, .success): enter(.closed(failures: 0))
        case (.trying, .failure): enter(.open(until: now + restsFor))
        // The next call is the trial.
        case (.trying, .unknown): enter(.open(until: now))
        case (.closed, .unknown), (.open, _): break
        }
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        generation += 1
    }
}
