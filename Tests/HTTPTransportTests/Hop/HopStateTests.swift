import Basics
import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

/// What is known of one hop, and what follows from each thing that happens to it.
@Suite struct HopStateTests {
    static let url = URL(fileURLWithPath: "/")
    static let head = ExchangeEvent.head(ResponseHead(statusCode: 200, headers: [:], url: url))

    static func sent(_ bytes: Int64) -> ExchangeEvent { .sent(bytes: bytes, expected: 4) }
    static func body(_ count: Int) -> ExchangeEvent { .body(Data(count: count)) }

    static func state(
        demand: Subscribers.Demand = .none,
        hasBody: Bool = false,
        canPause: Bool = true,
        seesConnection: Bool = true,
        limits: ExchangeLimits = .default
    ) -> HopState {
        let body: HTTPBody = hasBody ? .data(Data(count: 4)) : .none
        let request = ExchangeRequest(.post, to: url, body: body, limits: limits)
        let log = AnySubscriber(EventLog())
        var state = HopState(log, for: request, canPause: canPause, seesConnection: seesConnection)
        if demand > .none { #expect(state.request(demand) == .start) }
        return state
    }

    /// Delivers until nothing is left to deliver, and says what.
    static func deliver(_ state: inout HopState, asking more: Subscribers.Demand = .none) -> [String] {
        var steps: [String] = []
        var asked = Subscribers.Demand.none
        while steps.count < 100, let step = state.next(adding: asked) {
            switch step {
            case .event(.sent(let bytes, _), _, _): steps.append("sent \(bytes)")
            case .event(.head, _, _): steps.append("head")
            case .event(.body(let data), _, _): steps.append("body \(data.count)")
            case .end(.finished, _): steps.append("finished")
            case .end(.failure(let error), _): steps.append("\(error.phase)")
            }
            asked = more
        }
        return steps
    }

    // MARK: Demand and delivery

    @Test func theFirstDemandStartsTheHopAndNoOther() {
        var state = Self.state()
        #expect(state.request(.none) == .nothing)
        #expect(state.request(.max(1)) == .start)
        #expect(state.request(.max(1)) == .nothing)
        #expect(state.request(.unlimited) == .nothing)
    }

    struct Demands: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What is asked for first, and in each call.
        let first: Int
        var each = 0
        let events: [ExchangeEvent]
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
            testDescription: "the end comes behind every event",
            first: 1,
            events: [head, body(1)],
            ends: true,
            delivered: ["head"]
        ),
        Demands(testDescription: "the end alone", first: 1, events: [], ends: true, delivered: ["finished"]),
    ])
    func deliversWhatWasAskedFor(_ test: Demands) {
        var state = Self.state(demand: .max(test.first))
        for event in test.events { _ = state.take(event, at: 0) }
        if test.ends { _ = state.end(nil, url: nil, discarding: false) }
        #expect(Self.deliver(&state, asking: .max(test.each)) == test.delivered)
    }

    /// Of all calls that come before the delivery has run, one asks for it.
    @Test func oneDeliveryIsAskedForAtATime() {
        var state = Self.state(demand: .max(2))
        #expect(state.take(Self.head, at: 0).delivers)
        #expect(!state.take(Self.body(1), at: 0).delivers)
        #expect(state.request(.max(1)) == .nothing)
        #expect(!state.end(nil, url: nil, discarding: false).delivers)
        #expect(Self.deliver(&state) == ["head", "body 1", "finished"])
    }

    @Test func whatIsLeftIsDeliveredWithTheNextDemand() {
        var state = Self.state(demand: .max(1))
        #expect(state.take(Self.head, at: 0).delivers)
        #expect(!state.take(Self.body(1), at: 0).delivers)
        #expect(Self.deliver(&state) == ["head"])
        #expect(!state.take(Self.body(2), at: 0).delivers)
        #expect(state.request(.max(1)) == .deliver)
        #expect(Self.deliver(&state) == ["body 1"])
        #expect(!state.end(nil, url: nil, discarding: false).delivers)
        #expect(state.request(.unlimited) == .deliver)
        #expect(Self.deliver(&state) == ["body 2", "finished"])
        #expect(state.request(.unlimited) == .nothing)
        #expect(Self.deliver(&state) == [])
    }

    @Test func nothingIsTakenAfterTheEnd() {
        var state = Self.state(demand: .unlimited)
        _ = state.end(nil, url: nil, discarding: false)
        #expect(state.isOver)
        #expect(state.take(Self.head, at: 0) == HopState.Intake())
        #expect(Self.deliver(&state) == ["finished"])
        #expect(state.take(Self.head, at: 0) == HopState.Intake())
    }

    // MARK: Back-pressure

    @Test(arguments: [(100, false, false), (101, false, true), (101, true, false)])
    func whatCannotBeHeldBackHasALimit(queued: Int, canPause: Bool, overflows: Bool) {
        let limits = ExchangeLimits.with { $0.queuedBytes = 100 }
        var state = Self.state(demand: .max(1), canPause: canPause, limits: limits)
        #expect(!state.take(Self.body(60), at: 0).overflows)
        #expect(state.take(Self.body(queued - 60), at: 0).overflows == overflows)
    }

    @Test func theTaskIsPausedAndGoesOn() throws {
        var state = Self.state(demand: .max(1))
        #expect(!state.take(Self.body(Pausing.highWater - 1), at: 0).regulates)
        #expect(state.nextPause(at: 0, continuing: false) == nil)
        #expect(state.take(Self.body(1), at: 0).regulates)
        #expect(state.nextPause(at: 0, continuing: false) == true)
        #expect(state.nextPause(at: 0, continuing: true) == nil)
        guard case .event(_, _, let regulates)? = state.next(adding: .none) else {
            Issue.record("There is an event, and demand for it.")
            return
        }
        #expect(regulates)
        #expect(state.nextPause(at: 0, continuing: false) == false)
        #expect(state.nextPause(at: 0, continuing: true) == nil)
    }

    /// Nothing has to wait for a subscriber that is gone.
    @Test func aPausedTaskGoesOnAfterTheEnd() {
        var state = Self.state(demand: .max(1))
        _ = state.take(Self.body(Pausing.highWater), at: 0)
        #expect(state.nextPause(at: 0, continuing: false) == true)
        #expect(state.nextPause(at: 0, continuing: true) == nil)
        _ = state.end(nil, url: nil, discarding: false)
        #expect(state.nextPause(at: 0, continuing: false) == false)
    }
}
