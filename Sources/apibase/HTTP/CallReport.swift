import APIBaseKit
import Basics

/// Prints retries, headers and timings of a call, and keeps the head of its last response.
final class CallReport: Sendable {
    private let extras: Set<Option>
    private let channel: Channel
    private let log: CallLog
    private let lastHead = Locked<ResponseHead?>(nil)

    init(_ extras: Set<Option>, on channel: Channel) {
        self.extras = extras
        self.channel = channel
        log = CallLog(extras.contains(.verbose) ? .headers : .line) { channel.line($0) }
    }

    var head: ResponseHead? { lastHead.withLock { $0 } }

    @Sendable func take(_ event: CallEvent) {
        switch event {
        case .head(_, let head): lastHead.withLock { $0 = head }
        case .retrying: log.report(event)
        case .ended(let timings), .failed(_, let timings):
            if extras.contains(.verbose) { log.report(event) }
            guard extras.contains(.timings) else { return }
            let width = channel.terminal?.columns() ?? 80
            for line in TimingsChart(timings).lines(width: width, style: channel.style) { channel.line(line) }
        default: break
        }
    }
}

struct TimingsChart {
    let phases: [(name: String, time: Duration)]
    let whole: Duration

    /// A phase that did not happen or is not measured is `nil`. The whole includes all attempts and waits.
    init(phases: [(name: String, time: Duration?)], whole: Duration) {
        self.phases = phases.compactMap { name, time in time.map { (name, $0) } }
        self.whole = whole
    }

    init(_ timings: CallTimings) {
        self.init(
            phases: [
                ("look-up", timings.nameLookup), ("connect", timings.connect), ("TLS", timings.tls),
                ("first byte", timings.firstByte), ("body", timings.transfer),
            ],
            whole: timings.whole
        )
    }

    func lines(width: Int, style: Style = .plain) -> [String] {
        let sum = phases.reduce(Duration.zero) { $0 + $1.time }
        let numbers = (phases.map(\.time) + [whole]).map { String(format: "%.1f ms", $0 / .milliseconds(1)) }
        let numberWidth = max(12, numbers.map(\.count).max() ?? 0)
        func columns(_ name: String, _ number: String) -> String {
            name.padded(to: 11) + String(repeating: " ", count: numberWidth - number.count) + number
        }
        var start = Duration.zero
        let lines = zip(phases, numbers).map { phase, number in
            let end = start + phase.time
            defer { start = end }
            let bar = sum > .zero ? Format.bar(from: start / sum, to: end / sum, width: width - numberWidth - 12) : ""
            return "\(columns(phase.name, number)) \(style.text(bar, as: .bar))"
        }
        return lines + [columns("whole", numbers.last ?? "")]
    }
}
