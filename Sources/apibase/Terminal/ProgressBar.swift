import APIBaseKit

/// The progress of a transfer, as a value: it takes counts with their times, and makes the line that a terminal shows.
struct ProgressBar: Sendable {
    /// The name of the transfer.
    let name: String
    /// The number of bytes that have been moved.
    private(set) var done: Int64 = 0
    /// The total number of bytes; `nil` if that is not known.
    private(set) var total: Int64?

    /// The number of bytes that were there before; `nil` as long as it is not known.
    private var first: Int64?
    /// Bytes and times of the last seconds, for the speed.
    private var samples: [(time: ContinuousClock.Instant, done: Int64)]
    private let start: ContinuousClock.Instant

    /// The time over which the speed is taken.
    private static let window = Duration.seconds(5)

    init(_ name: String, at start: ContinuousClock.Instant = .now) {
        self.name = name.withoutControls
        self.start = start
        samples = [(start, 0)]
    }

    /// Takes what has been moved by now. A negative total is one that is not known.
    mutating func update(done: Int64, total: Int64?, at time: ContinuousClock.Instant = .now) {
        self.done = done
        self.total = total.flatMap { $0 < 0 ? nil : $0 }
        // However often it is told, samples are a fiftieth of the window apart.
        if samples.count > 1, time - samples[samples.count - 2].time < Self.window / 50 { samples.removeLast() }
        samples.append((time, done))
        // One from before the window stays, for where it begins.
        while samples.count > 2, samples[1].time < time - Self.window { samples.removeFirst() }
    }

    /// So many bytes are there before any is moved. They count as done, and not for the speed.
    mutating func begin(from count: Int64, at time: ContinuousClock.Instant = .now) {
        first = min(first ?? count, count)
        done = count
        samples = [(time, count)]
    }

    /// Bytes in a second; `nil` before anything is known.
    var speed: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return max(0, Double(last.done - first.done) / ((last.time - first.time) / .seconds(1)))
    }

    /// The time that is left at this speed; `nil` if it cannot be known.
    var timeLeft: Duration? {
        guard let total, let speed, speed > 0 else { return nil }
        return .seconds(min(Double(max(0, total - done)) / speed, 1e9))
    }

    /// The part that is done, from 0 to 1; `nil` if there is no knowing.
    var fraction: Double? {
        total.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 1 }
    }

    /// A line of exactly so many columns: name, bar, part, bytes, speed, time left.
    func line(width: Int, style: Style = .plain) -> String {
        let part = fraction.map { String(format: "%3d %%", Int($0 * 100)) } ?? "     "
        let bytes = total.map { "\(Quantity.bytes(done)) of \(Quantity.bytes($0))" } ?? Quantity.bytes(done)
        let speed = speed.map { "\(Quantity.bytes(Int64(min($0, 1e18))))/s" } ?? ""
        // What does not fit goes, the least important first.
        let numbers =
            [[part, bytes, speed, Quantity.seconds(timeLeft)], [part, bytes], [part]]
            .map { $0.joined(separator: "  ") }
            .first { $0.columns <= width * 3 / 5 } ?? part
        let space = width - numbers.columns - 2
        let nameWidth = min(name.columns, max(8, space / 2))
        let barWidth = space - nameWidth - 1
        let bar = Bar.text(to: fraction ?? 0, width: barWidth)
        let rest = String(repeating: "·", count: max(0, barWidth - bar.columns))
        let shown = style.text(bar, as: .bar) + style.text(rest, as: .faint)
        return "\(name.shortened(to: nameWidth).padded(to: nameWidth)) \(shown)  \(numbers)"
    }

    /// A line for a file or a pipe: `photo.jpg: 12.3 MB of 45.6 MB, 1.2 MB/s`.
    var text: String {
        let total = total.map { $0 == done ? "" : " of \(Quantity.bytes($0))" } ?? ""
        let speed = speed.map { ", \(Quantity.bytes(Int64(min($0, 1e18))))/s" } ?? ""
        return "\(name): \(Quantity.bytes(done))\(total)\(speed)"
    }

    /// The line at the end of the transfer: `photo.jpg: 45.6 MB in 0:38`, or `photo.jpg: 45.6 MB, 5.1 MB of it now, in 0:04`.
    func ending(at time: ContinuousClock.Instant = .now) -> String {
        let part = first.map { $0 > 0 ? ", \(Quantity.bytes(done - $0)) of it now," : "" } ?? ""
        return "\(name): \(Quantity.bytes(done))\(part) in \(Quantity.seconds(time - start))"
    }
}
