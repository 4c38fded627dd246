import APIBaseKit

/// The phases of a call, one below the other, each where it lay in time.
struct TimingsChart {
    let phases: [(name: String, time: Duration)]
    let whole: Duration

    /// Phases that did not happen, or that the session does not know, are `nil`.
    init(phases: [(name: String, time: Duration?)], whole: Duration) {
        self.phases = phases.compactMap { name, time in time.map { (name, $0) } }
        self.whole = whole
    }

    /// The phases are those of the last attempt, and the whole is all of them with their waits.
    init(_ timings: CallTimings) {
        self.init(
            phases: [
                ("look-up", timings.nameLookup), ("connect", timings.connect), ("TLS", timings.tls),
                ("first byte", timings.firstByte), ("body", timings.transfer),
            ],
            whole: timings.whole
        )
    }

    /// Lines of at most so many columns: name, milliseconds, bar.
    func lines(width: Int, style: Style = .plain) -> [String] {
        let sum = phases.reduce(Duration.zero) { $0 + $1.time }
        let numbers = (phases.map(\.time) + [whole]).map(Quantity.milliseconds)
        let numberWidth = max(12, numbers.map(\.count).max() ?? 0)
        func columns(_ name: String, _ number: String) -> String {
            name.padded(to: 11) + String(repeating: " ", count: numberWidth - number.count) + number
        }
        var start = Duration.zero
        let lines = zip(phases, numbers).map { phase, number in
            let end = start + phase.time
            defer { start = end }
            let bar = sum > .zero ? Bar.text(from: start / sum, to: end / sum, width: width - numberWidth - 12) : ""
            return "\(columns(phase.name, number)) \(style.text(bar, as: .bar))"
        }
        return lines + [columns("whole", numbers.last ?? "")]
    }
}
