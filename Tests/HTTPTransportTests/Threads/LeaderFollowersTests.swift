#if os(Linux)
import Testing

@testable import HTTPTransport

/// Which thread leads, which is a straggler, and what the watchdog changes.
@Suite struct LeaderFollowersTests {
    final class Thread {}

    typealias Threads = LeaderFollowers<Thread>

    static let patience = Threads.patience
    let first = Thread()
    let second = Thread()
    let third = Thread()

    func threads() -> Threads {
        var threads = Threads()
        threads.begin(first)
        return threads
    }

    struct NotOverdue: Error {}

    /// The leader begins a delivery that takes too long, and the watchdog sees it.
    func overdue(_ threads: inout Threads, at now: UInt64 = 0) throws -> Threads.Overdue {
        _ = threads.beginDelivery(at: now)
        guard case .overdue(let overdue) = threads.look(at: now + 3 * Self.patience) else { throw NotOverdue() }
        return overdue
    }

    /// Two looks at a thread that sleeps in between, or computes, from a time on; whether it is replaced.
    func isDeposed(
        _ overdue: Threads.Overdue,
        in threads: inout Threads,
        isBlocked: Bool,
        from time: UInt64 = 0
    ) -> Bool {
        threads.depose(overdue, busyTime: Int64(time), at: time)
            || threads.depose(overdue, busyTime: Int64(time) + (isBlocked ? 0 : 2_000_000), at: time + 2_000_000)
    }

    /// Makes the leader a straggler, which is blocked or computes, and has another thread lead.
    func replaceLeader(of threads: inout Threads, isBlocked: Bool = true, by new: Thread) throws {
        let overdue = try overdue(&threads)
        #expect(isDeposed(overdue, in: &threads, isBlocked: isBlocked) == true)
        threads.begin(new)
    }

    static func word(_ finding: Threads.Finding) -> String {
        switch finding {
        case .fine: "fine"
        case .quiet: "quiet"
        case .overdue: "overdue"
        }
    }

    // MARK: The leader and the stragglers

    @Test func theLeaderGoesOn() {
        var threads = threads()
        for _ in 0..<10 {
            #expect(threads.goesOn(first) == true)
            _ = threads.beginDelivery(at: 0)
        }
        #expect(threads.goesOn(first) == true)
        #expect(threads.goesOn(second) == false)
    }

