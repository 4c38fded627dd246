import APIBaseKit
import Testing

private func event(_ data: String, _ type: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(type: type, data: data, lastEventID: id)
}

@Suite struct ServerSentEventDecodingTests {
    /// A stream, and what the HTML standard says it means, in sections 9.2.5 and 9.2.6.
    struct Row: CustomTestStringConvertible {
        let rule: String
        let stream: String
        let events: [ServerSentEvent]

        init(_ rule: String, _ stream: String, _ events: [ServerSentEvent] = []) {
            (self.rule, self.stream, self.events) = (rule, stream, events)
        }

        var testDescription: String { rule }
    }

    /// The examples of the standard.
    static let examples = [
        Row(
            "three events",
            "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
                + "data: This is the third message.\n\n",
            [
                event("This is the first message."), event("This is the second message, it\nhas two lines."),
                event("This is the third message."),
            ]
        ),
        Row(
            "types",
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
            [event("73857293", "add"), event("2153", "remove"), event("113411", "add")]
        ),
        Row("several data lines", "data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        Row(
            "comment, ids, an id that is reset, and a space that is a part of the data",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [event("first event", id: "1"), event("second event"), event(" third event")]
        ),
        Row("empty data, and an end without a blank line", "data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
        Row("one space is no part of a value", "data:test\n\ndata: test\n\n", [event("test"), event("test")]),
    ]

    /// One rule in each row.
    static let rules = [
        Row("nothing", ""),
        Row("blank lines", "\n\n\r\r\r\n\r\n"),
        Row("line ends", "data:a\r\rdata:b\r\n\r\ndata:c\n\ndata:d\r\n\n", ["a", "b", "c", "d"].map { event($0) }),
        Row("ends of different kinds", "data:a\ndata:b\rdata:c\r\n\r\n", [event("a\nb\nc")]),
        Row("one byte order mark at the start", "\u{FEFF}data:a\n\n", [event("a")]),
        Row("only one byte order mark", "\u{FEFF}\u{FEFF}data:a\n\ndata:b\n\n", [event("b")]),
        Row(
            "a byte order mark elsewhere",
            "data:a\n\n\u{FEFF}data:b\n\ndata:\u{FEFF}\n\n",
            [event("a"), event("\u{FEFF}")]
        ),
        Row("a byte order mark before a blank line", "\u{FEFF}\ndata:a\n\n", [event("a")]),
        Row("a byte order mark alone", "\u{FEFF}"),
        Row("names in lower case only", "Data:a\nDATA:b\ndata :c\n data:d\ndata:e\n\n", [event("e")]),
        Row("unknown fields", "foo:bar\ndata:a\nfoo\nx-y: z\n\n", [event("a")]),
        Row("comments", ":\n: data:b\n:data:c\ndata:a\n::\n\n", [event("a")]),
        Row("a comment is no blank line", "data:a\n:\ndata:b\n\n", [event("a\nb")]),
        Row("a space alone is no blank line", "data:a\n \ndata:b\n\n", [event("a\nb")]),
        Row("colons in a value", "data: a:b: c\n\n", [event("a:b: c")]),
        Row("one space, no tab", "data:  a \n\ndata:\ta\n\n", [event(" a "), event("\ta")]),
        Row("no colon", "data\n\n", [event("")]),
        Row("empty lines of data", "data:\ndata:a\ndata:\n\n", [event("\na\n")]),
        Row("no data", "event:a\n\nid:1\n\nretry:5\n\n"),
        Row("no data resets the type", "event:a\n\ndata:b\n\n", [event("b")]),
        Row("no data keeps the id", "id:1\n\ndata:b\n\n", [event("b", id: "1")]),
        Row("the type holds for one event", "event:x\ndata:a\n\ndata:b\n\n", [event("a", "x"), event("b")]),
        Row(
            "the last type counts, and the empty one is none",
            "event:x\nevent:y\ndata:a\n\nevent:y\nevent\ndata:b\n\n",
            [
                event("a", "y"), event("b"),
            ]
        ),
        Row(
            "the id holds until there is another",
            "id:1\ndata:a\n\ndata:b\n\nid:2\ndata:c\n\nid:\ndata:d\n\n",
            [
                event("a", id: "1"), event("b", id: "1"), event("c", id: "2"), event("d"),
            ]
        ),
        Row(
            "an id with NUL is none",
            "id:1\ndata:a\n\nid:2\u{0}\ndata:b\n\n",
            [event("a", id: "1"), event("b", id: "1")]
        ),
        Row("an id as text", "id: ä b:c \ndata:a\n\n", [event("a", id: "ä b:c ")]),
        Row(
            "the order in an event does not matter",
            "data:a\nid:1\ndata:b\nevent:x\n\n",
            [event("a\nb", "x", id: "1")]
        ),
        Row("an event that is under way at the end", "data:a\n\nid:1\ndata:b\n", [event("a")]),
        Row("a line that is under way at the end", "data:a\n\ndata:b", [event("a")]),
        Row("more than ASCII", "data: 日本\nevent: ü\n\n", [event("日本", "ü")]),
        Row(
            "an accent after a colon, a space and a name",
            "data:\u{301}\ndata: \u{301}\ndata\u{301}:x\n\n",
            [
                event("\u{301}\n\u{301}")
            ]
        ),
    ]

    @Test(arguments: examples + rules)
    func `Server-sent events are parsed as the HTML standard says, wherever their bytes are split`(_ row: Row) {
        let events = row.events.map(Bytes.init)
        for chunks in Data(row.stream.utf8).cuts {
            let outcome = outcome(of: chunks.publisher.serverSentEvents())
            #expect(outcome.values.map(Bytes.init) == events, "\(chunks.map(Array.init))")
            #expect(outcome.isFinished)
        }
    }

    /// An event, compared by its bytes: `String` takes some texts for equal that are not.
    private struct Bytes: Equatable, CustomStringConvertible {
        let event: ServerSentEvent

        init(_ event: ServerSentEvent) { self.event = event }

        var description: String { "\(event)" }

        static func == (one: Bytes, other: Bytes) -> Bool {
            func parts(_ event: ServerSentEvent) -> [String] { [event.type, event.data, event.lastEventID] }
            return zip(parts(one.event), parts(other.event)).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }
    }

    @Test func `Invalid UTF-8 in the data of a server-sent event becomes U+FFFD`() {
        for chunks in Data([0x64, 0x61, 0x74, 0x61, 0x3A, 0xE2, 0x82, 0x0A, 0x0A]).cuts {
            #expect(outcome(of: chunks.publisher.serverSentEvents()).values == [event("\u{FFFD}")])
        }
    }

    @Test func `A server-sent event is delivered as soon as the blank line after it has arrived`() {
        let bytes = PassthroughSubject<Data, any Error>()
        let outcome = Outcome<ServerSentEvent, any Error>()
        let line = outcome.subscribe(to: bytes.serverSentEvents())
        bytes.send(Data("data:a\r\n\r".utf8))
        #expect(outcome.values == [event("a")])
        bytes.send(Data("\ndata:b\r\n".utf8))
        #expect(outcome.values == [event("a")])
        bytes.send(completion: .failure(RequestError.noValue))
        #expect(outcome.values == [event("a")] && outcome.failure as? RequestError == .noValue)
        line.cancel()
    }

    @Test(arguments: [
        // A line that has not ended, one that has, data of several lines, and the type.
        "data:aaaaaaaa", "data:aaaaaaaa\n", ":aaaaaaaaaaaa\n", "data:aaaaaa\ndata:aaaaaa\n",
        "data:aaaaaaa\nevent:abcdef\n", String(repeating: "data\n", count: 14),
    ])
    func `A server-sent event above the byte limit fails with eventTooLong after the events before it`(stream: String) {
        let good = "data:1234567\n\n:23456789012\n\ndata:123456\nevent:123456\n\ndata:12345\ndata:678901\n\n"
        for chunks in Data((good + stream).utf8).cuts {
            let outcome = outcome(of: chunks.publisher.serverSentEvents(limit: 12))
            #expect(outcome.values == [event("1234567"), event("123456", "123456"), event("12345\n678901")])
            #expect(outcome.failure as? RequestError == .eventTooLong(limit: 12))
        }
    }

    @Test func `Comments in an event stream do not count toward the byte limit of an event`() {
        let comments = repeatElement(Data(": still here\n".utf8), count: 100)
        #expect(outcome(of: comments.publisher.serverSentEvents(limit: 20)).isFinished)
    }

    @Test func `A serverSentEvents() publisher reads from its source only as the subscriber requests`() {
        let asked = Asked()
        let chunks = repeatElement(Data("data:a\n\ndata:b\n\n".utf8), count: 1_000)
        let taker = Taker(asked.publisher(of: chunks).serverSentEvents())
        taker.take(3)
        #expect(taker.values.map(\.data) == ["a", "b", "a"] && asked.chunks == 2)
        taker.cancel()
        #expect(asked.wasCancelled && asked.chunks == 2)
    }

    @Test func `Two subscribers of one serverSentEvents() publisher each get the events from the start`() {
        let events = [Data("\u{FEFF}id:1\ndata:a\n\ndata:b\n".utf8)].publisher.serverSentEvents()
        for _ in 0..<2 { #expect(outcome(of: events).values == [event("a", id: "1")]) }
    }
}
