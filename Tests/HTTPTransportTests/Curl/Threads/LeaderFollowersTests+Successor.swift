#if os(Linux)
import Testing

@testable import HTTPTransport

extension LeaderFollowersTests {
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
}
#endif
