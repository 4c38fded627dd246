import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

extension ExchangeDeliveryTests {
    private static let limits = ExchangeRequest.Limits.with { limits in
        limits.connect = .milliseconds(30)
        limits.idle = .milliseconds(20)
        limits.total = .milliseconds(100)
    }

    private static func time(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

    private static let idle = TransportError.Reason.timedOut(which: .idle, after: .milliseconds(20))

    @Test func `Time limits run from the start of a request, and only activity extends the idle limit`() {
        var hop = Self.hop(demand: .max(1), limits: Self.limits)
        #expect(TestedExchange.isNothing(hop.state.deadlineReached(at: Self.time(1_000))))
        #expect(hop.begin(at: Self.time(1_000)).deadline == Self.time(1_020))
        #expect(hop.state.deadlineReached(at: Self.time(1_019)).deadline == Self.time(1_020))
        hop.connected(at: Self.time(1_019))
        #expect(hop.state.deadlineReached(at: Self.time(1_038)).deadline == Self.time(1_039))
        _ = hop.take(Self.head, at: Self.time(1_038))
        #expect(hop.state.deadlineReached(at: Self.time(1_057)).deadline == Self.time(1_058))
        var other = hop
        #expect(hop.expired(at: Self.time(1_058)) == Self.idle)
        #expect(other.expired(at: Self.time(1_100)) == .timedOut(which: .total, after: .milliseconds(100)))
    }

    /// The next hop has what the first has left; waiting for its turn takes nothing.
    @Test func `The total time limit spans all redirects, but not the wait before a redirected request begins`() {
        let limits = ExchangeRequest.Limits.with { limits in
            limits.idle = nil
            limits.total = .milliseconds(100)
        }
        var exchange = TestedExchange(
            ExchangeRequest(to: Self.url, limits: limits),
            for: .stream(TestedExchange.Reader())
        )
        #expect(exchange.begin(at: Self.time(10)).deadline == Self.time(110))
        let redirect = ResponseHead(statusCode: 302, headers: ["Location": "/b"], url: Self.url)
        _ = exchange.take(.head(redirect), at: Self.time(20))
        _ = exchange.state.finished(nil, from: exchange.hop, at: Self.time(40))
        while exchange.next() != nil {}
        exchange.hop = TestedExchange.Hop()
        #expect(exchange.state.adopt(exchange.hop) == true)
        #expect(exchange.begin(at: Self.time(1_000)).deadline == Self.time(1_070))
    }

    /// A body that comes from a source is read before there is a connection.
    @Test func `No time limit runs while a request that has begun waits for a connection`() {
        let limits = ExchangeRequest.Limits.with { $0.total = .milliseconds(100) }
        var hop = Self.hop(demand: .max(1), limits: limits)
        #expect(hop.begin(at: Self.time(10)).deadline != nil)
        hop.state.waits(hop.hop, at: Self.time(40))
        #expect(TestedExchange.isNothing(hop.state.deadlineReached(at: Self.time(9_000))))
        #expect(hop.begin(at: Self.time(9_000)).deadline == Self.time(9_070))
    }

    /// An event means that there is a connection, even if the engine has not said so.
    @Test func `Any event from the engine, such as sent bytes, ends the connect time limit`() {
        let limits = ExchangeRequest.Limits.with { limits in
            limits.connect = .milliseconds(30)
            limits.idle = nil
        }
        var hop = Self.hop(demand: .max(1), limits: limits)
        #expect(hop.begin().deadline == Self.time(30))
        _ = hop.take(Self.sent(1), at: Self.time(29))
        #expect(TestedExchange.isNothing(hop.state.deadlineReached(at: Self.time(30))))
    }

    @Test func `The idle time limit does not run while a transfer is paused for its subscriber`() {
        var hop = Self.hop(demand: .max(1), limits: Self.limits)
        _ = hop.begin()
        _ = hop.take(Self.body(BackPressure.highWater))
        #expect(hop.nextPause(continuing: false) == true)
        #expect(hop.nextPause(continuing: true) == nil)
        #expect(hop.state.deadlineReached(at: Self.time(60)).deadline == Self.time(80))
        _ = hop.next()
        // The idle time begins when the task is resumed.
        #expect(hop.nextPause(at: Self.time(70), continuing: false) == false)
        #expect(hop.state.deadlineReached(at: Self.time(89)).deadline == Self.time(90))
        #expect(hop.expired(at: Self.time(90)) == Self.idle)
    }

    @Test func `Time limits have no effect after an exchange has ended or been canceled`() {
        var hop = Self.hop(demand: .max(1), limits: Self.limits)
        _ = hop.begin()
        _ = hop.finish()
        #expect(TestedExchange.isNothing(hop.state.deadlineReached(at: Self.time(1_000))))
        #expect(hop.begin().deadline == nil)
        var cancelled = Self.hop(demand: .max(1), limits: Self.limits)
        _ = cancelled.state.cancel()
        #expect(cancelled.begin().deadline == nil)
    }

    private final class Sleeping: DeadlineTimer.Client {
        func deadlineReached() {}
    }

    /// Two threads may set a deadline and keep its token in the other order.
    @Test func `If two timer tokens arrive out of order, an exchange keeps the later and returns the other`() {
        let far = monotonicNanoseconds() + 3_600_000_000_000
        let tokens = (0..<4).map { _ in DeadlineTimer.shared.schedule(at: far, for: Sleeping()) }
        defer { for token in tokens { token.cancel() } }
        var hop = Self.hop(demand: .unlimited)
        #expect(hop.state.keep(tokens[1]) == nil)
        #expect(hop.state.keep(tokens[0]) == tokens[0])
        #expect(hop.state.keep(tokens[2]) == tokens[1])
        #expect(hop.finish().alarm == tokens[2])
        #expect(hop.state.keep(tokens[3]) == tokens[3])
        #expect(hop.state.cancel().alarm == nil)
    }
}

extension TestedExchange {
    /// The failure that a deadline brings; nil if it brings none.
    fileprivate mutating func expired(at now: UInt64) -> TransportError.Reason? {
        guard state.deadlineReached(at: now).cancels, case .failure(let error)? = state.completion else { return nil }
        return error.reason
    }
}
