import Testing

@testable import HTTPTransport

extension ConnectionLimiterTests {
    // MARK: Hops that are cancelled while they wait

    @Test func `ConnectionLimiter removes an origin's canceled requests once they are more than half of its queue`() {
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
            limiter.leave(last)
            grant = limiter.next(sharing: last)
            if let grant { begun.append(grant.hop.number) }
        }
        #expect(begun == [3, 5, 7])
        #expect(limiter.count == 0)
    }

    @Test func `When the only queued request of an origin is canceled, another origin gets its turn`() throws {
        var limiter = ConnectionLimiter<Hop>(perOrigin: 1, total: 1)
        let first = limiter.enter(Hop("a", 1), to: Self.origin("a"))
        let grant = try #require(first)
        let waiting = Hop("b", 1)
        #expect(limiter.enter(waiting, to: Self.origin("b")) == nil)
        #expect(limiter.enter(Hop("c", 1), to: Self.origin("c")) == nil)
        waiting.isCancelled = true
        #expect(limiter.forget(to: Self.origin("b")) { $0.isCancelled }.count == 1)
        limiter.leave(grant)
        #expect(limiter.next()?.hop.origin == "c")
        #expect(limiter.next() == nil)
        #expect(limiter.count == 1)
    }

    @Test func `ConnectionLimiter removes no canceled requests for an origin that it does not know`() {
        var limiter = ConnectionLimiter<Hop>(perOrigin: 1)
        #expect(limiter.forget(to: Self.origin("a")) { _ in true }.isEmpty)
        #expect(limiter.count == 0)
    }

    // MARK: Memory

    @Test func `ConnectionLimiter forgets an idle origin after thousands of others, but not one with requests`() {
        var trial = Trial(perOrigin: 1)
        trial.enter("kept")
        trial.record("kept1", isMultiplexed: true)
        for number in 0..<2_500 {
            #expect(trial.enter("h\(number)-") == 0)
            if number == 0 { trial.record("h0-1", isMultiplexed: true) }
            trial.leave("h\(number)-1")
        }
        trial.enter("h0-")
        #expect(trial.running.last?.isMultiplexed == nil)
        trial.enter("kept")
        #expect(trial.running.last?.isMultiplexed == true)
        #expect(trial.limiter.count == 3)
    }
}
