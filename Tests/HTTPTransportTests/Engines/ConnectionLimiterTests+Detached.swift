import Testing

@testable import HTTPTransport

/// Hops whose connection is switched to another protocol.
extension ConnectionLimiterTests {
    @Test func `A detached hop leaves its place to the next, and its end changes nothing`() {
        var trial = Trial(perOrigin: 1)
        trial.enter(3, "a")
        #expect(trial.names == ["a1"])
        #expect(trial.detach("a1") == ["a2"])
        #expect(trial.detach("a1") == [])
        #expect(trial.leave("a1") == [])
        #expect(trial.leave("a2") == ["a3"])
        #expect(trial.leave("a3") == [])
        #expect(trial.limiter.count == 0)
    }

    @Test func `Detached hops do not count for the limit of all connections`() {
        var trial = Trial(perOrigin: 8, total: 2)
        trial.enter(2, "a")
        trial.enter(2, "b")
        #expect(trial.names == ["a1", "a2"])
        #expect(trial.detach("a1") == ["b1"])
        #expect(trial.detach("a2") == ["b2"])
        #expect(trial.leave("a1") == [])
    }

    /// A switch takes a connection of its own, beside the idle one.
    @Test func `A hop goes to the loop with an idle connection, though a detached hop runs there`() {
        var trial = Trial(perOrigin: 1, loops: 2)
        let loop = trial.enter("a")
        trial.leave("a1")
        #expect(trial.enter("a") == loop)
        trial.detach("a2")
        #expect(trial.enter("a") == loop)
    }

    @Test func `A hop goes to the loop with the fewest after the only connection was detached`() {
        var trial = Trial(perOrigin: 1, loops: 2)
        let loop = trial.enter("a")
        trial.detach("a1")
        #expect(trial.enter("a") != loop)
    }
}

extension ConnectionLimiterTests.Trial {
    /// The connection of a hop that runs is switched. Returns those that begin.
    @discardableResult mutating func detach(_ name: String) -> [String] {
        guard let index = names.firstIndex(of: name) else { return ["\(name) does not run"] }
        limiter.detach(&running[index])
        return begin(sharing: running[index])
    }
}
