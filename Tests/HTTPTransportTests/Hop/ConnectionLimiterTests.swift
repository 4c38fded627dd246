import Testing

@testable import HTTPTransport

/// Which hops may begin, and on which event loop.
@Suite struct ConnectionLimiterTests {
    private final class Hop {
        let origin: String
        let number: Int
        var isCancelled = false

        init(_ origin: String, _ number: Int) {
            self.origin = origin
            self.number = number
        }
    }

    private typealias Grant = ConnectionLimiter<Hop>.Grant

    private static func origin(_ name: String) -> Origin { Origin(scheme: "https", host: name, port: 443) }

    /// A limiter, and the hops that it has let begin. Each hop is called by its origin and its number: `a1`.
    private struct Trial {
        var limiter: ConnectionLimiter<Hop>
        var running: [Grant] = []
        private var entered: [String: Int] = [:]

        init(perOrigin: Int, total: Int = .max, loops: Int = 1) {
            limiter = ConnectionLimiter(perOrigin: perOrigin, total: total, loops: loops)
        }

        /// The hops that run, in the order in which they have begun.
        var names: [String] { running.map { Self.name($0) } }

        static func name(_ grant: Grant) -> String { "\(grant.hop.origin)\(grant.hop.number)" }

        /// Hops that run, by loop.
        func loads(_ loops: Int) -> [Int] { (0..<loops).map { loop in running.count { $0.loop == loop } } }

        /// Another hop enters. Returns the loop it may begin on.
        @discardableResult mutating func enter(_ origin: String) -> Int? {
            entered[origin, default: 0] += 1
            let hop = Hop(origin, entered[origin, default: 0])
            guard let grant = limiter.enter(hop, to: ConnectionLimiterTests.origin(origin)) else { return nil }
            running.append(grant)
            return grant.loop
        }

        mutating func enter(_ count: Int, _ origin: String) { for _ in 0..<count { enter(origin) } }

        /// A hop that runs is over. Returns those that begin.
        @discardableResult mutating func leave(_ name: String) -> [String] {
            guard let index = names.firstIndex(of: name) else { return ["\(name) does not run"] }
            var next = limiter.leave(running.remove(at: index))
            return drain(&next)
        }

        /// A response to a hop has told. Returns those that begin.
        @discardableResult mutating func note(_ name: String, isMultiplexed: Bool) -> [String] {
            guard let grant = running.first(where: { Self.name($0) == name }) else { return ["\(name) does not run"] }
            limiter.note(grant, isMultiplexed: isMultiplexed)
            var next = limiter.next()
            return drain(&next)
        }

        private mutating func drain(_ next: inout Grant?) -> [String] {
            var names: [String] = []
            while let grant = next {
                running.append(grant)
                names.append(Self.name(grant))
                next = limiter.next()
            }
            return names
        }
    }

    // MARK: Loops

    @Test(arguments: [1, 2, 8]) func oneAfterAnotherStaysOnTheFirstLoop(loops: Int) {
        var trial = Trial(perOrigin: 8, loops: loops)
        for number in 1...50 {
            #expect(trial.enter("a") == 0)
            #expect(trial.leave("a\(number)") == [])
        }
        #expect(trial.limiter.count == 0)
    }

    struct Spread: Sendable, CustomTestStringConvertible {
        let loops: Int
        var perOrigin = 8
        var total = Int.max
        var origins = 1
        let hops: Int
        let loads: [Int]

        var testDescription: String { "\(hops) hops, \(origins) origins, \(loops) loops, \(perOrigin)/\(total)" }
    }

