import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// The events of one response from a server that misbehaves, over the network and from stubs.
@Suite(.tags(.concurrent), .limited) struct HostileEventsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type: String? = "text/event-stream"
        var status = 200
        let body: Data
        var endMark: String?
        var data: [String] = []
        var end = "finished"

        init(
            _ name: String,
            type: String? = "text/event-stream",
            status: Int = 200,
            _ body: String,
            endMark: String? = nil,
            data: [String] = [],
            end: String = "finished"
        ) {
            self.init(name, type: type, status: status, Data(body.utf8), endMark: endMark, data: data, end: end)
        }

        init(
            _ name: String,
            type: String? = "text/event-stream",
            status: Int = 200,
            _ body: Data,
            endMark: String? = nil,
            data: [String] = [],
            end: String = "finished"
        ) {
            (testDescription, self.type, self.status, self.body) = (name, type, status, body)
            (self.endMark, self.data, self.end) = (endMark, data, end)
        }

        var head: String {
            "HTTP/1.1 \(status) X\r\n" + (type.map { "Content-Type: \($0)\r\n" } ?? "")
        }
    }

    private static let cases = [
        Case("NUL in the data", "data: a\0b\n\n", data: ["a\0b"]),
        Case("NUL in an id and in a field", "id: 1\0\ndata: a\n\nda\0ta: b\n\n", data: ["a"]),
        Case("NULs alone", "\0\0\n\n\0\n\n"),
        Case(
            "bytes that are not UTF-8",
            Data("data: ".utf8) + [0xC3, 0x28, 0xFF, 10, 10],
            data: ["\u{FFFD}(\u{FFFD}"]
        ),
        Case("half a character at a line's end", Data("data: ".utf8) + [0xF0, 0x9F, 10, 10], data: ["\u{FFFD}"]),
        Case("characters of many bytes", "data: é🙂\n\n", data: ["é🙂"]),
        Case("a byte order mark", "\u{FEFF}data: 1\n\n\u{FEFF}data: 2\n\n", data: ["1"]),
        Case("two byte order marks", "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", data: ["2"]),
        Case("line ends of all kinds", "data: a\r\n\rdata: b\n\r\ndata: c\r\r\n", data: ["a", "b", "c"]),
        Case("CR alone", "data: a\r\rdata: [DONE]\r\r", endMark: "[DONE]", data: ["a"]),
        Case("another charset", type: "text/event-stream; charset=iso-8859-1", "data: é\n\n", data: ["é"]),
        Case("HTML", type: "text/html", "<html>busy</html>", end: "another type"),
        Case("HTML by the name of events", "<html>\n\n<p>data: x\n\n</html>\n", endMark: "[DONE]", end: "cut off"),
        Case("no type", type: nil, "data: 1\n\n", end: "another type"),
        Case("two types", type: "text/event-stream, text/html", "data: 1\n\n", end: "another type"),
        Case("an error as JSON", type: "application/json", #"{"error": {"code": 7}}"#, end: "status 200"),
        Case(
            "an error as JSON by the name of events",
            #"{"error": {"code": 7}}"# + "\n\n",
            endMark: "x",
            end: "cut off"
        ),
        Case("half of JSON", type: "application/json", #"{"a": ["#, data: [#"{"a": ["#]),
        Case("JSON that is not UTF-8", type: "application/json", Data([0x22, 0xFF, 0x22]), data: ["\"\u{FFFD}\""]),
        Case(
            "deep JSON with an error",
            "data: {\"error\":\(String(repeating: "[", count: load(50_000)))\n\n",
            data: ["deep"]
        ),
        Case("nothing", "", endMark: "[DONE]", end: "cut off"),
        Case("no content", status: 204, "", endMark: "[DONE]"),
        Case("no events, with a status of 400", status: 400, "data: 1\n\n", end: "status 400"),
        Case("a failure without data", "event: error\n\ndata: 1\n\n", data: ["1"]),
        Case(
            "a huge event",
            "data: \(String(repeating: "x", count: load(1 << 20)))\n\n",
            data: ["\(load(1 << 20)) times x"]
        ),
        Case("half an event at the end", "data: 1\n\ndata: 2\n", data: ["1"]),
        Case("thousands of comments", String(repeating: ":\n\n", count: load(20_000)) + "data: 1\n\n", data: ["1"]),
        Case(
            "hundreds or thousands of events",
            (1...load(5_000)).map { "data: \($0)\n\n" }.joined() + "data: [DONE]\n\n",
            endMark: "[DONE]",
            data: ["\(load(5_000)) events"]
        ),
    ]

    private static let endless = [
        Case("a line without an end", "data: 1\n\ndata: " + tooLong, data: ["1"], end: "too long"),
        Case("a comment without an end", ": " + tooLong, end: "too long"),
    ]

    private static let tooLong = String(repeating: "x", count: 1 << 24 + 1)

    /// The data of events, shortened.
    private static func shortened(_ data: [String]) -> [String] {
        if data.count > 100 { return ["\(data.last ?? "") events"] }
        return data.map { text in
            if text.hasPrefix("{\"error\":[[[") { return "deep" }
            return text.utf8.count > 100 && Set(text).count == 1 ? "\(text.utf8.count) times \(text.prefix(1))" : text
        }
    }

    private static func end(of outcome: Outcome<ServerSentEvent, any Error>) -> String {
        switch outcome.failure {
        case nil: outcome.isFinished ? "finished" : "running"
        case RequestError.streamCutOff?: "cut off"
        case RequestError.eventTooLong?: "too long"
        case RequestError.contentTypeMismatch?: "another type"
        case RequestError.httpFailure(let failure)?: "status \(failure.statusCode)"
        case let error as TransportError: "\(error.reason)"
        case let error?: "\(error)"
        }
    }

    private static func call(_ base: URL?) -> JSONAPI {
        let call = JSONAPI(.post("/x", json: ["stream": true]))
        (call.baseURL, call.session) = (base, EverySession.current)
        return call
    }

    /// The ways in which a server sends a body: with a length, until it closes, and byte by byte.
    private static let framings: [@Sendable (Case, SocketConnection) throws -> Void] = [
        { one, connection in
            let length = one.status == 204 ? "" : "Content-Length: \(one.body.count)\r\n"
            try connection.write(Data((one.head + length + "\r\n").utf8) + one.body)
        },
        { one, connection in
            try connection.write(Data((one.head + "Connection: close\r\n\r\n").utf8) + one.body)
            connection.close()
        },
        { one, connection in
            guard one.status != 204 else { return try connection.write(one.head + "\r\n") }
            let pieces = one.body.count < 500 ? one.body.map { Data([$0]) } : [one.body]
            let chunks = pieces.filter { !$0.isEmpty }
                .map { Data("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Data("\r\n".utf8) }
            try connection.write(one.head + "Transfer-Encoding: chunked\r\n\r\n")
            for chunk in chunks { try connection.write(chunk) }
            try connection.write("0\r\n\r\n")
        },
    ]

    private static func expect(_ one: Case, framing: @escaping @Sendable (Case, SocketConnection) throws -> Void)
        async throws
    {
        let server = try ScriptedServer { _, connection, _ in try framing(one, connection) }
        defer { server.stop() }
        let outcome = try await finalOutcome(of: call(server.url("")).replyEvents(endMark: one.endMark))
        #expect(shortened(outcome.values.map(\.data)) == one.data)
        #expect(end(of: outcome) == one.end, "\(type(of: EverySession.current))")
    }

    @Test(.everySession, arguments: cases)
    func `Hostile server-sent events give the same result with Content-Length, chunks or neither`(_ one: Case)
        async throws
    {
        for framing in Self.framings { try await Self.expect(one, framing: framing) }
    }

    /// The limit is 16 MiB, and one framing is enough for so much.
    @Test(.heavy, .everySession, arguments: endless)
    func `An endless line in a server-sent event reply fails with eventTooLong`(_ one: Case) async throws {
        try await Self.expect(one, framing: Self.framings[2])
    }

    @Test(arguments: cases)
    func `Hostile server-sent events from stubs give the same result in every chunk size`(_ one: Case)
        async throws
    {
        for size in one.body.count < 500 ? [1, 2, 500] : [1 << 16] {
            let stubs = Stubs()
            let headers: HTTPHeaders = one.type.map { ["Content-Type": $0] } ?? [:]
            stubs.on().answer(.status(one.status, headers: headers, data: one.body).inChunks(of: size))
            let call = Self.call(URL(string: "http://api.example"))
            let outcome = try await stubs.run { try await finalOutcome(of: call.replyEvents(endMark: one.endMark)) }
            #expect(Self.shortened(outcome.values.map(\.data)) == one.data)
            #expect(Self.end(of: outcome) == one.end)
        }
    }

    @Test(.everySession) func `A gzip-compressed event stream is decompressed before its events are parsed`()
        async throws
    {
        let server = try ScriptedServer { _, connection, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
            try connection.write(head + "Connection: close\r\n\r\n")
            try connection.write(Gzip.stored(Array("data: 1\n\ndata: 2\n\n".utf8)))
            connection.close()
        }
        defer { server.stop() }
        let outcome = try await finalOutcome(of: Self.call(server.url("")).replyEvents())
        #expect(outcome.values.map(\.data) == ["1", "2"] && outcome.isFinished)
    }

    /// A body that breaks off, after its first event and before it.
    @Test(
        .everySession,
        arguments: ["Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n9\r\n"],
        ["", "data: 1\n\n"]
    )
    func `A server-sent event reply that breaks off fails with TransportError and is not retried`(
        framing: String,
        text: String
    ) async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + framing + text)
            connection.close()
        }
        defer { server.stop() }
        let outcome = try await finalOutcome(of: Self.call(server.url("")).replyEvents())
        #expect(outcome.values.map(\.data) == (text.isEmpty ? [] : ["1"]))
        #expect(outcome.failure is TransportError)
        #expect(server.requests.count == 1)
    }

    /// A server that keeps the connection open and sends no event is stopped by the deadline, or by a cancel.
    @Test(.everySession, arguments: [true, false])
    func `An endless stream of comments fails with timedOut at the retry deadline, or ends when canceled`(
        hasDeadline: Bool
    )
        async throws
    {
        let written = Locked(0)
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            while true {
                try connection.write(": ping\n\n")
                written.withLock { $0 += 1 }
            }
        }
        defer { server.stop() }
        let call = Self.call(server.url(""))
        if hasDeadline { call.retry = RetryPolicy(attempts: 1, deadline: .milliseconds(100)) }
        let outcome = Outcome<ServerSentEvent, any Error>()
        let line = outcome.subscribe(to: call.replyEvents())
        defer { line.cancel() }
        if hasDeadline {
            #expect(try await holds { outcome.completion != nil })
            let reason = (outcome.failure as? TransportError)?.reason
            #expect(reason == .timedOut(which: .total, after: .milliseconds(100)))
        } else {
            #expect(try await holds { written.withLock { $0 } > 1_000 })
            #expect(outcome.completion == nil)
            line.cancel()
        }
        #expect(outcome.values.isEmpty)
        #expect(try await holds { server.openConnections == 0 })
    }

    /// The events come from the other server, which gets no secrets.
    @Test(.everySession, arguments: [307, 308])
    func `A replyEvents() call redirected by 307 or 308 to another origin drops the Authorization header`(status: Int)
        async throws
    {
        let other = try ScriptedServer(
            always: reply("200 OK", ["Content-Type: text/event-stream"], body: "data: 1\n\n")
        )
        let server = try ScriptedServer(
            always: reply(
                "\(status) X",
                ["Location: \(other.url("/y"))", "Content-Type: text/event-stream"],
                body: ":\n\n"
            )
        )
        defer {
            server.stop()
            other.stop()
        }
        let call = Self.call(server.url(""))
        call.authorization = .bearer("secret")
        let outcome = try await finalOutcome(of: call.replyEvents())
        #expect(outcome.values.map(\.data) == ["1"] && outcome.isFinished)
        #expect(server.requests.first?["Authorization"] == "Bearer secret")
        #expect(other.requests.first?["Authorization"] == nil)
        #expect(
            other.requests.first?.method == "POST" && other.requests.first?["Accept"]?.hasPrefix("text/event") == true
        )
    }
}
