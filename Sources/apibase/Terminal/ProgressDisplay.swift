import APIBaseKit
import Basics

/// Shows the progress of transfers, one or several at once: on a terminal a bar for each, drawn over itself; elsewhere a line
/// now and then.
final class ProgressDisplay: Sendable {
    fileprivate struct State {
        var bars: [ProgressBar] = []
        var hasEnded: [Bool] = []
        /// How many lines of bars the terminal shows.
        var drawn = 0
        var lastDrawn: ContinuousClock.Instant?
    }

    private let channel: Channel
    private let state = Locked(State())

    init(on channel: Channel) {
        self.channel = channel
    }

    /// Adds a bar and returns its number.
    func add(_ name: String, at time: ContinuousClock.Instant = .now) -> Int {
        state.withLock { state in
            state.bars.append(ProgressBar(name, at: time))
            state.hasEnded.append(false)
            return state.bars.count - 1
        }
    }

    /// Takes what has been moved by now, and shows it if the last time was long enough ago.
    func update(_ number: Int, done: Int64, total: Int64?, at time: ContinuousClock.Instant = .now) {
        show(at: time, every: channel.terminal == nil ? .seconds(10) : .milliseconds(100)) { state in
            state.bars[number].update(done: done, total: total, at: time)
            return state.bars[number].text
        }
    }

    /// The transfer is over: its bar goes, and a line says what was moved.
    func end(_ number: Int, at time: ContinuousClock.Instant = .now) {
        show(at: time, every: .zero, above: true) { state in
            state.hasEnded[number] = true
            return state.bars[number].ending(at: time)
        }
    }

    /// Takes the bars away, as before an error is written.
    func clear() {
        let text = state.withLock { state -> String in
            defer { state.drawn = 0 }
            return state.erasure
        }
        if !text.isEmpty { channel.write(Data(text.utf8)) }
    }

    /// - Parameters:
    ///   - time: Now.
    ///   - pause: How long ago the last drawing has to be.
    ///   - above: Whether the line stays, above the bars, also on a terminal.
    ///   - change: What happens, and the line that says it.
    private func show(
        at time: ContinuousClock.Instant,
        every pause: Duration,
        above: Bool = false,
        _ change: (inout State) -> String
    ) {
        let terminal = channel.terminal
        let text = state.withLock { state -> String? in
            let line = change(&state)
            if let last = state.lastDrawn, time - last < pause { return nil }
            defer { state.lastDrawn = time }
            // The first look is worth nothing where lines stay.
            guard let terminal else { return above || state.lastDrawn != nil ? line + "\n" : nil }
            let start = state.erasure + (above ? line + "\n" : "")
            return start + state.draw(width: terminal.columns(), style: channel.style)
        }
        if let text { channel.write(Data(text.utf8)) }
    }
}

extension ProgressDisplay.State {
    /// What takes the drawn bars away (ECMA-48: CPL and ED).
    fileprivate var erasure: String { drawn > 0 ? "\u{1B}[\(drawn)F\u{1B}[J" : "" }

    /// The bars of what is under way. The last column stays free: some terminals break the line there.
    fileprivate mutating func draw(width: Int, style: Style) -> String {
        let lines = zip(bars, hasEnded).filter { !$0.1 }.map { $0.0.line(width: width - 1, style: style) + "\n" }
        drawn = lines.count
        return lines.joined()
    }
}
