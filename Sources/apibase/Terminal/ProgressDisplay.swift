import APIBaseKit
import Basics

/// Shows the progress of one or more transfers: on a terminal as bars that are redrawn in place, elsewhere as a line
/// every ten seconds.
final class ProgressDisplay: Sendable {
    fileprivate struct Row {
        var bar: ProgressBar
        /// Progress may be published on another queue, and arrive after the end.
        var isFinished = false
        /// The time of the last line, if there is no terminal.
        var lastLine: ContinuousClock.Instant
    }

    fileprivate struct State {
        var rows: [Row] = []
        var drawn = 0
        var lastDrawn: ContinuousClock.Instant?
    }

    private let channel: Channel
    private let state = Locked(State())

    private static let frame = Duration.milliseconds(100)
    private static let pause = Duration.seconds(10)

    init(on channel: Channel) { self.channel = channel }

    func add(_ name: String, at time: ContinuousClock.Instant = .now) -> Int {
        state.withLock { state in
            state.rows.append(Row(bar: ProgressBar(name, at: time), lastLine: time))
            return state.rows.count - 1
        }
    }

    /// Sets the number of bytes that a transfer has from an earlier run.
    func begin(_ number: Int, from count: Int64, at time: ContinuousClock.Instant = .now) {
        state.withLock { $0.rows[number].bar.begin(from: count, at: time) }
    }

    /// A channel for lines that stay above the bars.
    var above: Channel {
        Channel(terminal: channel.terminal) { [self] data in
            show { state, terminal in
                let text = String(decoding: data, as: UTF8.self)
                return terminal.map { state.redraw(on: $0, below: text) } ?? text
            }
        }
    }

    /// Sets the byte counts of a transfer, and shows them if the last drawing was long enough ago.
    func update(_ number: Int, done: Int64, total: Int64?, at time: ContinuousClock.Instant = .now) {
        show { state, terminal in
            guard !state.rows[number].isFinished else { return "" }
            state.rows[number].bar.update(done: done, total: total, at: time)
            guard let terminal else { return state.line(of: number, at: time, pause: Self.pause) }
            if let last = state.lastDrawn, time - last < Self.frame { return "" }
            state.lastDrawn = time
            return state.redraw(on: terminal)
        }
    }

    /// Removes the bar of a transfer, once. A complete transfer leaves a line with its size and duration.
    func end(_ number: Int, isComplete: Bool = true, at time: ContinuousClock.Instant = .now) {
        show { state, terminal in
            guard !state.rows[number].isFinished else { return "" }
            state.rows[number].isFinished = true
            let line = isComplete ? state.rows[number].bar.ending(at: time) + "\n" : ""
            return terminal.map { state.redraw(on: $0, below: line) } ?? line
        }
    }

    /// Writes under the lock to keep the order. A channel makes no callbacks.
    private func show(_ change: (inout State, Terminal?) -> String) {
        state.withLock { state in
            let text = change(&state, channel.terminal)
            if !text.isEmpty { channel.write(Data(text.utf8)) }
        }
    }
}

extension ProgressDisplay.State {
    /// The line about a transfer, if the last one was long enough ago.
    fileprivate mutating func line(of number: Int, at time: ContinuousClock.Instant, pause: Duration) -> String {
        guard time - rows[number].lastLine >= pause else { return "" }
        rows[number].lastLine = time
        return rows[number].bar.text + "\n"
    }

    /// Erases the bars (ECMA-48: CPL and ED), and draws those of the running transfers below a line that stays.
    fileprivate mutating func redraw(on terminal: Terminal, below line: String = "") -> String {
        let erasure = drawn > 0 ? "\u{1B}[\(drawn)F\u{1B}[J" : ""
        let (width, style) = (terminal.columns(), Style(hasColors: terminal.hasColors))
        // Leaves the last column free, because some terminals wrap the line there.
        let lines = rows.filter { !$0.isFinished }.map { $0.bar.line(width: width - 1, style: style) + "\n" }
        drawn = lines.count
        return erasure + line + lines.joined()
    }
}

/// The bar of one transfer, driven by the events and the byte counts of its call.
final class TransferBar: Sendable {
    private let display: ProgressDisplay
    private let number: Int

    init(_ name: String, on display: ProgressDisplay) {
        self.display = display
        number = display.add(name)
    }

    /// Reads from the head of a response at which byte the transfer resumes (RFC 9110, section 14.4).
    @Sendable func take(_ event: CallEvent) {
        guard case .head(_, let head) = event else { return }
        if head.statusCode == 200 { display.begin(number, from: 0) }
        let range = head.statusCode == 206 ? head.headers["Content-Range"] ?? "" : ""
        if let first = Int64(range.drop { $0 != " " }.dropFirst().prefix { $0 != "-" }) {
            display.begin(number, from: first)
        }
    }

    /// Sets the byte counts. A negative total is unknown.
    func update(done: Int64, total: Int64) {
        // Each attempt starts with 0 of 0.
        if done > 0 { display.update(number, done: done, total: total) }
    }

    func end(isComplete: Bool) { display.end(number, isComplete: isComplete) }
}
