import APIBaseKit
import Basics

/// Shows the progress of transfers, one or several at once: on a terminal a bar for each, drawn over itself; elsewhere a line
/// now and then.
final class ProgressDisplay: Sendable {
    fileprivate struct Row {
        var bar: ProgressBar
        var hasEnded = false
        /// The time at which a line was last written where there is no terminal.
        var lastLine: ContinuousClock.Instant
    }

    fileprivate struct State {
        var rows: [Row] = []
        /// The number of lines of bars that the terminal shows.
        var drawn = 0
        var lastDrawn: ContinuousClock.Instant?
    }

    private let channel: Channel
    private let state = Locked(State())

    /// The shortest time between two drawings of the bars.
    private static let frame = Duration.milliseconds(100)
    /// The shortest time between two lines about one transfer.
    private static let pause = Duration.seconds(10)

    init(on channel: Channel) {
        self.channel = channel
    }

    /// Adds a bar and returns its number.
    func add(_ name: String, at time: ContinuousClock.Instant = .now) -> Int {
        state.withLock { state in
            state.rows.append(Row(bar: ProgressBar(name, at: time), lastLine: time))
            return state.rows.count - 1
        }
    }

    /// So many bytes of a transfer are there before any is moved.
    func begin(_ number: Int, from count: Int64, at time: ContinuousClock.Instant = .now) {
        state.withLock { $0.rows[number].bar.begin(from: count, at: time) }
    }

    /// The way for lines that are to stay, above the bars.
    var above: Channel {
        Channel(terminal: channel.terminal) { [self] data in
            show { state, terminal in
                let text = String(decoding: data, as: UTF8.self)
                return terminal.map { state.redraw(on: $0, below: text) } ?? text
            }
        }
    }

    /// Takes what has been moved by now, and shows it if the last time was long enough ago.
    func update(_ number: Int, done: Int64, total: Int64?, at time: ContinuousClock.Instant = .now) {
        show { state, terminal in
            state.rows[number].bar.update(done: done, total: total, at: time)
            guard let terminal else { return state.line(of: number, at: time, pause: Self.pause) }
            if let last = state.lastDrawn, time - last < Self.frame { return "" }
            state.lastDrawn = time
            return state.redraw(on: terminal)
        }
    }

    /// The transfer is over: its bar goes, and if all was moved, a line says how much that was.
    func end(_ number: Int, isWhole: Bool = true, at time: ContinuousClock.Instant = .now) {
        show { state, terminal in
            state.rows[number].hasEnded = true
            let line = isWhole ? state.rows[number].bar.ending(at: time) + "\n" : ""
            return terminal.map { state.redraw(on: $0, below: line) } ?? line
        }
    }

    /// Writes under the lock, so that what is drawn first is written first. A channel calls nobody back.
    private func show(_ change: (inout State, Terminal?) -> String) {
        state.withLock { state in
            let text = change(&state, channel.terminal)
            if !text.isEmpty { channel.write(Data(text.utf8)) }
        }
    }
}

extension ProgressDisplay.State {
    /// The line of a transfer, if the last one was long enough ago.
    fileprivate mutating func line(
        of number: Int,
        at time: ContinuousClock.Instant,
        pause: Duration
    ) -> String {
        guard time - rows[number].lastLine >= pause else { return "" }
        rows[number].lastLine = time
        return rows[number].bar.text + "\n"
    }

    /// Takes the drawn bars away (ECMA-48: CPL and ED), and draws those of what is under way, below a line that stays.
    fileprivate mutating func redraw(on terminal: Terminal, below line: String = "") -> String {
        let erasure = drawn > 0 ? "\u{1B}[\(drawn)F\u{1B}[J" : ""
        let (width, style) = (terminal.columns(), Style(hasColours: terminal.hasColours))
        // The last column stays free: some terminals break the line there.
        let lines = rows.filter { !$0.hasEnded }.map { $0.bar.line(width: width - 1, style: style) + "\n" }
        drawn = lines.count
        return erasure + line + lines.joined()
    }
}
