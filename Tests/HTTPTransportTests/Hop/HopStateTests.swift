import Basics
import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

/// What is known of one hop, and what follows from each thing that happens to it.
@Suite struct HopStateTests {
    private static let url = URL(fileURLWithPath: "/")
    private static let head = ExchangeEvent.head(ResponseHead(statusCode: 200, headers: [:], url: url))

    private static func sent(_ bytes: Int64) -> ExchangeEvent { .sent(bytes: bytes, expected: 4) }
    private static func body(_ count: Int) -> ExchangeEvent { .body(Data(count: count)) }

    private static func state(
        demand: Subscribers.Demand = .none,
        hasBody: Bool = false,
        canPause: Bool = true,
        seesConnection: Bool = true,
        limits: ExchangeLimits = .default
    ) -> HopState {
        let body: HTTPBody = hasBody ? .data(Data(count: 4)) : .none
        let request = ExchangeRequest(.post, to: url, body: body, limits: limits)
        var state = HopState(EventLog(), for: request, canPause: canPause, seesConnection: seesConnection)
        if demand > .none { #expect(state.request(demand) == .start) }
        return state
    }

    /// Delivers until nothing is left to deliver, and says what.
    private static func deliver(_ state: inout HopState, asking more: Subscribers.Demand = .none) -> [String] {
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

    // MARK: The end

    enum Happening: Sendable {
        case begin, connected
        case take(ExchangeEvent)
    }

    struct Phase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hasBody = false
        var seesConnection = true
        let happenings: [Happening]
        var reason = TransportError.Reason.connectionLost
        let phase: TransportError.Phase
    }

    @Test(arguments: [
        Phase(testDescription: "nothing has begun", happenings: [], phase: .request),
        Phase(testDescription: "it connects", happenings: [.begin], phase: .connect),
        Phase(testDescription: "connected, no body", happenings: [.begin, .connected], phase: .head),
        Phase(testDescription: "connected, a body", hasBody: true, happenings: [.begin, .connected], phase: .send),
        Phase(testDescription: "unseen, no body", seesConnection: false, happenings: [.begin], phase: .head),
        Phase(
            testDescription: "unseen, a body",
            hasBody: true,
            seesConnection: false,
            happenings: [.begin],
            phase: .send
        ),
        Phase(
            testDescription: "part of the body is sent",
            hasBody: true,
            happenings: [.begin, .connected, .take(sent(3))],
            phase: .send
        ),
        Phase(
            testDescription: "all of the body is sent",
            hasBody: true,
            happenings: [.begin, .connected, .take(sent(3)), .take(sent(4))],
            phase: .head
        ),
        Phase(
            testDescription: "the head has come",
            hasBody: true,
            happenings: [.begin, .connected, .take(sent(4)), .take(head)],
            phase: .body
        ),
        Phase(
            testDescription: "the head has come before all was sent",
            hasBody: true,
            happenings: [.begin, .connected, .take(sent(1)), .take(head), .take(sent(4)), .take(sent(2))],
            phase: .body
        ),
        Phase(
            testDescription: "connected twice, as on a connection that is tried again",
            hasBody: true,
            happenings: [.begin, .connected, .take(sent(4)), .connected],
            phase: .head
        ),
        // Some reasons belong to a phase whatever has been seen of it.
        Phase(
            testDescription: "no host",
            seesConnection: false,
            happenings: [.begin],
            reason: .hostNotFound,
            phase: .connect
        ),
        Phase(testDescription: "no connection", happenings: [], reason: .cannotConnect, phase: .connect),
        Phase(testDescription: "no TLS", seesConnection: false, happenings: [.begin], reason: .tls, phase: .connect),
        Phase(
            testDescription: "too slow to connect",
            happenings: [.begin],
            reason: .timedOut(which: .connect, after: .seconds(1)),
            phase: .connect
        ),
        Phase(
            testDescription: "idle in the body",
            happenings: [.begin, .connected, .take(head)],
            reason: .timedOut(which: .idle, after: .seconds(1)),
            phase: .body
        ),
        Phase(
            testDescription: "refused by the engine",
            happenings: [.begin, .connected],
            reason: .invalidRequest(InvalidRequest(.body, .unreadableFile)),
            phase: .request
        ),
        Phase(testDescription: "sent before", happenings: [.begin], reason: .bodyNotReplayable, phase: .request),
        Phase(
            testDescription: "a wrong setting",
            happenings: [.begin],
            reason: .invalidConfiguration(setting: "x"),
            phase: .request
        ),
        Phase(testDescription: "closed", happenings: [.begin], reason: .sessionClosed, phase: .request),
    ])
    func anErrorSaysHowFarTheHopHadCome(_ test: Phase) {
        var state = Self.state(demand: .unlimited, hasBody: test.hasBody, seesConnection: test.seesConnection)
        for happening in test.happenings {
            switch happening {
            case .begin: _ = state.begin(at: 0, used: 0)
            case .connected: state.connected(at: 0)
            case .take(let event): _ = state.take(event, at: 0)
            }
        }
        let (_, delivers) = state.end(EngineFailure(reason: test.reason), url: Self.url, discarding: true)
        #expect(delivers || !test.happenings.isEmpty)
        #expect(Self.deliver(&state) == ["\(test.phase)"])
    }

    @Test func onlyTheFirstEndCounts() {
        var state = Self.state(demand: .unlimited)
        let first = state.end(EngineFailure(reason: .tls), url: nil, discarding: false)
        #expect(first.0.wasStarted)
        #expect(first.delivers)
        let second = state.end(nil, url: nil, discarding: true)
        #expect(!second.0.wasStarted)
        #expect(!second.delivers)
        #expect(Self.deliver(&state) == ["connect"])
        #expect(!state.end(nil, url: nil, discarding: false).delivers)
    }

    @Test(arguments: [false, true]) func anEarlyEndDiscardsWhatIsQueued(discarding: Bool) {
        var state = Self.state(demand: .max(1))
        for event in [Self.head, Self.body(5)] { _ = state.take(event, at: 0) }
        let remains = state.end(nil, url: nil, discarding: discarding).0
        #expect(remains.events?.bytes == (discarding ? 5 : nil))
        #expect(Self.deliver(&state) == (discarding ? ["finished"] : ["head"]))
    }

    struct Cancel: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isStarted = true
        var hasBegun = false
        var hasEnded = false
        let cancelsTask: Bool
    }

