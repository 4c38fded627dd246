import APIBaseKit
import APIBaseStubs
import Basics
import DemoServer
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The events of a request, over many connections.
@Suite(.tags(.concurrent), .limited) struct EventSourceTests {
    private static func events(_ text: String, _ status: Int = 200) -> StubAnswer {
        .status(status, headers: ["Content-Type": "text/event-stream"], data: Data(text.utf8))
    }

    private static func collect(
        _ publisher: AnyPublisher<ServerSentEvent, any Error>,
        _ count: Int = .max
    ) async throws -> [String] {
        var data: [String] = []
        for try await event in publisher.prefix(count).values { data.append(event.data) }
        return data
    }

    @Test
    func `An event source reconnects when the connection closes and resumes after the last event ID`() async throws {
        let server = DemoAPIServer()
        let url = try server.start()
        defer { server.stop() }
        let call = WatchedCall(base: url.absoluteString)
        call.path = "/lab/events"
        call.query["count"] = 7
        call.query["every"] = 0
        call.query["perConnection"] = 3
        call.query["retry"] = 1
        // The clock of the stubs, which answer nothing here: no wait takes time.
        try await Stubs(unmatched: .passThrough).runUnchecked {
            let events = try await finalOutcome(of: call.serverSentEvents())
            #expect(events.isFinished && events.values.allSatisfy { $0.type == "tick" })
            #expect(events.values.map(\.lastEventID) == ["1", "2", "3", "4", "5", "6", "7"])
            #expect(call.story.count { $0.hasPrefix("head") } == 4)
            let rest = try await finalOutcome(of: call.serverSentEvents(after: "5"))
            #expect(rest.isFinished && rest.values.map(\.lastEventID) == ["6", "7"])
        }
    }

    @Test(
        arguments: [
            ("ä\u{1F600}", true), ("a\u{1}b", false), ("\u{7F}", false), ("", false),
            (String(repeating: "x", count: 4_096), true), (String(repeating: "x", count: 4_097), false),
            (String(repeating: "ä", count: 2_049), false), (String(repeating: "x", count: 60_000), false),
        ]
    )
    func `An event source sends back an ID of up to 4,096 bytes without control characters, and drops others`(
        id: String,
        isSent: Bool
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: Self.events("id: \(id)\ndata: 1\n\n"), .status(204))
        let call = JSONAPI(.get("http://api.example/x"))
        let events = try await stubs.run { try await finalOutcome(of: call.serverSentEvents(after: id)) }
        #expect(events.isFinished && events.values == [ServerSentEvent(data: "1", lastEventID: id)])
        func values(_ name: String) -> [String?] { stubs.calls.map { $0.request.value(forHTTPHeaderField: name) } }
        #expect(values("Last-Event-ID") == Array(repeating: isSent ? id : nil, count: 2))
        #expect(values("Accept") == Array(repeating: "text/event-stream", count: 2))
        #expect(values("Cache-Control") == Array(repeating: "no-store", count: 2))
    }

    @Test(
        arguments: [
            ("nothing", "", [3.0, 6, 12, 24, 48, 60, 60]), ("only comments", ": x\n\n", [3, 6, 12, 24]),
            ("retry", "retry: 100\n\n", [0.1, 0.2, 0.4, 0.8, 1.6]),
            ("no wait", "retry: 0\n\n", [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60, 60]),
            ("no wait, with events", "retry: 0\ndata: x\n\n", [0.1, 0.1, 0.1]),
            ("a long retry", "retry: 90000\n\n", [90, 90, 90]),
            ("a huge retry", "retry: 9223372036854775807\n\n", [3_600, 3_600]), ("events", "data: x\n\n", [3, 3, 3]),
            ("a retry that is none", "retry: 1x\n\n", [3, 6]), ("an unfinished event", "data: x", [3, 6]),
        ] as [(String, String, [Double])]
    )
    func `An event source doubles its reconnection time after each connection without an event`(
        name: String,
        text: String,
        waits: [Double]
    ) async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(Self.events(text))
        let call = WatchedCall()
        let outcome = Outcome<ServerSentEvent, any Error>()
        let subscription = await stubs.runUnchecked { outcome.subscribe(to: call.serverSentEvents()) }
        for (index, wait) in waits.enumerated() {
            #expect(try await holds { clock.waits == 1 })
            #expect(stubs.calls.count == index + 1)
            clock.advance(by: .seconds(wait) - .milliseconds(1))
            #expect(clock.waits == 1)
            clock.advance(by: .milliseconds(1))
        }
        #expect(try await holds { clock.waits == 1 })
        subscription.cancel()
        // The wait may be in the making.
        #expect(try await holds { clock.waits == 0 })
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .head, .options, HTTPMethod(rawValue: "REPORT")])
    func `An event source with a method other than GET fails with notGET and sends nothing`(method: HTTPMethod)
        async throws
    {
        let call = WatchedCall()
        call.method = method
        let built = BuiltCall(method: method)
        let stubs = Stubs()
        try await stubs.run {
            for events in [call.serverSentEvents(), built.serverSentEvents(after: "5")] {
                let error = try await finalOutcome(of: events).failure as? RequestError
                #expect(error == .invalidRequest(.init(.method, .notGET)))
                #expect(error?.localizedDescription.contains("replyEvents()") == true)
            }
        }
        #expect(stubs.calls.isEmpty)
    }

    /// A call whose method is changed while its request is built.
    private final class BuiltCall: JSONAPI {
        let changed: HTTPMethod

        init(method: HTTPMethod) {
            changed = method
            super.init(.get("http://api.example/"))
        }

        override func buildURLRequest() throws -> URLRequest {
            var request = try super.buildURLRequest()
            request.httpMethod = changed.rawValue
            return request
        }
    }

    @Test func `The response of a POST can be read as server-sent events through sendStream()`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/x").answer(Self.events("data: 1\n\ndata: 2\n\n"))
        let call = JSONAPI(.post("http://api.example/x", json: ["stream": true]))
        try await stubs.run {
            let events = call.sendStream().body.serverSentEvents()
            let outcome = try await finalOutcome(of: events)
            #expect(outcome.values.map(\.data) == ["1", "2"])
        }
    }

    @Test(
        arguments: [
            ("another status", StubAnswer.status(500)), ("another success", Self.events("data: x\n\n", 206)),
            ("another type", .text("data: x\n\n")), ("no type", .status(200, data: Data("data: x\n\n".utf8))),
        ]
    )
    func `An event source fails if a reconnection gets a status other than 200 or no event stream`(
        name: String,
        answer: StubAnswer
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: Self.events("data: 1\n\n"), answer)
        let seen = Locked<[String]>([])
        await #expect(throws: RequestError.self) {
            try await stubs.run {
                for try await event in WatchedCall().serverSentEvents().values {
                    seen.withLock { $0.append(event.data) }
                }
            }
        }
        #expect(seen.withLock { $0 } == ["1"] && stubs.calls.count == 2)
    }

    @Test func `A retry policy limits an event source's attempts for each connection, not in total`() async throws {
        let lost = TransportError(phase: .head, reason: .connectionLost, url: nil)
        let stubs = Stubs()
        stubs.on().answer(
            inOrder: .error(lost),
            .error(lost),
            Self.events("data: 1\n\n"),
            .error(lost),
            .error(lost),
            .error(lost)
        )
        let call = WatchedCall(retry: RetryPolicy(attempts: 3, backoff: .none))
        let seen = Locked(0)
        await #expect(throws: TransportError.self) {
            try await stubs.run { for try await _ in call.serverSentEvents().values { seen.withLock { $0 += 1 } } }
        }
        #expect(seen.withLock { $0 } == 1 && stubs.calls.count == 6)
    }

    @Test func `An event source without a retry policy reconnects after repeated connection failures`() async throws {
        let lost = TransportError(phase: .connect, reason: .connectionLost, url: nil)
        let stubs = Stubs()
        stubs.on().answer(inOrder: .error(lost), .error(lost), .error(lost), Self.events("data: 1\n\n"), .status(204))
        #expect(try await stubs.run { try await Self.collect(WatchedCall().serverSentEvents()) } == ["1"])
    }

    @Test func `An event source that reconnects hundreds of times does not overflow the stack`() async throws {
        let stubs = Stubs()
        stubs.on().answer(Self.events("data: x\n\n"))
        let count = isSanitized ? 100 : runsAllTests ? 1_000 : 300
        let data = try await stubs.run { try await Self.collect(WatchedCall().serverSentEvents(), count) }
        #expect(data.count == count)
        // An operator may ask for one ahead.
        #expect((count...count + 1).contains(stubs.calls.count))
    }

    @Test
    func `An event source created in a scope of stubs uses them even if it is subscribed to outside`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: Self.events("data: 1\n\n"), Self.events("data: 2\n\n"), .status(204))
        let events = await stubs.runUnchecked { WatchedCall().serverSentEvents() }
        #expect(try await Self.collect(events) == ["1", "2"])
    }
}
