/// So many a second: when the next may begin.
///
/// One that has waited begins in theory when it was due, however late its timer came, so that the rate holds over time.
struct Pace {
    private let interval: Duration?
    /// How far calls may run ahead of the rate.
    private let lead: Duration
    /// When the next would begin if all came one by one.
    private var next: Duration?

    init(interval: Duration?, burst: Int) {
        self.interval = interval
        let longest = Duration.longest / max(1, burst)
        lead = min(interval ?? .zero, longest) * (burst - 1)
    }

    /// When a call that came at `arrival` may begin.
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
