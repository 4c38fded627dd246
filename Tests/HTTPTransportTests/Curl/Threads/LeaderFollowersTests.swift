#if os(Linux)
import Testing

@testable import HTTPTransport

/// Which thread leads, which is a straggler, which is parked, and what the watchdog changes.
@Suite struct LeaderFollowersTests {
    private final class Thread: CustomStringConvertible {
        let description: String

        init(_ name: String) { description = name }
    }

    private typealias Threads = LeaderFollowers<Thread>

    private static let patience = Threads.patience
    private let first = Thread("1")
    private let second = Thread("2")
    private let third = Thread("3")
    private let fourth = Thread("4")

    private func threads() -> Threads {
        var threads = Threads()
        threads.begin(first)
        return threads
    }

    /// The leader begins a delivery that takes too long, and the watchdog sees it.
    private func overdue(_ threads: inout Threads, at now: UInt64 = 0) throws -> Threads.Overdue {
        _ = threads.beginDelivery(at: now)
        guard case .overdue(let overdue) = threads.look(at: now + Self.patience) else {
            throw NotOverdue()
        }
        return overdue
    }

    private struct NotOverdue: Error {}

    /// Has another thread lead in the place of the leader, whose delivery takes too long.
    private func replaceLeader(of threads: inout Threads, isBlocked: Bool = true, by new: Thread) throws {
        switch threads.replace(try overdue(&threads), isBlocked: isBlocked) {
        case .parked(let parked): #expect(parked === new)
        case .new: threads.begin(new)
        case nil: Issue.record("There is no successor.")
        }
        #expect(threads.role(of: new) == .leader)
    }

    private static func word(_ finding: Threads.Finding) -> String {
        switch finding {
        case .fine: "fine"
        case .quiet: "quiet"
        case .overdue(let overdue): "overdue \(overdue.leader)"
        }
    }

    private static func word(_ successor: Threads.Successor?) -> String {
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

    // MARK: The successor

    @Test func aNewThreadLeadsWhereNoneIsParked() throws {
        var threads = threads()
        let overdue = try overdue(&threads)
        #expect(Self.word(threads.replace(overdue, isBlocked: true)) == "new")
        #expect(threads.role(of: first) == .straggler)
        // Until it has begun there is no leader, and nothing is overdue.
        #expect(Self.word(threads.look(at: 100 * Self.patience)) == "fine")
        threads.begin(second)
        #expect(threads.role(of: second) == .leader)
        // The delivery that is overdue is that of the straggler.
        #expect(Self.word(threads.look(at: 100 * Self.patience)) != "overdue 2")
        #expect(threads.next(for: second) == .lead)
    }

    @Test func aParkedThreadLeadsAgain() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        #expect(threads.next(for: first) == .park)
        #expect(threads.role(of: first) == .parked)
        #expect(threads.next(for: first) == .park)
        let overdue = try overdue(&threads)
        #expect(Self.word(threads.replace(overdue, isBlocked: true)) == "parked 1")
        #expect(threads.role(of: first) == .leader)
        #expect(threads.role(of: second) == .straggler)
        #expect(threads.next(for: first) == .lead)
        // The one that was parked cannot be made the leader twice.
        #expect(Self.word(threads.replace(try self.overdue(&threads), isBlocked: true)) == "new")
    }

    @Test func aDeliveryThatHasEndedMeanwhileIsNotReplaced() throws {
        var threads = threads()
        let ended = try overdue(&threads)
        #expect(threads.next(for: first) == .lead)
        #expect(Self.word(threads.replace(ended, isBlocked: true)) == "none")
        // Nor is the next one of the same thread.
        _ = threads.beginDelivery(at: Self.patience)
        #expect(Self.word(threads.replace(ended, isBlocked: true)) == "none")
        #expect(threads.role(of: first) == .leader)
    }

    @Test func aDeliveryIsReplacedOnce() throws {
        var threads = threads()
        let overdue = try overdue(&threads)
        #expect(Self.word(threads.replace(overdue, isBlocked: true)) == "new")
        #expect(Self.word(threads.replace(overdue, isBlocked: true)) == "none")
        threads.begin(second)
        #expect(Self.word(threads.replace(overdue, isBlocked: true)) == "none")
        #expect(threads.role(of: second) == .leader)
    }

    struct Stragglers: Sendable, CustomTestStringConvertible {
        /// Whether each straggler is blocked, rather than computes; and the leader whose delivery is overdue.
        let areBlocked: [Bool]
        let isBlocked: Bool
        let isReplaced: Bool

        var testDescription: String { "\(areBlocked), \(isBlocked)" }
    }

