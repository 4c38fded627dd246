import Basics
import HTTPTransport

/// The clock by which stubs wait: delays, gaps between chunks, and the time-outs of the calls they answer.
///
/// On the default, ``immediate``, every wait is over at once: a test of a time-out of 30 seconds takes no time, and still
/// fails with that time-out, since what would have come first is worked out. ``manual(movedWithin:)`` stands still until the
/// test moves it, for tests of what happens meanwhile. ``real`` is the time of day.
public final class StubClock: Sendable {
    private enum Kind: Sendable {
        case immediate
        case real
        case manual
    }

    /// Every wait is over at once, also before a call is tried again: what is passed through to a server as well.
    public static let immediate = StubClock(.immediate)
    /// Waits take as long as they say.
    public static let real = StubClock(.real)

    /// A clock that stands still until ``advance(by:)`` moves it.
    ///
    /// A test that forgets to move it fails and does not hang: when a call has waited for `limit` of real time, and nobody has
    /// moved the clock meanwhile, the requests that wait, and all later ones, fail with
    /// ``StubProblem/clockNotMoved(within:wait:)``, which also fails the check of the scope. From then on the clock moves by
    /// itself.
    ///
    /// - Parameter limit: The real time after which that is so, in whole seconds, rounded up. `nil` for never: for a clock that
    ///   people move, as in a preview.
    /// - Returns: A clock that shows zero.
    public static func manual(movedWithin limit: Duration? = .seconds(30)) -> StubClock {
        StubClock(.manual, limit.map { max(.zero, $0) })
    }

    private let kind: Kind
    /// The real time after which somebody must have moved the clock.
    let limit: Duration?
    let state = Locked(StubClockState())

    private init(_ kind: Kind, _ limit: Duration? = nil) {
        self.kind = kind
        self.limit = limit
    }

    var isManual: Bool { kind == .manual }

    /// The time that the clock shows: how far it has been moved. Always zero unless it is a manual one.
    public var now: Duration { state.withLock { $0.now } }

    /// The number of waits that are under way: of answers, between attempts, at gates, and for the deadlines and time-outs of
    /// calls. Always zero unless the clock is a manual one.
    public var waits: Int { state.withLock { $0.waiting.count } }

    /// The time until the next of the ``waits`` is over; nil if there are none. A deadline or a time-out is one as well: the next
    /// wait is mostly another one, since those are longer.
    public var nextWait: Duration? {
        state.withLock { state in state.waiting.map(\.until).min().map { max(.zero, $0 - state.now) } }
    }

    /// Moves a manual clock on, from one thread at a time. What is due by then happens in its order, each thing at its own time,
    /// also what follows from it at once; but a subscriber of a call gets its values on a queue of the call's own, soon
    /// afterwards: see ``settled()``.
    public func advance(by duration: Duration) {
        guard isManual else { return }
        let end = state.withLock { $0.now + max(.zero, min(duration, .longest)) }
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
}

extension StubClock: CallClock {
    package var offset: Duration { now }

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        guard duration > .zero else { return nil }
        let (number, isFirst) = state.withLock { $0.append(min(duration, .longest), action) }
        if isFirst, limit != nil { watch() }
        return CallWait { self.forget(number) }
    }

    package func account(for duration: Duration) {}

    package func follow(_ call: any ExchangeCaller) {
        withExtendedLifetime(state.withLock { $0.users.append(call) }) {}
    }

    private func forget(_ number: UInt64) {
        let forgotten = state.withLock { $0.forget(number) }
        withExtendedLifetime(forgotten) {}
    }
}