    @Test(arguments: [
        Spread(loops: 1, hops: 8, loads: [8]),
        Spread(loops: 8, hops: 1, loads: [1, 0, 0, 0, 0, 0, 0, 0]),
        Spread(loops: 8, hops: 8, loads: [1, 1, 1, 1, 1, 1, 1, 1]),
        Spread(loops: 4, hops: 8, loads: [2, 2, 2, 2]),
        Spread(loops: 4, hops: 6, loads: [2, 2, 1, 1]),
        // No limit is for each loop: all of them together have it.
        Spread(loops: 4, hops: 100, loads: [2, 2, 2, 2]),
        Spread(loops: 8, perOrigin: 3, hops: 100, loads: [1, 1, 1, 0, 0, 0, 0, 0]),
        Spread(loops: 3, perOrigin: 1, hops: 100, loads: [1, 0, 0]),
        Spread(loops: 2, perOrigin: 2, origins: 3, hops: 30, loads: [3, 3]),
        Spread(loops: 2, perOrigin: 8, total: 5, origins: 3, hops: 30, loads: [3, 2]),
        Spread(loops: 4, perOrigin: 8, total: 1, origins: 3, hops: 30, loads: [1, 0, 0, 0]),
        // There is always room for one.
        Spread(loops: 0, perOrigin: 0, total: 0, hops: 2, loads: [1]),
    ])
    func manyAtOnceAreSpreadWithinTheLimits(_ test: Spread) {
        var trial = Trial(perOrigin: test.perOrigin, total: test.total, loops: test.loops)
        for number in 0..<test.hops { trial.enter("abc".prefix(test.origins).map(String.init)[number % test.origins]) }
        #expect(trial.loads(test.loads.count) == test.loads)
        #expect(trial.limiter.running == test.loads.reduce(0, +))
        #expect(trial.limiter.count == test.hops)
    }

    @Test func aHopGoesWhereItsOriginHasAnIdleConnection() {
        var trial = Trial(perOrigin: 8, loops: 4)
        trial.enter(2, "b")
        #expect(trial.enter("a") == 2)
        for name in ["a1", "b1", "b2"] { trial.leave(name) }
        #expect(trial.enter("a") == 2)
        #expect(trial.enter("b") == 0)
        #expect(trial.enter("b") == 1)
        #expect(trial.enter("c") == 3)
    }

    @Test func anotherLoopIsTakenWhereTheOneWithTheConnectionIsBusier() {
        var trial = Trial(perOrigin: 2, loops: 2)
        #expect(trial.enter("a") == 0)
        trial.leave("a1")
        #expect(trial.enter("b") == 0)
        // The idle connection is on loop 0, which is busier than loop 1.
        #expect(trial.enter("a") == 1)
        // Both loops have one hop, and only loop 0 has an idle connection with this origin.
        #expect(trial.enter("a") == 0)
        #expect(trial.enter("a") == nil)
    }

    @Test func aLoopThatHasClosedItsConnectionsHasNone() {
        var trial = Trial(perOrigin: 1, loops: 2)
        #expect(trial.enter("a") == 0)
        trial.leave("a1")
        trial.enter("b")
        // The one connection that is allowed is open on loop 0, so that is where the hop goes though loop 1 is idle.
        #expect(trial.enter("a") == 0)
        trial.leave("a2")
        trial.leave("b1")
        trial.limiter.closedConnections(of: 0)
        trial.limiter.closedConnections(of: 1)
        trial.enter("c")
        #expect(trial.enter("a") == 1)
    }

    @Test func connectionsThatCarryHopsAreNotForgottenWithTheOthers() {
        var trial = Trial(perOrigin: 1, loops: 2)
        #expect(trial.enter("a") == 0)
        trial.limiter.closedConnections(of: 0)
        #expect(trial.enter("a") == nil)
        #expect(trial.leave("a1") == ["a2"])
        #expect(trial.loads(2) == [1, 0])
    }

    @Test func idleConnectionsCountForTheLimitOfTheirOrigin() {
        var trial = Self.twoHopsOnTheFirstLoop()
        trial.leave("a1")
        trial.leave("a2")
        // Both connections are open on loop 0, so no other may be opened on loop 1.
        #expect(trial.enter("a") == 0)
        #expect(trial.enter("a") == 0)
        #expect(trial.loads(2) == [2, 0])
    }

