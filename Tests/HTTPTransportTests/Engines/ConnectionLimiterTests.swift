import Testing

@testable import HTTPTransport

/// Which hops may begin, and on which event loop.
@Suite struct ConnectionLimiterTests {
    final class Hop {
        let origin: String
        let number: Int
        var isCancelled = false

        init(_ origin: String, _ number: Int) {
            self.origin = origin
            self.number = number
        }
    }

    typealias Grant = ConnectionLimiter<Hop>.Grant

    static func origin(_ name: String) -> Origin { Origin(scheme: "https", host: name, port: 443) }

    /// A limiter, and the hops that it has let begin. Each hop is called by its origin and its number: `a1`.
    struct Trial {
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
            let grant = running.remove(at: index)
            limiter.leave(grant)
            return begin(sharing: grant)
        }

        /// A response to a hop has told. Returns those that begin.
        @discardableResult mutating func record(_ name: String, isMultiplexed: Bool) -> [String] {
            guard let grant = running.first(where: { Self.name($0) == name }) else { return ["\(name) does not run"] }
            limiter.record(grant, isMultiplexed: isMultiplexed)
            return begin(sharing: grant)
        }

        mutating func begin(sharing grant: Grant) -> [String] {
            var names: [String] = []
            while let next = limiter.next(sharing: grant) {
                running.append(next)
                names.append(Self.name(next))
            }
            return names
        }
    }

    // MARK: Loops

    @Test(arguments: [1, 2, 8]) func `Sequential requests to one origin all run on the first event loop`(loops: Int) {
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
    func `Simultaneous requests are spread evenly over the event loops within the connection limits`(_ test: Spread) {
        var trial = Trial(perOrigin: test.perOrigin, total: test.total, loops: test.loops)
        for number in 0..<test.hops { trial.enter("abc".prefix(test.origins).map(String.init)[number % test.origins]) }
        #expect(trial.loads(test.loads.count) == test.loads)
        #expect(trial.limiter.running == test.loads.reduce(0, +))
        #expect(trial.limiter.count == test.hops)
    }

    @Test func `A request runs on the event loop that has an idle connection with its origin`() {
        var trial = Trial(perOrigin: 8, loops: 4)
        trial.enter(2, "b")
        #expect(trial.enter("a") == 2)
        for name in ["a1", "b1", "b2"] { trial.leave(name) }
        #expect(trial.enter("a") == 2)
        #expect(trial.enter("b") == 0)
        #expect(trial.enter("b") == 1)
        #expect(trial.enter("c") == 3)
    }

    @Test func `ConnectionLimiter picks another event loop if the loop with the idle connection is busier`() {
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

    @Test func `ConnectionLimiter stops preferring an event loop once it has closed its idle connections`() {
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

    @Test func `ConnectionLimiter still counts a connection in use when its event loop closes idle ones`() {
        var trial = Trial(perOrigin: 1, loops: 2)
        #expect(trial.enter("a") == 0)
        trial.limiter.closedConnections(of: 0)
        #expect(trial.enter("a") == nil)
        #expect(trial.leave("a1") == ["a2"])
        #expect(trial.loads(2) == [1, 0])
    }

    @Test func `ConnectionLimiter counts idle connections toward the connection limit of their origin`() {
        var trial = Self.twoHopsOnTheFirstLoop()
        trial.leave("a1")
        trial.leave("a2")
        // Both connections are open on loop 0, so no other may be opened on loop 1.
        #expect(trial.enter("a") == 0)
        #expect(trial.enter("a") == 0)
        #expect(trial.loads(2) == [2, 0])
    }

    /// A limiter for two connections with each origin and two loops. Two hops of one origin run on the first loop.
    static func twoHopsOnTheFirstLoop() -> Trial {
        var trial = Trial(perOrigin: 2, loops: 2)
        for name in ["c", "d", "e", "f"] { trial.enter(name) }
        for name in ["c1", "e1"] { trial.leave(name) }
        #expect(trial.enter("a") == 0)
        #expect(trial.enter("a") == 0)
        for name in ["d1", "f1"] { trial.leave(name) }
        return trial
    }
}
