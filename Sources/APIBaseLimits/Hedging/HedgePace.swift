import Basics

/// The pace of the calls of one class: when a copy is due, and whether it may be sent.
final class HedgePace: Sendable {
    fileprivate struct State {
        /// The times of the last answers, as a ring.
        var times: [Duration] = []
        var next = 0
        /// The delay by a percentile; `nil` before there are enough answers.
        var delay: Duration?
        /// The number of copies that may be sent.
        var credit = 1.0
        /// The calls with two copies and no answer.
        var unanswered = 0
    }

    /// The number of answers that are looked at.
    fileprivate static let window = 128
    fileprivate static let leastAnswers = 20
    /// The copies for each answer.
    private static let ratio = 0.05
    /// The copies that may be sent at once after a quiet time.
    private static let mostCredit = 5.0
    /// The calls that may wait with two copies. In an outage, all calls wait.
    private static let mostUnanswered = 3

    private let setting: Hedge.Delay
    private let state = Locked(State())

    init(_ setting: Hedge.Delay) { self.setting = setting }

    /// The time after which a copy is due; `nil` while that is not known.
    var delay: Duration? {
        if case .time(let delay) = setting { return delay }
        return state.withLock { $0.delay }
    }

    /// Whether a copy may be sent, which then counts.
    func begins() -> Bool {
        state.withLock { state in
            guard state.credit >= 1, state.unanswered < Self.mostUnanswered else { return false }
            state.credit -= 1
            state.unanswered += 1
            return true
        }
    }

    /// Takes the end of a call.
    ///
    /// - Parameters:
    ///   - time: The time to the answer; `nil` for a failure.
    ///   - isCopied: Whether a copy was sent.
    func ended(after time: Duration?, isCopied: Bool) {
        state.withLock { state in
            if isCopied { state.unanswered -= 1 }
            guard let time else { return state.credit = 0 }
            state.credit = min(Self.mostCredit, state.credit + Self.ratio)
            if case .percentile(let percentile) = setting { state.add(time, percentile) }
        }
    }

    /// A call with a copy was canceled.
    func canceled() { state.withLock { $0.unanswered -= 1 } }
}

extension HedgePace.State {
    fileprivate mutating func add(_ time: Duration, _ percentile: Int) {
        if times.count < HedgePace.window { times.append(time) } else { times[next] = time }
        next = (next + 1) % HedgePace.window
        // Sorting them for each answer would cost more than it tells.
        guard times.count >= HedgePace.leastAnswers, delay == nil || next % 8 == 0 else { return }
        delay = times.sorted()[min(times.count - 1, times.count * percentile / 100)]
    }
}
