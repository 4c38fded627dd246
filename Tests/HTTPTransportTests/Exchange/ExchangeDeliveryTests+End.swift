import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

extension ExchangeDeliveryTests {
    enum Happening: Sendable {
        case begin, connected
        case take(ExchangeRequest.Event)
    }

    struct Phase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hasBody = false
        var reportsConnection = true
        let happenings: [Happening]
        var reason = TransportError.Reason.connectionLost
        let phase: TransportError.Phase
    }

    @Test(arguments: [
        Phase(testDescription: "nothing has begun", happenings: [], phase: .request),
        Phase(testDescription: "it connects", happenings: [.begin], phase: .connect),
        Phase(testDescription: "connected, no body", happenings: [.begin, .connected], phase: .head),
        Phase(testDescription: "connected, a body", hasBody: true, happenings: [.begin, .connected], phase: .send),
        Phase(testDescription: "unseen, no body", reportsConnection: false, happenings: [.begin], phase: .head),
        Phase(
            testDescription: "unseen, a body",
            hasBody: true,
            reportsConnection: false,
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
            reportsConnection: false,
            happenings: [.begin],
            reason: .hostNotFound,
            phase: .connect
        ),
        Phase(testDescription: "no connection", happenings: [], reason: .cannotConnect, phase: .connect),
        Phase(testDescription: "no TLS", reportsConnection: false, happenings: [.begin], reason: .tls, phase: .connect),
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
            reason: .invalidRequest(.init(.body, .unreadableFile)),
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
    func `A TransportError names the phase, such as connect or send, that the request had reached`(_ test: Phase) {
        var hop = Self.hop(demand: .unlimited, hasBody: test.hasBody, reportsConnection: test.reportsConnection)
        for happening in test.happenings {
            switch happening {
            case .begin: _ = hop.begin()
            case .connected: hop.connected()
            case .take(let event): _ = hop.take(event)
            }
        }
        let action = hop.state.fail(test.reason, at: 0)
        #expect(action.delivers || !test.happenings.isEmpty)
        #expect(Self.deliver(&hop).last == "\(test.phase)")
    }

    @Test func `A request delivers only its first end, and later ends and timeouts have no effect`() {
        var hop = Self.hop(demand: .unlimited)
        let first = hop.finish(EngineFailure(reason: .tls))
        #expect(!first.cancels)
        #expect(first.delivers)
        #expect(TestedExchange.isNothing(hop.finish()))
        #expect(TestedExchange.isNothing(hop.state.deadlineReached(at: .max)))
        #expect(Self.deliver(&hop) == ["connect"])
        #expect(TestedExchange.isNothing(hop.finish()))
    }

    @Test(arguments: [false, true])
    func `A timeout, overflow or normal end of an exchange is delivered after the events that are queued`(fails: Bool) {
        var hop = Self.hop(demand: .max(2))
        for event in [Self.head, Self.body(5)] { _ = hop.take(event) }
        let action = fails ? hop.state.fail(.timedOut(which: .total, after: .seconds(1)), at: 0) : hop.finish()
        #expect(action.cancels == fails)
        #expect(Self.deliver(&hop) == ["head", "body 5", fails ? "body" : "finished"])
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
    func `Canceling an exchange drops its queued events, and the engine's later reports have no effect`(_ test: Cancel)
    {
        var hop = Self.hop(demand: test.isStarted ? .max(1) : .none)
        if test.hasBegun { _ = hop.begin() }
        if test.isStarted { for event in [Self.head, Self.body(3)] { _ = hop.take(event) } }
        if test.hasEnded { _ = hop.finish() }
        let action = hop.state.cancel()
        #expect(action.cancels == test.cancelsTask)
        #expect(action.reading != nil)
        #expect(action.events?.bytes == (test.isStarted ? 3 : 0))
        #expect(!hop.state.isCurrent(hop.hop))
        #expect(Self.deliver(&hop) == [])
        #expect(TestedExchange.isNothing(hop.state.request(.unlimited)))
        #expect(TestedExchange.isNothing(hop.take(Self.head)))
        #expect(TestedExchange.isNothing(hop.finish()))
        let again = hop.state.cancel()
        #expect(!again.cancels)
        #expect(again.reading == nil)
    }

    @Test func `An exchange no longer holds its subscriber once its end is delivered`() {
        var hop = Self.hop(demand: .unlimited)
        _ = hop.finish()
        #expect(Self.deliver(&hop) == ["finished"])
        #expect(hop.state.cancel().reading == nil)
    }
}
