import HostileServer
import Testing

/// The table of misbehaving servers, on each engine.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BehaviourTests {
    @Test func theTableIsInOrder() {
        #expect(Behaviour.all.count >= 60)
        #expect(Set(Behaviour.all.map(\.name)).count == Behaviour.all.count)
        for behaviour in Behaviour.all {
            #expect(!behaviour.expected.isEmpty)
            #expect((behaviour.expected.count > 1) == (behaviour.reason != nil), "\(behaviour.name)")
        }
    }

    #if os(Linux)
    @Test func curlSessionConcludesWhatAGoodClientDoes() async throws {
        let theatre = try Theatre()
        defer { theatre.stop() }
        let session = Engine.curl.makeSession()
        for (name, outcome) in await theatre.wrongOutcomes(on: session, atOnce: 32) {
            Issue.record("\(name): \(outcome)")
        }
        #expect(try await holds { session.runningExchanges == 0 })
    }

    /// In processes of their own, since some of it ends them.
    @Test(.disabled(if: isSanitized, "the sanitizer slows down what is measured here"))
    func urlSessionConcludesWhatItIsKnownTo() async throws {
        let children = try #require(Children(count: 8))
        let outcomes = try await children.outcomes(of: Behaviour.all, on: .urlSession)
        for behaviour in Behaviour.all {
            let outcome = outcomes[behaviour.name] ?? "none"
            #expect(behaviour.isKnown(outcome, on: .urlSession), "\(behaviour.name): \(outcome)")
        }
    }
    #endif
}