    @Test func aStragglerEndsWhenItsDeliveryReturns() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        #expect(threads.goesOn(first) == false)
        #expect(threads.goesOn(second) == true)
    }

    /// Before the follower has begun there is no leader.
    @Test func aStragglerEndsAlsoWhileNoneLeads() throws {
        var threads = threads()
        let overdue = try overdue(&threads)
        #expect(isDeposed(overdue, in: &threads, isBlocked: true) == true)
        #expect(threads.goesOn(first) == false)
        #expect(Self.word(threads.look(at: 100 * Self.patience)) == "fine")
        threads.begin(second)
        #expect(threads.goesOn(second) == true)
    }

    @Test func nothingIsOverdueAfterTheEnd() throws {
        var threads = threads()
        let overdue = try overdue(&threads)
        threads.end()
        #expect(isDeposed(overdue, in: &threads, isBlocked: false) == false)
        #expect(threads.goesOn(first) == false)
        var looks: [String] = []
        for _ in 0..<3 { looks.append(Self.word(threads.look(at: 100 * Self.patience))) }
        #expect(looks.contains("quiet"))
        #expect(!looks.contains("overdue"))
        threads.begin(second)
        #expect(threads.goesOn(second) == true)
    }

    // MARK: The watchdog

    @Test func theWatchdogIsToldOnceUntilItStopsLooking() {
        var threads = threads()
        #expect(threads.beginDelivery(at: 0) == true)
        #expect(threads.beginDelivery(at: 0) == false)
        #expect(threads.goesOn(first) == true)
        // There have been deliveries since the look before.
        for look in ["fine", "fine", "quiet"] { #expect(Self.word(threads.look(at: 1)) == look) }
        #expect(threads.beginDelivery(at: 2) == true)
    }

    @Test func aDeliveryThatLastsIsNotQuiet() {
        var threads = threads()
        _ = threads.beginDelivery(at: 0)
        for now in 0..<20 as Range<UInt64> { #expect(Self.word(threads.look(at: now)) == "fine") }
        for now in 0..<20 as Range<UInt64> { #expect(Self.word(threads.look(at: Self.patience + now)) == "overdue") }
        #expect(threads.beginDelivery(at: 0) == false)
    }

    @Test(arguments: [
        (0, "fine"), (1, "fine"), (patience - 1, "fine"), (patience, "overdue"), (patience * 100, "overdue"),
    ])
    func aDeliveryIsOverdueWhenPatienceEnds(after time: UInt64, finding: String) {
        var threads = threads()
        _ = threads.beginDelivery(at: 1_000)
        #expect(Self.word(threads.look(at: 1_000 + time)) == finding)
        #expect(threads.goesOn(first) == true)
        #expect(Self.word(threads.look(at: 1_000 + time)) == "fine")
    }

    /// Beside stragglers there is more patience, up to three times as much.
    @Test(arguments: [(0, 1), (1, 2), (2, 3), (3, 3), (9, 3)])
    func patienceGrowsWithTheStragglers(stragglers: Int, times: UInt64) throws {
        var threads = threads()
        let kept = (0..<stragglers).map { _ in Thread() }
        for thread in kept { try replaceLeader(of: &threads, by: thread) }
        _ = threads.beginDelivery(at: 0)
        #expect(Self.word(threads.look(at: times * Self.patience - 1)) == "fine")
        #expect(Self.word(threads.look(at: times * Self.patience)) == "overdue")
    }

    // MARK: Followers

    /// How long the thread had been busy at looks that are two milliseconds apart, beside a straggler that computes; and at
    /// which of them it is replaced.
    @Test(
        arguments: [
            ([5, 5], 1), ([0, 2_000_000], nil), ([0, 499_999], 1), ([0, 500_000], nil), ([0, 2_000_000, 2_000_000], 2),
            ([0, 400_000, 800_000], 1), ([7], nil),
        ] as [([Int64], Int?)]
    )
    func aThreadIsBlockedThatSleepsBetweenTwoLooks(busyTimes: [Int64], replaced: Int?) throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        let overdue = try overdue(&threads)
        let found = busyTimes.indices.first { look in
            threads.depose(overdue, busyTime: busyTimes[look], at: UInt64(look) * 2_000_000)
        }
        #expect(found == replaced)
    }

    /// However many others compute.
    @Test func aDeliveryThatLastsVeryLongIsReplacedInAnyCase() throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        _ = threads.beginDelivery(at: 0)
        for (time, isReplaced) in [(24, false), (25, true)] as [(UInt64, Bool)] {
            guard case .overdue(let overdue) = threads.look(at: time * Self.patience) else { throw NotOverdue() }
            let time = time * Self.patience
            #expect(isDeposed(overdue, in: &threads, isBlocked: false, from: time) == isReplaced)
        }
    }

    @Test func aDeliveryThatHasEndedMeanwhileIsNotReplaced() throws {
        var threads = threads()
        let ended = try overdue(&threads)
        #expect(threads.goesOn(first) == true)
        #expect(isDeposed(ended, in: &threads, isBlocked: true) == false)
        // Nor is the next one of the same thread, nor does a look at the last one count for it.
        let next = try overdue(&threads)
        #expect(isDeposed(ended, in: &threads, isBlocked: true) == false)
        #expect(threads.depose(next, busyTime: 0, at: 4_000_000) == false)
        #expect(threads.goesOn(first) == true)
    }

    @Test func aLeaderIsReplacedOnce() throws {
        var threads = threads()
        let overdue = try overdue(&threads)
        #expect(isDeposed(overdue, in: &threads, isBlocked: false) == true)
        #expect(isDeposed(overdue, in: &threads, isBlocked: false) == false)
        threads.begin(second)
        #expect(isDeposed(overdue, in: &threads, isBlocked: false) == false)
        #expect(threads.goesOn(second) == true)
    }

    /// Whether each straggler is blocked, whether the leader is, and whether it is replaced.
    @Test(
        arguments: [
            ([], true, true), ([], false, true), ([false], true, true), ([false], false, false), ([true], true, true),
            ([true], false, true), ([true, true, true], false, true), ([true, false], false, false),
            ([false, true, true], false, false), ([false, true, true], true, true),
        ] as [([Bool], Bool, Bool)]
    )
    func moreThreadsHelpOnlyWhereThreadsAreBlocked(stragglers: [Bool], isBlocked: Bool, isReplaced: Bool) throws {
        var threads = threads()
        let kept = stragglers.map { _ in Thread() }
        for (thread, isBlocked) in zip(kept, stragglers) {
            try replaceLeader(of: &threads, isBlocked: isBlocked, by: thread)
        }
        let overdue = try overdue(&threads)
        #expect(isDeposed(overdue, in: &threads, isBlocked: isBlocked) == isReplaced)
    }

    /// The straggler may have ended at the next look.
    @Test func whatWouldNotHelpMayHelpLater() throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        let overdue = try overdue(&threads)
        #expect(isDeposed(overdue, in: &threads, isBlocked: false) == false)
        #expect(threads.goesOn(first) == false)
        #expect(isDeposed(overdue, in: &threads, isBlocked: false, from: 10_000_000) == true)
        threads.begin(third)
        #expect(threads.goesOn(third) == true)
    }
}
#endif
