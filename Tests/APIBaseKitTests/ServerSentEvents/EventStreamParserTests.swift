import APIBaseKit
import Testing

@testable import APIBaseCore
@testable import APIBaseStreams

@Suite struct EventStreamParserTests {
    private func parser(after stream: String, lastEventID: String = "") throws -> EventStreamParser {
        var reader = EventReader(after: lastEventID, limit: 1_000)
        reader.take(Data(stream.utf8))
        while try reader.next() != nil {}
        return reader.parser
    }

    @Test(
        arguments: [
            ("", nil), ("retry\n", nil), ("retry:\n", nil), ("retry: \n", nil), ("retry:0\n", 0),
            ("retry: 1000\n", 1_000), ("retry:00012\n", 12), ("retry:10\nretry:20\n", 20),
            // ASCII digits and nothing else.
            ("retry:  10\n", nil), ("retry:10 \n", nil), ("retry:+10\n", nil), ("retry:-10\n", nil),
            ("retry:1.5\n", nil),
            ("retry:1e3\n", nil), ("retry:0x10\n", nil), ("retry:١٢\n", nil), ("retry:１\n", nil), ("Retry:10\n", nil),
            ("retry:10\nretry:x\n", 10),
            // At once, and not with the blank line; but not half a number.
            ("data:a\nretry:10\n", 10), ("retry:10", nil), ("retry:5\nretry:10", 5),
            ("retry:9223372036854775807\n", Int64.max), ("retry:99999999999999999999999999\n", Int64.max),
        ] as [(String, Int64?)]
    )
    func `EventStreamParser takes the reconnection time from a retry field with ASCII digits only`(
        stream: String,
        milliseconds: Int64?
    ) throws {
        #expect(try parser(after: stream).retry == milliseconds.map { .milliseconds($0) })
    }

    @Test(arguments: [
        ("", "0"), ("data:a\n\n", "0"), ("id:1\ndata:a\n\n", "1"), ("id:1\n\n", "1"),
        // With the blank line only.
        ("id:1\n", "0"), ("id:1\ndata:a\n", "0"), ("id:1\n\nid:2\ndata:b\n", "1"),
        ("id\n\n", ""), ("id:1\u{0}\n\n", "0"), ("id:1\n\nid:2\u{0}\n\n", "1"), ("id: ä \n\n", "ä "),
    ])
    func `EventStreamParser takes a new last event ID when the blank line of the event arrives`(
        stream: String,
        id: String
    ) throws {
        #expect(try parser(after: stream, lastEventID: "0").lastEventID == id)
    }

    @Test func `EventStreamParser gives an event without an ID the last event ID of the previous connection`() throws {
        var parser = EventStreamParser(lastEventID: "7", limit: 100)
        #expect(try parser.parse("data: a") == nil)
        #expect(try parser.parse("") == ServerSentEvent(data: "a", lastEventID: "7"))
    }
}
