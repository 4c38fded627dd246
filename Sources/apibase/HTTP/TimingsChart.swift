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
        var start = Duration.zero
        let lines = phases.map { name, time in
            let bar = sum > .zero ? Bar.text(from: start / sum, to: (start + time) / sum, width: width - 24) : ""
            start += time
            return "\(Self.columns(name, time)) \(style.text(bar, as: .bar))"
        }
        return lines + [Self.columns("whole", whole)]
    }

    private static func columns(_ name: String, _ time: Duration) -> String {
        let number = Quantity.milliseconds(time)
        return name.padded(to: 10) + String(repeating: " ", count: max(1, 13 - number.count)) + number
    }
}
