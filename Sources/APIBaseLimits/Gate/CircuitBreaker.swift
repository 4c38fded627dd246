/// A circuit breaker: closed while attempts succeed, open after a number of failures in a row, then tried with one
/// attempt.
struct CircuitBreaker {
    private enum Phase {
        case closed(failures: Int)
        case open(until: Duration)
        /// One attempt is under way as a trial ("half-open").
        case trying
    }

    private let opensAfter: Int?
    private let restsFor: Duration
    private var phase = Phase.closed(failures: 0)
    /// Counts the changes of phase: attempts of an earlier phase have no effect on the present one.
    private var generation = 0

    init(opensAfter: Int?, restsFor: Duration) {
        self.opensAfter = opensAfter
        self.restsFor = restsFor
    }

    /// The time for which attempts are still refused; `nil` if one may pass.
    func refusal(at now: Duration) -> Duration? {
        switch phase {
        case .closed: nil
        case .open(let until): until > now ? until - now : nil
        case .trying: .zero
        }
    }

    /// Whether attempts may pass, and none is a trial.
    func isAtRest(at now: Duration) -> Bool { refusal(at: now) == nil }

    /// Lets an attempt pass, as the trial if the circuit was open.
    ///
    /// - Returns: The generation, for ``end(_:of:at:)``.
    mutating func begin() -> Int {
        if case .open = phase { enter(.trying) }
        return generation
    }

    mutating func end(_ outcome: ServerOutcome, of generation: Int, at now: Duration) {
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
        // The next attempt is the trial.
        case (.trying, .unknown): enter(.open(until: now))
        case (.closed, .unknown), (.open, _): break
        }
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        generation += 1
    }
}
