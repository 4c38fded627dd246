import Basics
import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

/// The state of an exchange of one hop, and the effects of each event.
@Suite struct ExchangeDeliveryTests {
    static let url = URL(string: "https://h/a") ?? URL(fileURLWithPath: "/")
    static let head = ExchangeRequest.Event.head(ResponseHead(statusCode: 200, headers: [:], url: url))

    static func sent(_ bytes: Int64) -> ExchangeRequest.Event { .sent(bytes: bytes, expected: 4) }
    static func body(_ count: Int) -> ExchangeRequest.Event { .body(Data(count: count)) }

    static func hop(
        demand: Subscribers.Demand = .none,
        hasBody: Bool = false,
        canPause: Bool = true,
        reportsConnection: Bool = true,
        limits: ExchangeRequest.Limits = .default
    ) -> TestedExchange {
        let body: HTTPBody = hasBody ? .data(Data(count: 4)) : .none
        return TestedExchange(
            ExchangeRequest(.post, to: url, body: body, limits: limits),
            for: .hop(TestedExchange.Reader()),
            on: TestedExchange.Hop(canPause: canPause, reportsConnection: reportsConnection),
            demand: demand
        )
    }

    /// Delivers until nothing is left to deliver, and says what.
    static func deliver(_ hop: inout TestedExchange, asking more: Subscribers.Demand = .none) -> [String] {
        var steps: [String] = []
        var asked = Subscribers.Demand.none
        while steps.count < 100, let step = hop.next(adding: asked) {
            switch step {
            case .event(.sent(let bytes, _), _, _): steps.append("sent \(bytes)")
            case .event(.head, _, _): steps.append("head")
            case .event(.body(let data), _, _): steps.append("body \(data.count)")
            case .end(.finished, _, _): steps.append("finished")
            case .end(.failure(let error), _, _): steps.append("\(error.phase)")
            case .act, .ask, .update: steps.append("?")
            }
            asked = more
        }
        return steps
    }

    // MARK: Demand and delivery

    @Test func `The first demand of a subscriber starts the request, and later demand starts no other`() {
        var hop = Self.hop()
        #expect(TestedExchange.isNothing(hop.state.request(.none)))
        #expect(hop.state.request(.max(1)).start != nil)
        #expect(TestedExchange.isNothing(hop.state.request(.max(1))))
        #expect(TestedExchange.isNothing(hop.state.request(.unlimited)))
    }

    struct Demands: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The first demand, and the demand that each call returns.
        let first: Int
        var each = 0
        let events: [ExchangeRequest.Event]
        var ends = false
        let delivered: [String]
    }

    @Test(arguments: [
        Demands(testDescription: "no event", first: 5, events: [], delivered: []),
        Demands(testDescription: "no more than was asked for", first: 1, events: [head, body(1)], delivered: ["head"]),
        Demands(
            testDescription: "all that was asked for",
            first: 3,
            events: [head, body(1), body(2), body(3)],
            delivered: ["head", "body 1", "body 2"]
        ),
        Demands(
            testDescription: "what the calls ask for",
            first: 1,
            each: 1,
            events: [sent(1), sent(4), head, body(1)],
            delivered: ["sent 4", "head", "body 1"]
        ),
        Demands(
            testDescription: "the end needs no demand",
            first: 1,
            events: [head],
            ends: true,
            delivered: ["head", "finished"]
        ),
        Demands(
            testDescription: "the end comes after every event",
            first: 1,
            events: [head, body(1)],
            ends: true,
            delivered: ["head"]
        ),
        Demands(testDescription: "the end alone", first: 1, events: [], ends: true, delivered: ["finished"]),
    ])
    func `An exchange delivers as many events as demanded, and its end without demand`(_ test: Demands) {
        var hop = Self.hop(demand: .max(test.first))
        for event in test.events { _ = hop.take(event) }
        if test.ends { _ = hop.finish() }
        #expect(Self.deliver(&hop, asking: .max(test.each)) == test.delivered)
    }

    /// Of all calls that come before the delivery has run, one asks for it.
    @Test func `An exchange schedules no second delivery to its subscriber while one is pending`() {
        var hop = Self.hop(demand: .max(2))
        #expect(hop.take(Self.head).delivers)
        #expect(!hop.take(Self.body(1)).delivers)
        #expect(TestedExchange.isNothing(hop.state.request(.max(1))))
        #expect(!hop.finish().delivers)
        #expect(Self.deliver(&hop) == ["head", "body 1", "finished"])
    }

    @Test func `Events beyond a subscriber's demand are queued and delivered with its next demand`() {
        var hop = Self.hop(demand: .max(1))
        #expect(hop.take(Self.head).delivers)
        #expect(!hop.take(Self.body(1)).delivers)
        #expect(Self.deliver(&hop) == ["head"])
        #expect(!hop.take(Self.body(2)).delivers)
        #expect(hop.state.request(.max(1)).delivers)
        #expect(Self.deliver(&hop) == ["body 1"])
        #expect(!hop.finish().delivers)
        #expect(hop.state.request(.unlimited).delivers)
        #expect(Self.deliver(&hop) == ["body 2", "finished"])
        #expect(TestedExchange.isNothing(hop.state.request(.unlimited)))
        #expect(Self.deliver(&hop) == [])
    }

    @Test func `Events that the engine reports after the end of a request are dropped`() {
        var hop = Self.hop(demand: .unlimited)
        _ = hop.finish()
        #expect(!hop.state.isCurrent(hop.hop))
        #expect(TestedExchange.isNothing(hop.take(Self.head)))
        #expect(Self.deliver(&hop) == ["finished"])
        #expect(TestedExchange.isNothing(hop.take(Self.head)))
    }

    // MARK: Back-pressure

    @Test(arguments: [(100, false, false), (101, false, true), (101, true, false)])
    func `A transfer that cannot pause is canceled when it queues more than queuedBytes`(
        queued: Int,
        canPause: Bool,
        overflows: Bool
    ) {
        let limits = ExchangeRequest.Limits.with { $0.queuedBytes = 100 }
        var hop = Self.hop(demand: .max(1), canPause: canPause, limits: limits)
        _ = hop.begin()
        #expect(!hop.take(Self.body(60)).cancels)
        #expect(hop.take(Self.body(queued - 60)).cancels == overflows)
        #expect(hop.state.isCurrent(hop.hop) == !overflows)
    }

    @Test func `A full event queue pauses the transfer, and taking an event resumes the transfer`() throws {
        var hop = Self.hop(demand: .max(1))
        #expect(!hop.take(Self.body(BackPressure.highWater - 1)).regulates)
        #expect(hop.nextPause(continuing: false) == nil)
        #expect(hop.take(Self.body(1)).regulates)
        #expect(hop.nextPause(continuing: false) == true)
        #expect(hop.nextPause(continuing: true) == nil)
        guard case .event(_, _, let action)? = hop.next() else {
            Issue.record("There is an event, and demand for it.")
            return
        }
        #expect(action.regulates)
        #expect(hop.nextPause(continuing: false) == false)
        #expect(hop.nextPause(continuing: true) == nil)
    }

    /// Nothing has to wait for a subscriber that is gone.
    @Test func `A transfer paused for its subscriber is resumed once its exchange has ended`() {
        var hop = Self.hop(demand: .max(1))
        _ = hop.take(Self.body(BackPressure.highWater))
        #expect(hop.nextPause(continuing: false) == true)
        #expect(hop.nextPause(continuing: true) == nil)
        _ = hop.finish()
        #expect(hop.nextPause(continuing: false) == false)
    }
}
