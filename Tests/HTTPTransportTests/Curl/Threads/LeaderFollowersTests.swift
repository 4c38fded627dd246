#if os(Linux)
import Testing

@testable import HTTPTransport

/// Which thread leads, which is a straggler, which is parked, and what the watchdog changes.
@Suite struct LeaderFollowersTests {
    final class Thread: CustomStringConvertible {
        let description: String

        init(_ name: String) { description = name }
    }

    typealias Threads = LeaderFollowers<Thread>

    static let patience = Threads.patience
    let first = Thread("1")
    let second = Thread("2")
    let third = Thread("3")
    let fourth = Thread("4")

    func threads() -> Threads {
        var threads = Threads()
        threads.begin(first)
        return threads
    }

    /// The leader begins a delivery that takes too long, and the watchdog sees it.
    func overdue(_ threads: inout Threads, at now: UInt64 = 0) throws -> Threads.Overdue {
        _ = threads.beginDelivery(at: now)
        guard case .overdue(let overdue) = threads.look(at: now + Self.patience) else {
            throw NotOverdue()
        }
        return overdue
    }

    struct NotOverdue: Error {}

    /// Has another thread lead in the place of the leader, whose delivery takes too long.
    func replaceLeader(of threads: inout Threads, isBlocked: Bool = true, by new: Thread) throws {
        switch threads.replace(try overdue(&threads), isBlocked: isBlocked) {
        case .parked(let parked): #expect(parked === new)
        case .new: threads.begin(new)
        case nil: Issue.record("There is no successor.")
        }
        #expect(threads.role(of: new) == .leader)
    }

    static func word(_ finding: Threads.Finding) -> String {
        switch finding {
        case .fine: "fine"
        case .quiet: "quiet"
        case .overdue(let overdue): "overdue \(overdue.leader)"
        }
    }

    static func word(_ successor: Threads.Successor?) -> String {
        switch successor {
        case nil: "none"
        case .new: "new"
        case .parked(let thread): "parked \(thread)"
        }
    }

    // MARK: The leader

    @Test func theLeaderGoesOn() {
        var threads = threads()
        #expect(threads.role(of: first) == .leader)
        for _ in 0..<10 {
            #expect(threads.next(for: first) == .lead)
            _ = threads.beginDelivery(at: 0)
            #expect(threads.role(of: first) == .leader)
        }
        #expect(threads.next(for: first) == .lead)
        #expect(threads.role(of: second) == nil)
        #expect(threads.next(for: second) == .end)
    }

    @Test func theWatchdogIsToldOnceUntilItStopsLooking() {
        var threads = threads()
        #expect(!threads.isWatched)
        #expect(threads.beginDelivery(at: 0) == true)
        #expect(threads.isWatched)
        #expect(threads.beginDelivery(at: 0) == false)
        #expect(threads.next(for: first) == .lead)
        var looks = 0
        while threads.isWatched, looks < 100 {
            _ = threads.look(at: 0)
            looks += 1
        }
        #expect(!threads.isWatched)
        #expect(threads.beginDelivery(at: 0) == true)
    }

    // MARK: The watchdog

    @Test(arguments: [
        (0, "fine"), (1, "fine"), (patience - 1, "fine"), (patience, "overdue 1"), (patience * 100, "overdue 1"),
    ])
    func aDeliveryIsOverdueWhenPatienceEnds(after time: UInt64, finding: String) {
        var threads = threads()
        _ = threads.beginDelivery(at: 1_000)
        #expect(Self.word(threads.look(at: 1_000 + time)) == finding)
        #expect(threads.next(for: first) == .lead)
        #expect(Self.word(threads.look(at: 1_000 + time)) != "overdue 1")
    }

    @Test func eachDeliveryHasThePatienceForItself() {
        var threads = threads()
        for number in 0..<10 as Range<UInt64> {
            _ = threads.beginDelivery(at: number * Self.patience)
            #expect(Self.word(threads.look(at: (number + 1) * Self.patience - 1)) == "fine")
        }
        #expect(Self.word(threads.look(at: 10 * Self.patience)) == "overdue 1")
    }

    @Test func theWatchdogStopsAfterTwoLooksWithoutADelivery() {
        var threads = threads()
        _ = threads.beginDelivery(at: 0)
        #expect(threads.next(for: first) == .lead)
        // There has been a delivery since the look before.
        #expect(Self.word(threads.look(at: 1)) == "fine")
        #expect(Self.word(threads.look(at: 2)) == "fine")
        _ = threads.beginDelivery(at: 2)
        #expect(threads.next(for: first) == .lead)
        #expect(Self.word(threads.look(at: 3)) == "fine")
        #expect(Self.word(threads.look(at: 4)) == "fine")
        #expect(threads.isWatched)
        #expect(Self.word(threads.look(at: 5)) == "quiet")
        #expect(!threads.isWatched)
    }

    @Test func aDeliveryThatLastsIsNotQuiet() {
        var threads = threads()
        _ = threads.beginDelivery(at: 0)
        for now in 0..<20 as Range<UInt64> { #expect(Self.word(threads.look(at: now)) == "fine") }
        for now in 0..<20 as Range<UInt64> { #expect(Self.word(threads.look(at: Self.patience + now)) == "overdue 1") }
        #expect(threads.isWatched)
    }
}
#endif
