#if os(Linux)
import Testing

@testable import HTTPTransport

extension LeaderFollowersTests {
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
