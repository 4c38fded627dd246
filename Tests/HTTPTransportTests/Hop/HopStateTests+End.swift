import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

extension HopStateTests {
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
}