    @Test(arguments: [
        Cancel(testDescription: "before the first demand", isStarted: false, cancelsTask: false),
        Cancel(testDescription: "while it waits", cancelsTask: true),
        Cancel(testDescription: "while it runs", hasBegun: true, cancelsTask: true),
        Cancel(
            testDescription: "after its end, before that is delivered",
            hasBegun: true,
            hasEnded: true,
            cancelsTask: false
        ),
    ])
    func cancelLeavesEverythingBehind(_ test: Cancel) {
        var state = Self.state(demand: test.isStarted ? .max(1) : .none)
        if test.hasBegun { _ = state.begin(at: 0, used: 0) }
        if test.isStarted { for event in [Self.head, Self.body(3)] { _ = state.take(event, at: 0) } }
        if test.hasEnded { _ = state.end(nil, url: nil, discarding: false) }
        let remains = state.cancel()
        #expect(remains.wasStarted == test.cancelsTask)
        #expect(remains.hadBegun == test.hasBegun)
        #expect(remains.downstream != nil)
        #expect(remains.events?.bytes == (test.isStarted ? 3 : 0))
        #expect(state.isOver)
        #expect(Self.deliver(&state) == [])
        #expect(state.request(.unlimited) == .nothing)
        #expect(state.take(Self.head, at: 0) == HopState.Intake())
        #expect(!state.end(nil, url: nil, discarding: false).delivers)
        let again = state.cancel()
        #expect(!again.wasStarted)
        #expect(again.downstream == nil)
    }

    @Test func theEndIsForTheSubscriberOnce() {
        var state = Self.state(demand: .unlimited)
        _ = state.end(nil, url: nil, discarding: false)
        #expect(Self.deliver(&state) == ["finished"])
        #expect(state.cancel().downstream == nil)
    }

    // MARK: Time

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
        defer { for token in tokens { DeadlineTimer.shared.cancel(token) } }
        var state = Self.state(demand: .unlimited)
        #expect(state.keep(tokens[1]) == nil)
        #expect(state.keep(tokens[0]) == tokens[0])
        #expect(state.keep(tokens[2]) == tokens[1])
        #expect(state.end(nil, url: nil, discarding: false).0.alarm == tokens[2])
        #expect(state.keep(tokens[3]) == tokens[3])
        #expect(state.cancel().alarm == nil)
    }
}
