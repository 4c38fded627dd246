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
    /// In processes of their own, since some of it ends them.
    @Test(.disabled(if: isSanitized, "the sanitizer slows down what is measured here"))
    func urlSessionConcludesWhatItIsKnownTo() async throws {
        let children = try #require(Children(count: 8))
        let outcomes = try await children.outcomes(of: Behaviour.all, on: .urlSession)
        for behaviour in Behaviour.all {
            let outcome = outcomes[behaviour.name] ?? "none"
            let known = behaviour.known(on: .urlSession).map(\.description)
            #expect(known.contains(outcome), "\(behaviour.name): \(outcome), not \(known.joined(separator: " or "))")
        }
    }
    #endif
}
