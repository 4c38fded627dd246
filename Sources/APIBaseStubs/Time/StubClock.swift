import Basics
import HTTPTransport

/// The clock on which stubs wait: delays, gaps between chunks, and the timeouts of the calls they answer.
///
/// On the default clock, ``immediate``, no wait takes time. A test of a 30 second timeout finishes at once, and still
/// fails with that timeout, because the clock works out what would have come first. ``manual(movedWithin:)`` stands
/// still until the test moves it, for tests of what happens during a wait. ``real`` follows real time.
public final class StubClock: Sendable {
    /// Waits take no time. That includes the waits between attempts, also of calls that are passed through to a server.
    public static let immediate = StubClock { ImmediateClock(in: $0) }
    /// Waits take as long as they say.
    public static let real = StubClock { _ in WallClock.shared }

    /// Returns a clock that stands still until ``advance(by:)`` moves it.
    ///
    /// A test that forgets to move the clock fails instead of hanging: when a call has waited for `limit` of real time,
    /// the waiting requests and all later ones fail with ``StubProblem/clockNotMoved(within:wait:calls:)``, and so does
    /// the check of the scope. From then on the clock moves by itself.
    ///
    /// - Parameter limit: The time limit for each move, which is checked every tenth of a second; nil for none, as in a
    ///   preview.
    /// - Returns: A clock that shows zero.
    public static func manual(movedWithin limit: Duration? = .seconds(10)) -> StubClock {
        StubClock(limit: limit.map { max(.zero, $0) })
    }

    private let callClock: (@Sendable (ScopeTime?) -> any CallClock)?
    let limit: Duration?
    let state = Locked(StubClockState())

    private init(limit: Duration? = nil, _ callClock: (@Sendable (ScopeTime?) -> any CallClock)? = nil) {
        (self.limit, self.callClock) = (limit, callClock)
    }

    var isManual: Bool { callClock == nil }

    /// The time by which a manual clock has been moved. Always zero on other clocks.
    public var now: Duration { state.withLock { $0.now } }

    /// The number of current waits: of answers, between attempts, at gates, and for deadlines and timeouts. Always zero
    /// unless the clock is manual.
    public var waits: Int { state.withLock { $0.waiting.count } }

    /// The time until the next of the ``waits`` ends; nil without waits. Deadlines and timeouts count as waits, but
    /// are usually longer than the others.
    public var nextWait: Duration? {
        state.withLock { state in state.waiting.map(\.until).min().map { max(.zero, $0 - state.now) } }
    }

    /// Moves a manual clock forward. Call it from one thread at a time.
    ///
    /// Everything that is due by then happens in order, each at its own time. Subscribers get their values shortly
    /// afterwards, on a queue of the call: see ``settled()``. On other clocks, nothing happens.
    public func advance(by duration: Duration) {
        guard isManual else { return }
        let end = state.withLock { $0.now + max(.zero, min(duration, .longest)) }
        while let action = state.withLock({ $0.takeNext(until: end) }) { action() }
    }

    /// The clock of a call, in a scope with this time.
    func makeCallClock(in scope: ScopeTime? = nil) -> any CallClock { callClock?(scope) ?? self }

    /// The problem with the clock; nil unless it has not been moved in time.
    var problem: StubProblem? { state.withLock { $0.problem } }
}

extension StubClock: CallClock {
    package var offset: Duration { now }

    /// The date moves with the clock only.
    package var date: Date { Self.start + now.inSeconds }

    /// The date at zero.
    private static let start = Date()

    package func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait? {
        guard duration > .zero else { return nil }
        let (number, isFirst) = state.withLock { $0.append(min(duration, .longest), action) }
        if isFirst, limit != nil { watch() }
        return CallWait {
            let action = self.state.withLock { $0.remove(number) }
            withExtendedLifetime(action) {}
        }
    }

    package func account(for duration: Duration) {}

    package func follow(_ call: any ExchangeCaller) {
        withExtendedLifetime(state.withLock { $0.users.append(.init(call: call)) }) {}
    }

    func follow(_ answer: any ClockedAnswer) {
        if isManual { withExtendedLifetime(state.withLock { $0.users.append(.init(answer: answer)) }) {} }
    }
}
