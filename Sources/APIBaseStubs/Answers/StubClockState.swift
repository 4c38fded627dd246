import Basics
import HTTPTransport

/// The state of a manual clock: what waits on it, and who.
struct StubClockState {
    private(set) var now = Duration.zero
    private(set) var waiting: [(until: Duration, number: UInt64, action: @Sendable () -> Void)] = []
    var users = ClockUsers()
    /// Counts what happens on the clock.
    private(set) var changes: UInt64 = 0
    /// The number of the last wait.
    private var last: UInt64 = 0

    /// Whether somebody looks once in a second if the clock is moved.
    private var isWatched = false
    /// The changes at the last look, and how often there have been no others since.
    private var (seen, looks): (UInt64, Int) = (0, 0)
    /// What is wrong once nobody has moved the clock for too long.
    private(set) var problem: StubProblem?

    /// Adds a wait.
    ///
    /// - Returns: Its number, and whether the clock has to be watched from now on.
    mutating func append(_ duration: Duration, _ action: @escaping @Sendable () -> Void) -> (UInt64, isFirst: Bool) {
        last += 1
        changes += 1
        waiting.append((now + duration, last, action))
        defer { isWatched = true }
        return (last, !isWatched)
    }

    /// Removes a wait and returns its action.
    mutating func forget(_ number: UInt64) -> (@Sendable () -> Void)? {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        changes += 1
        return waiting.remove(at: index).action
    }

    /// The next action that is due by `end`, at its time; nil, at `end`, if there is none.
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

    /// What is to be done a second after the last look.
    enum Look {
        case nothingWaits
        case waitLonger
        /// Nobody has moved the clock for too long: this wait is the next.
        case move(Duration)
    }

    mutating func look(within limit: Duration, isStuck: Bool) -> Look {
        guard let next = waiting.map(\.until).min() else {
            isWatched = false
            return .nothingWaits
        }
        looks = isStuck && changes == seen ? looks + 1 : 0
        seen = changes
        // The first look may come at once behind what has happened last.
        guard problem != nil || .seconds(looks) > limit else { return .waitLonger }
        problem = problem ?? .clockNotMoved(within: limit, wait: next - now)
        return .move(next - now)
    }
}

/// The calls that have begun on a clock, and the answers to their requests, for as long as somebody else keeps them.
struct ClockUsers: Sendable {
    private struct User: Sendable {
        weak var call: (any ExchangeCaller)?
        weak var answer: AnswerTask?
    }

    private var users: [User] = []
    /// The count at which those that are gone are left out.
    private var limit = 64

    /// Whether there have never been any.
    private(set) var isEmpty = true
    var calls: [any ExchangeCaller] { users.compactMap(\.call) }
    var answers: [AnswerTask] { users.compactMap(\.answer) }

    mutating func append(_ call: any ExchangeCaller) -> [AnyObject] { append(User(call: call)) }
    mutating func append(_ answer: AnswerTask) -> [AnyObject] { append(User(answer: answer)) }

    /// - Returns: What has been looked at, to be released outside the lock: it may be the last reference by then.
    private mutating func append(_ user: User) -> [AnyObject] {
        isEmpty = false
        defer { users.append(user) }
        guard users.count >= limit else { return [] }
        let objects: [AnyObject?] = users.map { $0.call ?? $0.answer }
        users = zip(users, objects).filter { $0.1 != nil }.map(\.0)
        limit = max(64, 2 * users.count)
        return objects.compactMap(\.self)
    }
}