    /// A limiter for two connections with each origin and two loops. Two hops of one origin run on the first loop.
    private static func twoHopsOnTheFirstLoop() -> Trial {
        var trial = Trial(perOrigin: 2, loops: 2)
        for name in ["c", "d", "e", "f"] { trial.enter(name) }
        for name in ["c1", "e1"] { trial.leave(name) }
        #expect(trial.enter("a") == 0)
        #expect(trial.enter("a") == 0)
        for name in ["d1", "f1"] { trial.leave(name) }
        return trial
    }

    // MARK: Waiting

    @Test(arguments: [1, 2, 4]) func thoseThatWaitBeginFirstComeFirstServed(perOrigin: Int) {
        var trial = Trial(perOrigin: perOrigin, loops: 2)
        trial.enter(20, "a")
        for number in 1...(20 - perOrigin) { #expect(trial.leave("a\(number)") == ["a\(number + perOrigin)"]) }
    }

    /// A hop that comes late does not pass those that wait.
    @Test func aLateHopWaitsBehindTheOthers() {
        var trial = Trial(perOrigin: 1)
        trial.enter(3, "a")
        #expect(trial.leave("a1") == ["a2"])
        #expect(trial.enter("a") == nil)
        #expect(trial.leave("a2") == ["a3"])
        #expect(trial.leave("a3") == ["a4"])
        #expect(trial.leave("a4") == [])
    }

    @Test func aConnectionIsHandedOverOnItsLoop() {
        var trial = Trial(perOrigin: 4, loops: 4)
        trial.enter(12, "a")
        for (number, next) in [(3, 5), (1, 6), (4, 7), (2, 8)] {
            let loop = trial.running.first { Trial.name($0) == "a\(number)" }?.loop
            #expect(trial.leave("a\(number)") == ["a\(next)"])
            #expect(trial.running.last?.loop == loop)
        }
        #expect(trial.loads(4) == [1, 1, 1, 1])
    }

    @Test func originsTakeTurnsWhereTheTotalIsReached() {
        var trial = Trial(perOrigin: 2, total: 2)
        for name in ["a", "a", "a", "a", "b", "b", "b", "c"] { trial.enter(name) }
        var begun = trial.names
        while let first = trial.names.first { begun += trial.leave(first) }
        #expect(begun == ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "b3"])
    }

    @Test func anOriginThatIsFullForItselfHoldsUpNoOther() {
        var trial = Trial(perOrigin: 1, total: 2)
        trial.enter(3, "a")
        #expect(trial.enter("b") == 0)
        #expect(trial.enter("c") == nil)
        #expect(trial.leave("b1") == ["c1"])
        #expect(trial.leave("c1") == [])
        #expect(trial.enter("b") == 0)
        #expect(trial.leave("a1") == ["a2"])
    }

    /// Its idle connections do not carry hops, so they are not among those that the total allows.
    @Test func anOriginWithIdleConnectionsGetsOneOfThoseThatAreInUse() {
        var trial = Trial(perOrigin: 2, total: 2)
        trial.enter(2, "a")
        trial.leave("a1")
        trial.leave("a2")
        trial.enter(3, "b")
        #expect(trial.enter("a") == nil)
        trial.enter(2, "b")
        #expect(trial.leave("b1") == ["b3"])
        #expect(trial.leave("b2") == ["a3"])
        #expect(trial.leave("b3") == ["b4"])
        #expect(trial.leave("a3") == ["b5"])
    }

    /// One origin asks on and on; the other waits for no more than the hops that were there before.
    @Test(arguments: [1, 2, 5]) func noOriginStarvesWhereAnotherAsksOnAndOn(total: Int) {
        var trial = Trial(perOrigin: total, total: total)
        trial.enter(total, "a")
        trial.enter(10 * total, "a")
        #expect(trial.enter("b") == nil)
        var left = 0
        while !trial.names.contains("b1"), left < 100 {
            guard let first = trial.names.first else { break }
            trial.leave(first)
            trial.enter("a")
            left += 1
        }
        #expect(left <= 2)
    }

    // MARK: Many hops on one connection

    @Test(arguments: [(1, Int.max, 100), (2, .max, 200), (8, 1, 100), (8, 2, 200)])
    func aConnectionThatCarriesManyHopsLetsAHundredBegin(perOrigin: Int, total: Int, running: Int) {
        var trial = Trial(perOrigin: perOrigin, total: total)
        trial.enter(500, "a")
        let before = min(perOrigin, total)
        #expect(trial.names == (1...before).map { "a\($0)" })
        let begun = trial.note("a1", isMultiplexed: true)
        #expect(begun == ((before + 1)...running).map { "a\($0)" })
        #expect(trial.leave("a1") == ["a\(running + 1)"])
        #expect(trial.limiter.running == running)
        #expect(trial.limiter.count == 499)
    }

    @Test func aGrantSaysWhatIsKnownOfTheConnection() {
        var trial = Trial(perOrigin: 1)
        trial.enter("a")
        #expect(trial.running.last?.isMultiplexed == nil)
        trial.note("a1", isMultiplexed: true)
        trial.enter("a")
        #expect(trial.running.last?.isMultiplexed == true)
        trial.note("a2", isMultiplexed: false)
        trial.leave("a1")
        trial.leave("a2")
        trial.enter("a")
        #expect(trial.running.last?.isMultiplexed == false)
        trial.enter("b")
        #expect(trial.running.last?.isMultiplexed == nil)
    }

    /// Another connection costs more than waiting for a few hops on one that is there.
    @Test func aConnectionThatCarriesManyHopsIsSharedUntilItsLoopIsMuchBusier() {
        var trial = Trial(perOrigin: 8, loops: 2)
        trial.enter("a")
        trial.note("a1", isMultiplexed: true)
        trial.enter(8, "a")
        #expect(trial.loads(2) == [9, 0])
        trial.enter("a")
        #expect(trial.loads(2) == [9, 1])
    }

    /// What began on two connections before that was known goes on with one.
    @Test func twoConnectionsThatCarryManyHopsAreCountedAsOne() {
        var trial = Self.twoHopsOnTheFirstLoop()
        trial.note("a1", isMultiplexed: true)
        trial.enter(7, "a")
        #expect(trial.loads(2) == [9, 0])
        #expect(trial.enter("a") == 1)
    }

    /// The origin was full for itself when it was its turn; now there is room.
    @Test func anOriginThatWasPassedOverIsOfferedAgainWhenAResponseTells() {
        var trial = Trial(perOrigin: 1)
        trial.enter(3, "a")
        trial.enter("b")
        #expect(trial.leave("b1") == [])
        #expect(trial.note("a1", isMultiplexed: true) == ["a2", "a3"])
    }

    /// All connections are in use, and one of them has room only for its own origin.
    @Test func roomInAConnectionIsForItsOriginWhileNoConnectionIsFree() {
        var trial = Trial(perOrigin: 1, total: 1)
        trial.enter("b")
        trial.note("b1", isMultiplexed: true)
        trial.enter(100, "b")
        #expect(trial.enter("a") == nil)
        #expect(trial.enter("b") == nil)
        #expect(trial.leave("b1") == ["b101"])
        #expect(trial.leave("b2") == ["b102"])
        #expect(trial.leave("b3") == [])
        for number in 4...101 { #expect(trial.leave("b\(number)") == []) }
        #expect(trial.leave("b102") == ["a1"])
    }

    @Test func theTotalCountsConnectionsAndNotHops() {
        var trial = Trial(perOrigin: 2, total: 3)
        trial.enter("a")
        trial.note("a1", isMultiplexed: true)
        trial.enter(99, "a")
        #expect(trial.limiter.running == 100)
        // Two connections are left: one for the hundred-and-first, and one for the other origin.
        #expect(trial.enter("a") == 0)
        #expect(trial.enter("b") == 0)
        #expect(trial.enter("b") == nil)
        #expect(trial.enter("a") == 0)
        // Without the last two hops of its second connection, that one is free.
        #expect(trial.leave("a101") == [])
        #expect(trial.leave("a102") == ["b2"])
    }

    @Test func hopsOnConnectionsThatAreInUseNeedNoneOfTheTotal() {
        var trial = Trial(perOrigin: 2, total: 2)
        trial.enter("a")
        trial.enter("b")
        trial.enter(3, "b")
        #expect(trial.names == ["a1", "b1"])
        #expect(trial.note("b1", isMultiplexed: true) == ["b2", "b3", "b4"])
        #expect(trial.enter("b") == 0)
        #expect(trial.enter("a") == nil)
        #expect(trial.leave("a1") == ["a2"])
    }

    // MARK: Hops that are cancelled while they wait

    @Test func cancelledHopsAreRemovedOnceTheyAreMoreThanHalf() {
        var limiter = ConnectionLimiter<Hop>(perOrigin: 1)
        let hops = (0..<9).map { Hop("a", $0) }
        let grants = hops.map { limiter.enter($0, to: Self.origin("a")) }
        #expect(grants.count { $0 != nil } == 1)
        #expect(limiter.count == 9)
        var forgotten: [[Int]] = []
        for number in [2, 4, 6, 8, 1] {
            hops[number].isCancelled = true
            forgotten.append(limiter.forget(to: Self.origin("a")) { $0.isCancelled }.map(\.number))
        }
        #expect(forgotten == [[], [], [], [], [1, 2, 4, 6, 8]])
        #expect(limiter.count == 4)
        // One of three is not more than half.
        hops[3].isCancelled = true
        #expect(limiter.forget(to: Self.origin("a")) { $0.isCancelled }.isEmpty)
        // The others keep their order.
        var begun: [Int] = []
        var grant = grants[0]
        while let last = grant {
            grant = limiter.leave(last)
            if let grant { begun.append(grant.hop.number) }
        }
        #expect(begun == [3, 5, 7])
        #expect(limiter.count == 0)
    }

    @Test func forgettingTheLastLeavesRoomForOthers() throws {
        var limiter = ConnectionLimiter<Hop>(perOrigin: 1, total: 1)
        let first = limiter.enter(Hop("a", 1), to: Self.origin("a"))
        let grant = try #require(first)
        let waiting = Hop("b", 1)
        #expect(limiter.enter(waiting, to: Self.origin("b")) == nil)
        #expect(limiter.enter(Hop("c", 1), to: Self.origin("c")) == nil)
        waiting.isCancelled = true
        #expect(limiter.forget(to: Self.origin("b")) { $0.isCancelled }.count == 1)
        #expect(limiter.leave(grant)?.hop.origin == "c")
        #expect(limiter.next() == nil)
        #expect(limiter.count == 1)
    }

    @Test func anOriginThatIsNotKnownHasNothingToForget() {
        var limiter = ConnectionLimiter<Hop>(perOrigin: 1)
        #expect(limiter.forget(to: Self.origin("a")) { _ in true }.isEmpty)
        #expect(limiter.count == 0)
    }

    // MARK: Memory

    @Test func originsThatAreNotUsedAnyMoreAreForgotten() {
        var trial = Trial(perOrigin: 1)
        trial.enter("kept")
        trial.note("kept1", isMultiplexed: true)
        for number in 0..<2_500 {
            #expect(trial.enter("h\(number)-") == 0)
            if number == 0 { trial.note("h0-1", isMultiplexed: true) }
            trial.leave("h\(number)-1")
        }
        trial.enter("h0-")
        #expect(trial.running.last?.isMultiplexed == nil)
        trial.enter("kept")
        #expect(trial.running.last?.isMultiplexed == true)
        #expect(trial.limiter.count == 3)
    }
}