    @Test(arguments: [
        Stragglers(areBlocked: [], isBlocked: true, isReplaced: true),
        Stragglers(areBlocked: [], isBlocked: false, isReplaced: true),
        Stragglers(areBlocked: [false], isBlocked: true, isReplaced: true),
        Stragglers(areBlocked: [false], isBlocked: false, isReplaced: false),
        Stragglers(areBlocked: [true], isBlocked: true, isReplaced: true),
        Stragglers(areBlocked: [true], isBlocked: false, isReplaced: true),
        Stragglers(areBlocked: [true, true, true], isBlocked: false, isReplaced: true),
        Stragglers(areBlocked: [true, false], isBlocked: false, isReplaced: false),
        Stragglers(areBlocked: [false, true, true], isBlocked: false, isReplaced: false),
        Stragglers(areBlocked: [false, true, true], isBlocked: true, isReplaced: true),
    ])
    func moreThreadsHelpOnlyWhereThreadsAreBlocked(_ test: Stragglers) throws {
        var threads = threads()
        var kept: [Thread] = []
        for (number, isBlocked) in test.areBlocked.enumerated() {
            let new = Thread("new \(number)")
            kept.append(new)
            try replaceLeader(of: &threads, isBlocked: isBlocked, by: new)
        }
        let successor = threads.replace(try overdue(&threads), isBlocked: test.isBlocked)
        #expect(Self.word(successor) == (test.isReplaced ? "new" : "none"))
    }

    /// The next look may find the leader blocked, or the straggler may have ended.
    @Test func aReplacementThatWouldNotHelpMayHelpLater() throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        let overdue = try overdue(&threads)
        #expect(Self.word(threads.replace(overdue, isBlocked: false)) == "none")
        #expect(threads.role(of: second) == .leader)
        #expect(Self.word(threads.look(at: 2 * Self.patience)) == "overdue 2")
        #expect(threads.next(for: first) == .park)
        #expect(Self.word(threads.replace(overdue, isBlocked: false)) == "parked 1")
    }

    // MARK: Stragglers and the parked thread

    @Test func oneStragglerIsParkedAndOthersEnd() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        try replaceLeader(of: &threads, by: third)
        try replaceLeader(of: &threads, by: fourth)
        #expect(threads.next(for: second) == .park)
        #expect(threads.next(for: first) == .end)
        #expect(threads.next(for: third) == .end)
        #expect(threads.role(of: first) == nil)
        #expect(threads.role(of: second) == .parked)
        #expect(threads.role(of: fourth) == .leader)
        #expect(threads.next(for: first) == .end)
    }

    /// Without a leader the loop is about to have one, or is ending.
    @Test func withoutALeaderAStragglerEnds() throws {
        var threads = threads()
        _ = threads.replace(try overdue(&threads), isBlocked: true)
        #expect(threads.next(for: first) == .end)
        threads.begin(second)
        #expect(threads.role(of: first) == nil)
    }

    @Test func aParkedThreadEndsAfterItsRest() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        #expect(threads.next(for: first) == .park)
        #expect(threads.retire(first) == true)
        #expect(threads.role(of: first) == nil)
        #expect(threads.retire(first) == false)
        #expect(Self.word(threads.replace(try overdue(&threads), isBlocked: true)) == "new")
    }

    @Test func aThreadThatIsMadeTheLeaderInItsLastMomentGoesOn() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        #expect(threads.next(for: first) == .park)
        try replaceLeader(of: &threads, by: first)
        #expect(threads.retire(first) == false)
        #expect(threads.next(for: first) == .lead)
    }

    // MARK: The end

    @Test func theEndWakesTheParkedThread() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        try replaceLeader(of: &threads, by: third)
        #expect(threads.next(for: first) == .park)
        #expect(threads.end() === first)
        for thread in [first, second, third] { #expect(threads.next(for: thread) == .end, "\(thread)") }
        #expect(threads.end() == nil)
    }

    @Test func nothingIsOverdueAfterTheEnd() throws {
        var threads = threads()
        let overdue = try overdue(&threads)
        #expect(threads.end() == nil)
        #expect(Self.word(threads.replace(overdue, isBlocked: true)) == "none")
        var looks: [String] = []
        for _ in 0..<3 { looks.append(Self.word(threads.look(at: 100 * Self.patience))) }
        #expect(looks.contains("quiet"))
        #expect(!looks.contains("overdue 1"))
    }

    @Test func aLoopThatHasEndedCanBeginAgain() throws {
        var threads = threads()
        _ = try overdue(&threads)
        _ = threads.end()
        threads.begin(second)
        #expect(threads.role(of: first) == nil)
        #expect(threads.next(for: second) == .lead)
        try replaceLeader(of: &threads, by: third)
        #expect(threads.next(for: second) == .park)
    }
}
#endif
