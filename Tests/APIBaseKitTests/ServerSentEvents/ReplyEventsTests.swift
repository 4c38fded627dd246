import APIBaseKit
import APIBaseRecording
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The events of one response.
@Suite(.tags(.concurrent), .limited) struct ReplyEventsTests {
    private struct Refused: Error, Equatable { let status: Int, body: String }

    /// An API with an error of its own.
    private final class Leaf: JSONAPI {
        override func error(for failure: HTTPFailure) -> any Error {
            Refused(status: failure.statusCode, body: String(decoding: failure.body, as: UTF8.self))
        }
    }

    private static func answer(_ text: String, type: String = "text/event-stream") -> StubAnswer {
        .status(200, headers: ["Content-Type": type], data: Data(text.utf8))
    }

    private static func outcome(
        _ answers: StubAnswer...,
        endMark: String? = nil,
        of call: APIBase
    ) async throws -> (data: [String], error: (any Error)?, calls: [StubbedCall]) {
        let stubs = Stubs(clock: .immediate)
        let count = Locked(0)
        stubs.on().answer { _ in
            count.withLock { count in
                count += 1
                return answers[min(count, answers.count) - 1]
            }
        }
        let outcome = try await stubs.run { try await finalOutcome(of: call.replyEvents(endMark: endMark)) }
        return (outcome.values.map(\.data), outcome.failure, stubs.calls)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type = "text/event-stream"
        let body: String
        var endMark: String? = "[DONE]"
        var data: [String] = []
        var error: RequestError?
    }

    private static let cases = [
        Case(
            testDescription: "data alone, with an end mark",
            body: "data: {\"a\":1}\n\ndata: {\"a\":2}\n\ndata: [DONE]\n\n",
            data: ["{\"a\":1}", "{\"a\":2}"]
        ),
        Case(testDescription: "no end mark is wanted", body: "data: 1\n\n", endMark: nil, data: ["1"]),
        Case(
            testDescription: "an end mark that is not wanted",
            body: "data: [DONE]\n\n",
            endMark: nil,
            data: ["[DONE]"]
        ),
        Case(testDescription: "the end mark alone", body: "data: [DONE]\n\n"),
        Case(
            testDescription: "text after the end mark",
            body: "data: 1\n\ndata: [DONE]\n\ndata: 2\n\nevent: error\ndata: x\n\n",
            data: ["1"]
        ),
        Case(testDescription: "the end mark twice", body: "data: 1\n\ndata: [DONE]\n\ndata: [DONE]\n\n", data: ["1"]),
        Case(
            testDescription: "comments that keep the connection open",
            body: ": ping\n\n: ping\n\ndata: 1\n\n: ping\n\ndata: [DONE]\n\n",
            data: ["1"]
        ),
        Case(testDescription: "CRLF", body: "data: 1\r\n\r\ndata: [DONE]\r\n\r\n", data: ["1"]),
        Case(
            testDescription: "an error in a text",
            body: "data: {\"text\":\"\\\"error\\\"\"}\n\n",
            endMark: nil,
            data: ["{\"text\":\"\\\"error\\\"\"}"]
        ),
        Case(
            testDescription: "an error that is null",
            body: "data: {\"error\":null}\n\n",
            endMark: nil,
            data: ["{\"error\":null}"]
        ),
        Case(
            testDescription: "an error further inside",
            body: "data: {\"response\":{\"error\":{}}}\n\n",
            endMark: nil,
            data: ["{\"response\":{\"error\":{}}}"]
        ),
        Case(
            testDescription: "an error in an array",
            body: "data: [\"error\"]\n\n",
            endMark: nil,
            data: ["[\"error\"]"]
        ),
        Case(
            testDescription: "no end mark",
            body: "data: 1\n\n",
            data: ["1"],
            error: .streamCutOff
        ),
        Case(testDescription: "an end mark without a line end", body: "data: 1\n\ndata: [DONE]", data: ["1"]),
        Case(testDescription: "an end mark without a blank line", body: "data: 1\n\ndata: [DONE]\n", data: ["1"]),
        Case(testDescription: "blanks around the end mark", body: "data: 1\n\ndata: \t[DONE] \n\n", data: ["1"]),
        Case(
            testDescription: "half an end mark",
            body: "data: 1\n\ndata: [DON",
            data: ["1"],
            error: .streamCutOff
        ),
        Case(
            testDescription: "an event without a blank line, and no end mark",
            body: "data: 1\n\ndata: 2\n",
            data: ["1"],
            error: .streamCutOff
        ),
        Case(
            testDescription: "an event without a blank line, and no end mark is wanted",
            body: "data: 1\n\ndata: 2\n",
            endMark: nil,
            data: ["1"]
        ),
        Case(
            testDescription: "events without data, as they are",
            body: "id: 1\ndata:\n\nevent: ping\ndata\n\ndata: 1\n\ndata:  \n\ndata: [DONE]\n\n",
            data: ["", "", "1", " "]
        ),
        Case(testDescription: "nothing", body: "", error: .streamCutOff),
        Case(testDescription: "nothing, and no end mark", body: "", endMark: nil),
        Case(testDescription: "only comments", body: ": ping\n\n", error: .streamCutOff),
        Case(
            testDescription: "an event of type error",
            body: "data: 1\n\nevent: error\ndata: busy\n\ndata: [DONE]\n\n",
            data: ["1"],
            error: .failureEvent(ServerSentEvent(type: "error", data: "busy"))
        ),
        Case(
            testDescription: "an object with an error, first",
            body: "data: {\"error\":{\"code\":7}}\n\ndata: 1\n\n",
            error: .failureEvent(ServerSentEvent(data: "{\"error\":{\"code\":7}}"))
        ),
        Case(
            testDescription: "an object with the text of an error",
            body: "data: 1\n\ndata: {\"id\":1, \"error\" : \"no\"}\n\n",
            data: ["1"],
            error: .failureEvent(ServerSentEvent(data: "{\"id\":1, \"error\" : \"no\"}"))
        ),
        Case(testDescription: "JSON", type: "application/json", body: "{\"a\":1}", data: ["{\"a\":1}"]),
        Case(
            testDescription: "JSON by another name",
            type: "application/vnd.api+json; charset=utf-8",
            body: "[1]\n",
            data: ["[1]\n"]
        ),
        Case(testDescription: "empty JSON", type: "application/json", body: ""),
        Case(
            testDescription: "the same type twice",
            type: "text/event-stream, Text/Event-Stream",
            body: "data: 1\n\ndata: [DONE]\n\n",
            data: ["1"]
        ),
        Case(
            testDescription: "a type with an end and blanks",
            type: " text/event-stream ;",
            body: "data: 1\n\ndata: [DONE]\n\n",
            data: ["1"]
        ),
        Case(
            testDescription: "a type in capitals",
            type: "Text/Event-Stream; charset=utf-8",
            body: "data: 1\n\ndata: [DONE]\n\n",
            data: ["1"]
        ),
    ]

    @Test(arguments: cases)
    func `The replyEvents() method fails with failureEvent for an error event, streamCutOff without end mark`(
        _ expected: Case
    )
        async throws
    {
        let call = JSONAPI(.post("http://api.example/x", json: ["stream": true]))
        let outcome = try await Self.outcome(
            Self.answer(expected.body, type: expected.type),
            endMark: expected.endMark,
            of: call
        )
        #expect(outcome.data == expected.data)
        #expect(outcome.error as? RequestError == expected.error)
        #expect((outcome.error == nil) == (expected.error == nil))
        #expect(outcome.calls.count == 1)
    }

    /// The limit is fixed, and reading so much takes its time. ``CanceledReadingTests`` has one in the first tier.
    @Test(.heavy, arguments: ["data: ", "{\"a\":\""])
    func `The replyEvents() method fails with eventTooLong for an event or JSON of more than 16 MiB`(beginning: String)
        async throws
    {
        let type = beginning.hasPrefix("{") ? "application/json" : "text/event-stream"
        let text = beginning + String(repeating: "x", count: 1 << 24 + 1)
        let outcome = try await Self.outcome(Self.answer(text, type: type), of: APIBase.post)
        #expect(outcome.error as? RequestError == .eventTooLong(limit: 1 << 24))
    }

    @Test func `The replyEvents() method sends Accept for events and JSON, and Cache-Control: no-store`() async throws {
        let call = JSONAPI(.post("http://api.example/x", json: ["stream": true]))
        let outcome = try await Self.outcome(Self.answer("data: 1\n\n"), of: call)
        let request = try #require(outcome.calls.first?.request)
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Accept") == "text/event-stream, application/json")
        #expect(request.value(forHTTPHeaderField: "Cache-Control") == "no-store")
        #expect(call.response?.statusCode == 200)
    }

    @Test(arguments: ["text/html", "text/plain", "application/x-ndjson", nil])
    func `The replyEvents() method fails with contentTypeMismatch unless the reply is events or JSON`(type: String?)
        async throws
    {
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        let outcome = try await Self.outcome(
            .status(200, headers: headers, data: Data("data: 1\n\n".utf8)),
            of: APIBase.post
        )
        guard case .contentTypeMismatch(_, type, let reply)? = outcome.error as? RequestError else {
            return #expect(Bool(false), "\(String(describing: outcome.error))")
        }
        #expect(reply.statusCode == 200)
    }

    @Test
    func `A JSON reply with an error member fails replyEvents() with httpFailure or the API's own error`() async throws
    {
        let body = #"{"error":{"message":"The model is loading."}}"#
        let outcome = try await Self.outcome(.json(body), of: APIBase.post)
        guard case .httpFailure(let failure)? = outcome.error as? RequestError else {
            return #expect(Bool(false), "\(String(describing: outcome.error))")
        }
        #expect(failure.statusCode == 200 && failure.body == Data(body.utf8))
        let own = try await Self.outcome(.json(body), of: Leaf(.post("http://api.example/x")))
        #expect(own.error as? Refused == Refused(status: 200, body: body))
    }

    @Test
    func `The replyEvents() method fails with the API's own error for a 400, and finishes for a 204`() async throws {
        let own = try await Self.outcome(.json("{}", status: 400), of: Leaf(.post("http://api.example/x")))
        #expect(own.error as? Refused == Refused(status: 400, body: "{}"))
        #expect(try await Self.outcome(.status(204), endMark: "[DONE]", of: APIBase.post).error == nil)
    }

    // MARK: A second sending

    private static let lost = StubAnswer.error(TransportError(phase: .head, reason: .connectionLost, url: nil))
    private static let whole = answer("data: 1\n\ndata: [DONE]\n\n")

    @Test(
        arguments: [
            ("no response", lost, 2), ("429", .tooManyRequests(retryAfter: .seconds(1)), 2), ("503", .status(503), 2),
            ("no event", answer(": ping\n\n"), 2), ("cut off before an event", whole.broken(off: .afterBytes(6)), 2),
            ("cut off after the head", whole.broken(off: .afterHead), 2),
            ("cut off in JSON", .json("{\"a\":1}").broken(off: .afterBytes(3)), 2),
            ("cut off after an event", whole.broken(off: .afterBytes(12)), 1),
            ("no end mark after an event", answer("data: 1\n\n"), 1), ("400", .status(400), 1),
            ("an error first", answer("event: error\ndata: x\n\n"), 1), ("an error as JSON", .json("{\"error\":1}"), 1),
            ("another type", .text("x"), 1),
        ] as [(String, StubAnswer, Int)]
    )
    func `A POST that fails before its first event is retried only with an idempotency key`(
        name: String,
        first: StubAnswer,
        sendings: Int
    ) async throws {
        let call = JSONAPI(.post("http://api.example/x", json: ["stream": true]))
        call.retry = .standard
        call.idempotencyKey = .automatic
        let outcome = try await Self.outcome(first, Self.whole, endMark: "[DONE]", of: call)
        #expect(outcome.calls.count == sendings)
        #expect((outcome.error == nil) == (sendings == 2))
        if sendings == 2 { #expect(outcome.data == ["1"]) }
        // Without a key, a POST is sent once, whatever happens.
        call.idempotencyKey = nil
        #expect(try await Self.outcome(first, Self.whole, endMark: "[DONE]", of: call).calls.count == 1)
    }

    @Test func `A replyEvents() call that gets a 401 is sent again with a new token`() async throws {
        let tokens = Locked(0)
        let call = JSONAPI(.post("http://api.example/x", json: ["stream": true]))
        call.authorization = .tokens(
            TokenSource { _ in
                tokens.withLock { $0 += 1 }
                return Token("token-\(tokens.withLock { $0 })")
            }
        )
        let outcome = try await Self.outcome(.status(401), Self.whole, endMark: "[DONE]", of: call)
        #expect(outcome.data == ["1"] && outcome.calls.count == 2 && tokens.withLock { $0 } == 2)
    }

    @Test
    func `The retry deadline of an event stream limits the wait for its first event, not the rest`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        let events = ["1", "2"].map { ServerSentEvent(data: $0) }
        stubs.on().answer(.events(events, every: .seconds(50), staysOpen: true))
        let (slow, quick) = (WatchedCall(.post), WatchedCall(.post))
        slow.retry = RetryPolicy(attempts: 1, deadline: .seconds(20))
        quick.retry = RetryPolicy(attempts: 1, deadline: .seconds(60))
        let (late, early) = (Outcome<ServerSentEvent, any Error>(), Outcome<ServerSentEvent, any Error>())
        let lines = await stubs.runUnchecked {
            [late.subscribe(to: slow.replyEvents()), early.subscribe(to: quick.replyEvents())]
        }
        defer { for line in lines { line.cancel() } }
        await clock.settled()
        clock.advance(by: .seconds(20))
        #expect(try await holds { late.failure is TransportError })
        clock.advance(by: .seconds(30))
        #expect(try await holds { early.values.count == 1 })
        await clock.settled()
        clock.advance(by: .seconds(50))
        #expect(try await holds { early.values.count == 2 })
        #expect(early.completion == nil)
    }

    // MARK: Timings, demand, the end

    @Test func `The timings of a replyEvents() call contain the time until its first event`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.events([ServerSentEvent(data: "1")], every: .seconds(7)))
        let call = WatchedCall(.post)
        let outcome = Outcome<ServerSentEvent, any Error>()
        let line = await stubs.runUnchecked { outcome.subscribe(to: call.replyEvents()) }
        defer { line.cancel() }
        await clock.settled()
        clock.advance(by: .seconds(7))
        #expect(try await holds { call.story.last == "ended 200" })
        #expect(call.story == ["began 1", "sent 1", "head 200", "ended 200"])
        #expect(call.timings?.firstEvent == .seconds(7))
        #expect(call.timings?.description.contains("first event after 7000") == true)
    }

    @Test func `An error event in replyEvents() makes report(_:) and the timings show a failed call`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(Self.answer("data: 1\n\nevent: error\ndata: x\n\n"))
        let call = WatchedCall(.post)
        let outcome = try await stubs.run { try await finalOutcome(of: call.replyEvents()) }
        #expect(outcome.values.count == 1)
        #expect(call.story.last == "failed")
        #expect(call.timings?.error as? RequestError == outcome.failure as? RequestError)
    }

    @Test func `The replyEvents() method delivers events only as the subscriber requests them`() async throws {
        let numbers: [String] = (1...100).map { "\($0)" }
        let text = numbers.map { "data: \($0)\n\n" }.joined()
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(Self.answer(text + "data: [DONE]\n\n"))
        let taker = await stubs.runUnchecked { Taker(APIBase.post.replyEvents(endMark: "[DONE]")) }
        #expect(try await taker.values(1).map(\.data) == ["1"])
        #expect(try await taker.values(2).map(\.data) == ["1", "2", "3"])
        #expect(taker.completion == nil)
        taker.take(97)
        #expect(try await holds { taker.completion != nil })
        #expect(taker.values.map(\.data) == numbers)
        guard case .finished = taker.completion else {
            return #expect(Bool(false), "\(taker.completion.debugDescription)")
        }
    }

    @Test func `The replyEvents() method delivers events that have already arrived synchronously on request`() throws {
        let url = try #require(URL(string: "http://api.example/x"))
        let head = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: nil,
                headerFields: ["Content-Type": "text/event-stream"]
            )
        )
        let events: [String] = (1...9).map { "\($0)" } + ["[DONE]"]
        let chunks = events.map { Data("data: \($0)\n\n".utf8) }
        let call = WatchedCall(.post)
        call.around = { _, _ in
            let body = chunks.publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
            return Just(StreamedReply(response: head, body: body)).setFailureType(to: (any Error).self)
                .eraseToAnyPublisher()
        }
        // The reader takes the first while the call is being started, and the others later.
        let taker = Taker(call.replyEvents(endMark: "[DONE]"))
        taker.take(1)
        #expect(taker.values.map(\.data) == ["1"])
        taker.take(8)
        #expect(taker.values.map(\.data) == (1...9).map(String.init))
        guard case .finished = taker.completion else {
            return #expect(Bool(false), "\(taker.completion.debugDescription)")
        }
        #expect(call.story.last == "ended 200")
    }

    @Test func `Canceling a replyEvents() subscription right after its start closes the connection`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            _ = try? connection.readToEnd()
        }
        defer { server.stop() }
        let call = WatchedCall(.post, base: server.url("").absoluteString)
        for _ in 0..<50 {
            let taker = Taker(call.replyEvents())
            taker.take(1)
            taker.cancel()
        }
        #expect(try await holds { call.story.count { $0 == "cancelled" } == 50 && server.openConnections == 0 })
    }

    @Test func `A Recording replays server-sent events without contacting the server`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = "data: {\"text\":\"ä\"}\n\nevent: ping\ndata: {}\n\ndata: [DONE]\n\n"
        let server = try ScriptedServer(
            always: reply("200 OK", ["Content-Type: text/event-stream"], body: body)
        )
        defer { server.stop() }
        var seen: [[ServerSentEvent]] = []
        for mode in [Recording.Mode.new, .replay] {
            let call = JSONAPI(.post("/x", json: ["stream": true]))
            call.baseURL = server.url("")
            let recording = try Recording(file: file, mode: mode)
            seen.append(
                try await recording.run { try await finalOutcome(of: call.replyEvents(endMark: "[DONE]")) }.values
            )
        }
        #expect(seen[0].map(\.data) == ["{\"text\":\"ä\"}", "{}"] && seen[0] == seen[1])
        #expect(server.requests.count == 1)
    }
}

extension APIBase {
    fileprivate static var post: JSONAPI { JSONAPI(.post("http://api.example/x", json: ["stream": true])) }
}
