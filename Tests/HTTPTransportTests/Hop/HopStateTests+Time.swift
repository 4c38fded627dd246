import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

extension HopStateTests {
    private static let limits = ExchangeLimits.with { limits in
        limits.connect = .milliseconds(30)
        limits.idle = .milliseconds(20)
        limits.total = .milliseconds(100)
    }

    private static func time(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

    @Test func theClocksRunFromTheBeginning() {
        var state = Self.state(demand: .max(1), limits: Self.limits)
        #expect(state.checkTime(at: Self.time(1_000)) == .nothing)
        #expect(state.begin(at: Self.time(1_000), used: 0) == Self.time(1_020))
        #expect(state.checkTime(at: Self.time(1_019)) == .again(Self.time(1_020)))
        state.connected(at: Self.time(1_019))
        #expect(state.checkTime(at: Self.time(1_038)) == .again(Self.time(1_039)))
        _ = state.take(Self.head, at: Self.time(1_038))
        #expect(state.checkTime(at: Self.time(1_057)) == .again(Self.time(1_058)))
        let idle = TransportError.Reason.timedOut(which: .idle, after: .milliseconds(20))
        #expect(state.checkTime(at: Self.time(1_058)) == .expired(idle))
        let total = TransportError.Reason.timedOut(which: .total, after: .milliseconds(100))
        #expect(state.checkTime(at: Self.time(1_100)) == .expired(total))
    }

    /// An event means that there is a connection, even if the engine has not said so.
    @Test func anyEventEndsConnecting() {
        let limits = ExchangeLimits.with { limits in
            limits.connect = .milliseconds(30)
            limits.idle = nil
        }
        var state = Self.state(demand: .max(1), limits: limits)
        #expect(state.begin(at: 0, used: 0) == Self.time(30))
        _ = state.take(Self.sent(1), at: Self.time(29))
        #expect(state.checkTime(at: Self.time(30)) == .nothing)
    }

    @Test func waitingForTheSubscriberIsNotIdle() {
        var state = Self.state(demand: .max(1), limits: Self.limits)
        _ = state.begin(at: 0, used: 0)
        _ = state.take(Self.body(Pausing.highWater), at: 0)
        #expect(state.nextPause(at: 0, continuing: false) == true)
        #expect(state.nextPause(at: 0, continuing: true) == nil)
        #expect(state.checkTime(at: Self.time(60)) == .again(Self.time(80)))
        _ = state.next(adding: .none)
        // The idle time begins when the task goes on.
        #expect(state.nextPause(at: Self.time(70), continuing: false) == false)
        #expect(state.checkTime(at: Self.time(89)) == .again(Self.time(90)))
        let idle = TransportError.Reason.timedOut(which: .idle, after: .milliseconds(20))
        #expect(state.checkTime(at: Self.time(90)) == .expired(idle))
    }

    @Test func afterTheEndNoClockRuns() {
        var state = Self.state(demand: .max(1), limits: Self.limits)
        _ = state.begin(at: 0, used: 0)
        _ = state.end(nil, url: nil, discarding: false)
        #expect(state.checkTime(at: Self.time(1_000)) == .nothing)
        #expect(state.begin(at: 0, used: 0) == nil)
        var cancelled = Self.state(demand: .max(1), limits: Self.limits)
        _ = cancelled.cancel()
        #expect(cancelled.begin(at: 0, used: 0) == nil)
        #expect(!cancelled.cancel().hadBegun)
    }

    private final class Sleeping: DeadlineTimer.Client {
        func deadlineReached() {}
    }

    /// Two threads may set a deadline and keep its token in the other order.
    @Test func theLaterOfTwoTokensIsKept() {
        let far = monotonicNanoseconds() + 3_600_000_000_000
        let tokens = (0..<4).map { _ in DeadlineTimer.shared.schedule(at: far, for: Sleeping()) }
        defer { for token in tokens { token.cancel() } }
        var state = Self.state(demand: .unlimited)
        #expect(state.keep(tokens[1]) == nil)
        #expect(state.keep(tokens[0]) == tokens[0])
        #expect(state.keep(tokens[2]) == tokens[1])
        #expect(state.end(nil, url: nil, discarding: false).0.alarm == tokens[2])
        #expect(state.keep(tokens[3]) == tokens[3])
        #expect(state.cancel().alarm == nil)
    }
}
