#if os(Linux)
@testable import HTTPTransport
import Testing

/// Who leads, looks and helps, decided without a thread.
@Suite struct CurlCrewTests {
    private final class Work: ExchangeDelivery {
        func run() {}
    }

    private let first = CurlHand()
    private let second = CurlHand()
    private let third = CurlHand()
    private let patience = CurlCrew.patience

    /// A crew whose first thread leads, with so much to deliver.
    private func crew(_ count: Int) -> CurlCrew {
        var crew = CurlCrew()
        crew.hire()
        crew.begins(first)
        for _ in 0..<count { crew.add(Work()) }
        return crew
    }

    private func step(
        _ crew: inout CurlCrew,
        _ hand: CurlHand,
        after took: UInt64? = nil,
        isLast: Bool = false,
        at now: UInt64 = 0
    ) -> String {
        let (duty, call) = crew.next(for: hand, after: took, isLast: isLast, at: now)
        let caller =
            switch call {
            case .nobody: ""
            case .newHand: " new"
            case .leader: " leader"
            case .bell(let hand): hand === first ? " 1" : hand === second ? " 2" : " 3"
            }
        return switch duty {
        case .lead: "lead" + caller
        case .deliver: "deliver" + caller
        case .pass: "pass" + caller
        case .watch: "watch" + caller
        case .rest(let forever): (forever ? "rest" : "doze") + caller
        case .end: "end" + caller
        }
    }

    @Test func theLeaderDeliversWhatIsQuick() {
        var crew = crew(2)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second) == "watch")
        #expect(step(&crew, first, after: 1_000) == "deliver")
        #expect(step(&crew, first, after: 1_000) == "lead")
    }

    @Test func theDeputyRestsWhenNothingIsDelivered() {
        var crew = crew(1)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second) == "watch")
        #expect(step(&crew, first, after: 1_000) == "lead")
        #expect(step(&crew, second, at: 1) == "watch")
        #expect(step(&crew, second, at: 2) == "rest")
        crew.add(Work())
        #expect(step(&crew, first, at: 3) == "deliver 2")
        #expect(step(&crew, second, at: 4) == "watch")
    }

    @Test func theDeputyLeadsWhenADeliveryTakesLong() {
        var crew = crew(1)
        #expect(step(&crew, first, at: 5) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second, at: 5 + patience - 1) == "watch")
        #expect(step(&crew, second, at: 5 + patience) == "lead")
        // The old leader is of use still.
        #expect(step(&crew, first, after: 10 * patience, at: 10 * patience) == "rest")
        crew.add(Work())
        #expect(step(&crew, second, isLast: true, at: 11 * patience) == "deliver 1")
    }

    @Test func whatIsLastIsDeliveredByTheLeaderThoughItTakesLong() {
        var crew = crew(1)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second, at: patience) == "lead")
        crew.add(Work())
        #expect(step(&crew, second, isLast: true) == "deliver new")
    }

    @Test func aHelperCallsAnotherWhileThereIsMore() {
        var crew = crew(1)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second, at: patience) == "lead")
        #expect(step(&crew, first, after: patience) == "rest")
        for _ in 0..<3 { crew.add(Work()) }
        #expect(step(&crew, second) == "lead new")
        #expect(!crew.needsLeader)
        crew.begins(third)
        #expect(step(&crew, third) == "deliver new")
        let fourth = CurlHand()
        crew.begins(fourth)
        #expect(step(&crew, fourth) == "deliver new")
        #expect(step(&crew, third, after: patience) == "deliver")
        #expect(step(&crew, third, after: patience) == "doze")
    }

    /// Otherwise nobody would lead once both deliveries take long.
    @Test func aHelperSeesToItThatThereIsADeputy() {
        var crew = crew(3)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second, at: patience) == "lead new")
        crew.isMissing()
        #expect(step(&crew, second, at: patience) == "pass")
        crew = self.crew(2)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second, at: patience) == "lead new")
        crew.begins(third)
        #expect(step(&crew, third, at: patience) == "deliver")
        crew.add(Work())
        #expect(step(&crew, second, isLast: true, at: patience) == "deliver new")
    }

    @Test func aThreadThatRestsForLongEnds() {
        var crew = crew(1)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second) == "watch")
        crew.begins(third)
        #expect(step(&crew, third) == "doze")
        let ends = [third, third, second].map { crew.leaves($0) }
        #expect(ends == [true, false, false])
    }

    /// The leader must not be held up with nobody to take its place.
    @Test func withoutMoreThreadsTheLeaderPassesEverythingOn() {
        var crew = crew(50)
        #expect(step(&crew, first) == "deliver new")
        crew.isMissing()
        for _ in 0..<32 { #expect(step(&crew, first) == "pass") }
        #expect(step(&crew, first) == "deliver new", "It asks again after a while.")
    }

    /// Otherwise it would be over before all has been delivered.
    @Test func theLeaderItselfDeliversTheLastOfASession() {
        var crew = crew(1)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second, at: patience) == "lead")
        crew.add(Work())
        crew.add(Work())
        #expect(crew.next(for: second, after: nil, isLast: true, isClosing: true, at: patience).0.isDelivery)
        #expect(crew.next(for: second, after: nil, isLast: true, isClosing: true, at: patience).0.isDelivery)
        #expect(!crew.hasDeliveries)
    }

    @Test func allEndWithTheSession() {
        var crew = crew(1)
        #expect(step(&crew, first) == "deliver new")
        crew.begins(second)
        #expect(step(&crew, second) == "watch")
        crew.begins(third)
        #expect(step(&crew, third) == "doze")
        #expect(step(&crew, first, after: 1) == "lead")
        let rested = crew.close()
        #expect(rested.contains { $0 === second })
        #expect(rested.contains { $0 === third })
        #expect(step(&crew, second) == "end")
        #expect(step(&crew, third) == "end")
        #expect(!crew.hasLeader)
    }
}

extension CurlCrew.Duty {
    fileprivate var isDelivery: Bool { if case .deliver = self { true } else { false } }
}
#endif
