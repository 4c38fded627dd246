import Testing

@testable import HTTPTransport

extension ConnectionLimiterTests {
    @Test(arguments: [1, 2, 4])
    func `Queued requests of one origin begin in the order of their arrival`(perOrigin: Int) {
        var trial = Trial(perOrigin: perOrigin, loops: 2)
        trial.enter(20, "a")
        for number in 1...(20 - perOrigin) { #expect(trial.leave("a\(number)") == ["a\(number + perOrigin)"]) }
    }

    /// A hop that comes late does not pass those that wait.
    @Test func `A new request does not overtake requests already queued for its origin`() {
        var trial = Trial(perOrigin: 1)
        trial.enter(3, "a")
        #expect(trial.leave("a1") == ["a2"])
        #expect(trial.enter("a") == nil)
        #expect(trial.leave("a2") == ["a3"])
        #expect(trial.leave("a3") == ["a4"])
        #expect(trial.leave("a4") == [])
    }

    @Test func `A queued request begins on the event loop of the request that has ended`() {
        var trial = Trial(perOrigin: 4, loops: 4)
        trial.enter(12, "a")
        for (number, next) in [(3, 5), (1, 6), (4, 7), (2, 8)] {
            let loop = trial.running.first { Trial.name($0) == "a\(number)" }?.loop
            #expect(trial.leave("a\(number)") == ["a\(next)"])
            #expect(trial.running.last?.loop == loop)
        }
        #expect(trial.loads(4) == [1, 1, 1, 1])
    }

    @Test func `Origins with queued requests take turns when the total connection limit is reached`() {
        var trial = Trial(perOrigin: 2, total: 2)
        for name in ["a", "a", "a", "a", "b", "b", "b", "c"] { trial.enter(name) }
        var begun = trial.names
        while let first = trial.names.first { begun += trial.leave(first) }
        #expect(begun == ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "b3"])
    }

    @Test func `An origin at its own connection limit does not block requests to other origins`() {
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
    @Test func `An origin with only idle connections waits its turn when the total connection limit is reached`() {
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
    @Test(arguments: [1, 2, 5])
    func `A queued request begins after at most two requests of another origin that keeps sending`(total: Int) {
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
}
