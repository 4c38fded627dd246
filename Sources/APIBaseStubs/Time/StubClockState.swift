import HTTPTransport

/// The state of a manual clock: the waits, and the calls and answers that use the clock.
struct StubClockState {
    private(set) var now = Duration.zero
    private(set) var waiting: [(until: Duration, number: UInt64, action: @Sendable () -> Void)] = []
    var users = ClockUsers()
    /// The number of tests that wait for the clock to settle, and will move it then.
    var attendants = 0
    /// Counts what happens on the clock.
    private(set) var changes: UInt64 = 0
    private var last: UInt64 = 0

    private var isWatched = false
    /// The changes at the last check, and the number of checks in a row without a change.
    private var (lastChanges, idleChecks): (UInt64, Int) = (0, 0)
    /// Set once the clock has not been moved in time.
    private(set) var problem: StubProblem?

    /// Adds a wait. Returns its number, and whether the checks have to be started.
    mutating func append(_ duration: Duration, _ action: @escaping @Sendable () -> Void) -> (UInt64, isFirst: Bool) {
        last += 1
        changes += 1
        waiting.append((now + duration, last, action))
        defer { isWatched = true }
        return (last, !isWatched)
    }

    mutating func remove(_ number: UInt64) -> (@Sendable () -> Void)? {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        changes += 1
        return waiting.remove(at: index).action
    }

    /// Moves the clock to the next wait that is due by `end`, and returns its action; without one, to `end`.
    mutating func takeNext(until end: Duration) -> (@Sendable () -> Void)? {
        changes += 1
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

    enum Check {
        case nothingWaits
        case waitLonger
        /// The clock has not been moved in time. The next wait ends after this duration.
        case move(Duration)
    }

    mutating func check(
        every interval: Duration,
        within limit: Duration,
        isStuck: Bool,
        _ calls: [String]
    ) -> Check {
        guard let next = waiting.map(\.until).min() else {
            isWatched = false
            return .nothingWaits
        }
        idleChecks = isStuck && attendants == 0 && changes == lastChanges ? idleChecks + 1 : 0
        lastChanges = changes
        // Nothing has changed since the check before the first of these.
        guard problem != nil || idleChecks > 0 && interval * idleChecks >= limit else { return .waitLonger }
        problem = problem ?? .clockNotMoved(within: limit, wait: next - now, calls: StubProblem.Calls(calls))
        return .move(next - now)
    }
}

protocol ClockedAnswer: AnyObject, Sendable {
    var standing: CallStanding { get }
    /// The identity of the call that it answers; nil if the request belongs to no call.
    var callID: ObjectIdentifier? { get }
}

/// The calls that have begun on a clock, and the answers to them, held weakly.
struct ClockUsers: Sendable {
    struct User: Sendable {
        weak var call: (any ExchangeCaller)?
        weak var answer: (any ClockedAnswer)?
    }

    private var users: [User] = []
    /// The count at which released users are removed.
    private var limit = 64

    private(set) var isEmpty = true
    var calls: [any ExchangeCaller] { users.compactMap(\.call) }
    var answers: [any ClockedAnswer] { users.compactMap(\.answer) }

    /// Returns the users that were checked, to be released outside the lock: they may be the last references.
    mutating func append(_ user: User) -> [AnyObject] {
        isEmpty = false
        defer { users.append(user) }
        guard users.count >= limit else { return [] }
        let objects: [AnyObject?] = users.map { ($0.call as AnyObject?) ?? $0.answer }
        users = zip(users, objects).filter { $0.1 != nil }.map(\.0)
        limit = max(64, 2 * users.count)
        return objects.compactMap(\.self)
    }
}
