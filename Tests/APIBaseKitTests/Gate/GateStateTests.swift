import Testing

@testable import APIBaseKit

/// What is decided in moments that a clock does not show.
@Suite struct GateStateTests {
    /// The place that is free belongs to the one that waits, also before that one knows of it.
    @Test func aNewcomerDoesNotOvertake() {
        var state = GateState(GateLimits(concurrent: 1))
        #expect(passes(state.enter(at: .zero)))
        #expect(!passes(state.enter(at: .zero)))
        _ = state.wait(since: .zero) { _ in }
        state.leave(.success, of: 0, pause: nil, at: .seconds(1))
        #expect(!passes(state.enter(at: .seconds(1))))
        #expect(state.decide(at: .seconds(1)).decided.count == 1)
        #expect(state.isEmpty)
    }

    /// Timers are always a little late, and the rate holds all the same.
    @Test func whatATimerIsLateByIsMadeUpFor() {
        var state = GateState(GateLimits(interval: .seconds(1)))
        #expect(passes(state.enter(at: .zero)))
        for number in 1...20 {
            _ = state.wait(since: .seconds(number - 1)) { _ in }
            // It is due on time, and comes late.
            let (decided, alarm) = state.decide(at: .seconds(number) - .milliseconds(1))
            #expect(decided.isEmpty && alarm == .seconds(number))
            state.silence(.seconds(number))
            #expect(state.decide(at: .seconds(number) + .milliseconds(50)).decided.count == 1)
        }
    }

    private func passes(_ verdict: GateState.Verdict?) -> Bool {
        if case .success = verdict { true } else { false }
    }
}
