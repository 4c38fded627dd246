/// So many a second: when the next may begin.
///
/// One that has waited begins in theory when it was due, however late its timer came, so that the rate holds over time.
struct Pace {
    private let interval: Duration?
    /// The time by which calls may run ahead of the rate: that of a burst.
    private let lead: Duration
    /// The time at which the next call would begin if there were no bursts; `nil` before the first.
    private var next: Duration?

    init(interval: Duration?, burst: Int) {
        self.interval = interval
        let longest = Duration.longest / max(1, burst)
        lead = min(interval ?? .zero, longest) * (burst - 1)
    }

    /// The earliest time at which a call that came at `arrival` may begin.
    func due(for arrival: Duration) -> Duration {
        guard let next else { return arrival }
        return max(arrival, next - lead)
    }

    /// A call that came at `arrival` begins.
    mutating func begin(from arrival: Duration) {
        guard let interval else { return }
        next = max(next ?? arrival, arrival) + interval
    }
}
