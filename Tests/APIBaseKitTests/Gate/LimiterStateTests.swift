import APIBaseKit
import Basics
import HTTPTransport
import Testing

@testable import APIBaseCore
@testable import APIBaseLimits

/// What is decided in moments that a clock does not show.
@Suite struct LimiterStateTests {
    /// The place that is free belongs to the one that waits, also before that one knows of it.
    @Test func `A new attempt at a CallGate does not overtake a waiting one when a place becomes free`() {
        var state = LimiterState(GateLimits(concurrent: 1))
        #expect(passes(state.enter(at: .zero)))
        #expect(!passes(state.enter(at: .zero)))
        _ = state.wait(since: .zero) { _ in }
        state.leave(.success, of: 0, pause: nil, at: .seconds(1))
        #expect(!passes(state.enter(at: .seconds(1))))
        #expect(state.decide(at: .seconds(1)).decided.count == 1)
        #expect(state.isEmpty)
    }

    /// Timers are always a little late, and the rate holds all the same.
    @Test func `A timer that fires late does not slow down the rate of a CallGate`() {
        var state = LimiterState(GateLimits(interval: .seconds(1)))
        #expect(passes(state.enter(at: .zero)))
        for number in 1...20 {
            _ = state.wait(since: .seconds(number - 1)) { _ in }
            // It is due on time, and comes late.
            let turn = state.decide(at: .seconds(number) - .milliseconds(1))
            #expect(turn.decided.isEmpty && turn.alarm?.time == .seconds(number))
            if let alarm = turn.alarm { state.alarmFired(alarm) }
            #expect(state.decide(at: .seconds(number) + .milliseconds(50)).decided.count == 1)
        }
    }

    /// However often the line is looked at, one alarm is set at most, and none for an empty line.
    @Test func `A CallGate has at most one timer set, and none when its queue is empty`() throws {
        var state = LimiterState(GateLimits(concurrent: 1, interval: .seconds(1), longestWait: .seconds(60)))
        #expect(passes(state.enter(at: .zero)))
        let number = state.wait(since: .zero) { _ in }
        let first = try #require(state.decide(at: .zero).alarm)
        #expect(first.time == .seconds(60) && first.awaitsPlace)
        let cancelled = Locked<[String]>([])
        func wait(_ name: String) -> CallWait { CallWait { cancelled.withLock { $0.append(name) } } }
        var keeps = [state.keep(wait("first"), for: first)]
        #expect(state.decide(at: .zero).alarm == nil)
        state.leave(.success, of: 0, pause: nil, at: .zero)
        let turn = state.decide(at: .zero)
        let second = try #require(turn.alarm)
        #expect(second.time == .seconds(1) && !second.awaitsPlace)
        turn.outdated?.cancel()
        keeps += [state.keep(wait("late"), for: first), state.keep(wait("second"), for: second)]
        #expect(keeps == [true, false, true])
        state.forget(number).outdated?.cancel()
        #expect(cancelled.withLock { $0 } == ["first", "second"])
    }

    @Test func `A CallGate with 1,024 accounts forgets those that have no running or waiting calls`() {
        let gate = CallGate(concurrent: 8)
        func queue(_ number: Int) -> LimiterQueue {
            let account = APIAccount(headers: ["X-Number": "\(number)"]).identity
            return gate.queue(of: nil, for: account, nil, on: WallClock.shared)
        }
        let first = queue(0)
        let running = first.enter(on: WallClock.shared) { _ in }
        withExtendedLifetime(running) {
            for number in 1..<1_024 { _ = queue(number) }
            #expect(gate.accountCount == 1_024)
            _ = queue(1_024)
            #expect(gate.accountCount == 2)
            #expect(queue(0) === first)
        }
    }

    private func passes(_ decision: LimiterState.Decision?) -> Bool {
        if case .success = decision { true } else { false }
    }
}
