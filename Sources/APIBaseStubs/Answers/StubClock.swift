import Dispatch
import Basics

/// The clock by which stubs wait: delays, gaps between chunks, and the time-outs of the calls they answer.
///
/// On the default, ``immediate``, every wait is over at once: a test of a time-out of 30 seconds takes no time, and still
/// fails with that time-out, since what would have come first is worked out. ``manual()`` stands still until the test
/// moves it, for tests of what happens meanwhile. ``real`` is the time of day.
public final class StubClock: Sendable {
    private enum Kind: Sendable {
        case immediate
        case real
        case manual
    }

    fileprivate struct State {
        var now = Duration.zero
        var last: UInt64 = 0
        var waiting: [(until: Duration, number: UInt64, action: @Sendable () -> Void)] = []
    }

    /// Every wait is over at once, also before a call is tried again: what is passed through to a server as well.
    public static let immediate = StubClock(.immediate)
    /// Waits take as long as they say.
    public static let real = StubClock(.real)
    /// A clock that stands still until ``advance(by:)`` moves it.
    public static func manual() -> StubClock { StubClock(.manual) }

    private let kind: Kind
    private let state = Locked(State())

    private init(_ kind: Kind) { self.kind = kind }

    /// The time that the clock shows: how far it has been moved. Always zero unless it is a manual one.
    public var now: Duration { state.withLock { $0.now } }

    /// The number of waits that are under way. Always zero unless the clock is a manual one.
    public var waits: Int { state.withLock { $0.waiting.count } }

    /// Moves a manual clock on, from one thread at a time. What is due by then happens in its order, each thing at its own time,
    /// also what follows from it at once; but a subscriber of a call gets its values on a queue of the call's own, soon
    /// afterwards.
    public func advance(by duration: Duration) {
        guard kind == .manual else { return }
        let end = state.withLock { $0.now + max(.zero, duration) }
        while let action = state.withLock({ $0.takeNext(until: end) }) { action() }
    }

    /// The time of one call that is answered on this clock.
    func makeCallClock() -> any CallClock {
        switch kind {
        case .immediate: ImmediateClock()
        case .real: WallClock.shared
        case .manual: self
        }
    }

    /// Runs `action` when so much time has passed, on a thread of the clock's, unless that is now.
    ///
    /// - Returns: Whether there is nothing to wait for; `action` is not called then, so that many such waits in a row
    ///   need no deeper stack.
    func isOver(_ duration: Duration, orThen action: @escaping @Sendable () -> Void) -> Bool {
        if kind == .immediate || duration <= .zero { return true }
        if kind == .real {
            let (seconds, attoseconds) = duration.components
            let delay = min(Double(seconds) + Double(attoseconds) / 1e18, 9e9)
            DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: action)
            return false
        }
        _ = append(duration, action)
        return false
    }

    private func append(_ duration: Duration, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.waiting.append((state.now + duration, state.last, action))
            return state.last
        }
    }
}

extension StubClock: CallClock {
    package var shift: Duration { now }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        guard duration > .zero else { return nil }
        let number = append(duration, action)
        return CallWait { self.forget(number) }
    }

    package func pretend(_ duration: Duration) {}

    private func forget(_ number: UInt64) {
        let forgotten = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        withExtendedLifetime(forgotten) {}
    }
}

extension StubClock.State {
    /// The next action that is due by `end`, at its time; nil, at `end`, if there is none.
    fileprivate mutating func takeNext(until end: Duration) -> (@Sendable () -> Void)? {
        let due = waiting.indices.filter { waiting[$0].until <= end }
        guard
            let first = due.min(by: {
                (waiting[$0].until, waiting[$0].number) < (waiting[$1].until, waiting[$1].number)
            })
        else {
            now = max(now, end)
            return nil
        }
        let (until, _, action) = waiting.remove(at: first)
        now = max(now, until)
        return action
    }
}
