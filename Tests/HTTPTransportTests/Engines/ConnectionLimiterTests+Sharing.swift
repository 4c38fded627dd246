import Testing

@testable import HTTPTransport

extension ConnectionLimiterTests {
    @Test(arguments: [(1, Int.max, 100), (2, .max, 200), (8, 1, 100), (8, 2, 200)])
    func `ConnectionLimiter allows up to 100 requests on a multiplexed connection, and further ones wait`(
        perOrigin: Int,
        total: Int,
        running: Int
    ) {
        var trial = Trial(perOrigin: perOrigin, total: total)
        trial.enter(500, "a")
        let before = min(perOrigin, total)
        #expect(trial.names == (1...before).map { "a\($0)" })
        let begun = trial.record("a1", isMultiplexed: true)
        #expect(begun == ((before + 1)...running).map { "a\($0)" })
        #expect(trial.leave("a1") == ["a\(running + 1)"])
        #expect(trial.limiter.running == running)
        #expect(trial.limiter.count == 499)
    }

    @Test func `A ConnectionLimiter grant tells whether its origin multiplexes, or nil before the first response`() {
        var trial = Trial(perOrigin: 1)
        trial.enter("a")
        #expect(trial.running.last?.isMultiplexed == nil)
        trial.record("a1", isMultiplexed: true)
        trial.enter("a")
        #expect(trial.running.last?.isMultiplexed == true)
        trial.record("a2", isMultiplexed: false)
        trial.leave("a1")
        trial.leave("a2")
        trial.enter("a")
        #expect(trial.running.last?.isMultiplexed == false)
        trial.enter("b")
        #expect(trial.running.last?.isMultiplexed == nil)
    }

    /// Another connection costs more than waiting for a few hops on one that is there.
    @Test func `A multiplexed connection is shared until its event loop has nine more requests than another`() {
        var trial = Trial(perOrigin: 8, loops: 2)
        trial.enter("a")
        trial.record("a1", isMultiplexed: true)
        trial.enter(8, "a")
        #expect(trial.loads(2) == [9, 0])
        trial.enter("a")
        #expect(trial.loads(2) == [9, 1])
    }

    /// Hops that began on two connections before that was known continue on one.
    @Test func `ConnectionLimiter counts two connections as one once a response shows that the origin multiplexes`() {
        var trial = Self.twoHopsOnTheFirstLoop()
        trial.record("a1", isMultiplexed: true)
        trial.enter(7, "a")
        #expect(trial.loads(2) == [9, 0])
        #expect(trial.enter("a") == 1)
    }

    /// The origin was full for itself when it was its turn; now there is room.
    @Test func `Queued requests of an origin at its limit begin once a response shows that the origin multiplexes`() {
        var trial = Trial(perOrigin: 1)
        trial.enter(3, "a")
        trial.enter("b")
        #expect(trial.leave("b1") == [])
        #expect(trial.record("a1", isMultiplexed: true) == ["a2", "a3"])
    }

    /// All connections are in use, and one of them has room only for its own origin.
    @Test func `At the total connection limit, a free stream of a multiplexed connection serves only its origin`() {
        var trial = Trial(perOrigin: 1, total: 1)
        trial.enter("b")
        trial.record("b1", isMultiplexed: true)
        trial.enter(100, "b")
        #expect(trial.enter("a") == nil)
        #expect(trial.enter("b") == nil)
        #expect(trial.leave("b1") == ["b101"])
        #expect(trial.leave("b2") == ["b102"])
        #expect(trial.leave("b3") == [])
        for number in 4...101 { #expect(trial.leave("b\(number)") == []) }
        #expect(trial.leave("b102") == ["a1"])
    }

    @Test func `The total connection limit counts connections rather than the requests multiplexed on them`() {
        var trial = Trial(perOrigin: 2, total: 3)
        trial.enter("a")
        trial.record("a1", isMultiplexed: true)
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

    @Test func `A request that shares a multiplexed connection does not count toward the total connection limit`() {
        var trial = Trial(perOrigin: 2, total: 2)
        trial.enter("a")
        trial.enter("b")
        trial.enter(3, "b")
        #expect(trial.names == ["a1", "b1"])
        #expect(trial.record("b1", isMultiplexed: true) == ["b2", "b3", "b4"])
        #expect(trial.enter("b") == 0)
        #expect(trial.enter("a") == nil)
        #expect(trial.leave("a1") == ["a2"])
    }

    /// They need no connection, so that they take nothing from what has come before them.
    @Test func `Requests that can share a connection overtake queued requests that need a new one`() {
        var trial = Trial(perOrigin: 2, total: 1)
        trial.enter("b")
        trial.enter("a")
        trial.enter(2, "b")
        #expect(trial.names == ["b1"])
        #expect(trial.record("b1", isMultiplexed: true) == ["b2", "b3"])
        for name in ["b1", "b2"] { #expect(trial.leave(name) == []) }
        #expect(trial.leave("b3") == ["a1"])
    }
}
