import APIBaseKit

/// The progress of a transfer: computes speed and remaining time from byte counts, and formats the line for a terminal.
struct ProgressBar: Sendable {
    let name: String
    private(set) var done: Int64 = 0
    private(set) var total: Int64?

    /// The number of bytes from an earlier run; `nil` if unknown.
    private var first: Int64?
    /// The byte counts of the last seconds, for the speed.
    private var samples: [(time: ContinuousClock.Instant, done: Int64)]
    private let start: ContinuousClock.Instant

    private static let window = Duration.seconds(5)

    init(_ name: String, at start: ContinuousClock.Instant = .now) {
        self.name = name.forTerminal
        self.start = start
        samples = [(start, 0)]
    }

    /// Sets the byte counts. A negative total is unknown.
    mutating func update(done: Int64, total: Int64?, at time: ContinuousClock.Instant = .now) {
        self.done = done
        self.total = total.flatMap { $0 < 0 ? nil : $0 }
        // At most fifty samples in the window, however often this is called.
        if samples.count > 1, time - samples[samples.count - 2].time < Self.window / 50 { samples.removeLast() }
        samples.append((time, done))
        // Keeps one sample from before the window, as its start.
        while samples.count > 2, samples[1].time < time - Self.window { samples.removeFirst() }
    }

    /// Sets the number of bytes from an earlier run. They count as done, but not for the speed.
    mutating func begin(from count: Int64, at time: ContinuousClock.Instant = .now) {
        first = min(first ?? count, count)
        done = count
        samples = [(time, count)]
    }

    var speed: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return max(0, Double(last.done - first.done) / ((last.time - first.time) / .seconds(1)))
    }

    var timeLeft: Duration? {
        guard let total, let speed, speed > 0 else { return nil }
        return .seconds(min(Double(max(0, total - done)) / speed, 1e9))
    }

    /// The fraction done, from 0 to 1; `nil` if unknown.
    var fraction: Double? {
        total.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 }
    }

    /// A line of exactly `width` columns: name, bar, percentage, bytes, speed, remaining time.
    func line(width: Int, style: Style = .plain) -> String {
        let part = fraction.map { String(format: "%3d %%", Int($0 * 100)) } ?? "     "
        let bytes = total.map { "\(Format.bytes(done)) of \(Format.bytes($0))" } ?? Format.bytes(done)
        let speed = speed.map { "\(Format.bytes(Int64(min($0, 1e18))))/s" } ?? ""
        // Leaves out the least important numbers until the rest fits.
        let numbers =
            [[part, bytes, speed, Format.seconds(timeLeft)], [part, bytes], [part]]
            .map { $0.joined(separator: "  ") }
            .first { $0.columns <= width * 3 / 5 } ?? part
        let space = width - numbers.columns - 2
        let nameWidth = min(name.columns, max(8, space / 2))
        let barWidth = space - nameWidth - 1
        let bar = Format.bar(to: fraction ?? 0, width: barWidth)
        let rest = String(repeating: "·", count: max(0, barWidth - bar.columns))
        let shown = style.text(bar, as: .bar) + style.text(rest, as: .faint)
        return "\(name.shortened(to: nameWidth).padded(to: nameWidth)) \(shown)  \(numbers)"
    }

    /// A line for a file or a pipe: `photo.jpg: 12.3 MB of 45.6 MB, 1.2 MB/s`.
    var text: String {
        let total = total.map { $0 == done ? "" : " of \(Format.bytes($0))" } ?? ""
        let speed = speed.map { ", \(Format.bytes(Int64(min($0, 1e18))))/s" } ?? ""
        return "\(name): \(Format.bytes(done))\(total)\(speed)"
    }

    /// The line after the transfer: `a.jpg: 45.6 MB in 0:38`; if it was resumed, `a.jpg: 45.6 MB, 5.1 MB of it now, …`.
    func ending(at time: ContinuousClock.Instant = .now) -> String {
        let part = first.map { $0 > 0 ? ", \(Format.bytes(done - $0)) of it now," : "" } ?? ""
        return "\(name): \(Format.bytes(done))\(part) in \(Format.seconds(time - start))"
    }
}
