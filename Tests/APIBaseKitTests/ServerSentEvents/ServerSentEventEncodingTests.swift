import APIBaseKit
import HostileServer
import TestTiers
import Testing

@Suite(.limited) struct ServerSentEventEncodingTests {
    @Test(arguments: [
        ServerSentEvent(data: "a"), ServerSentEvent(data: ""), ServerSentEvent(data: "a\n\n b\n"),
        ServerSentEvent(type: "tick", data: "id: 2\nevent: no", lastEventID: "1"),
    ])
    func `The streamText of a ServerSentEvent is parsed back as the same event`(_ event: ServerSentEvent)
        async throws
    {
        let events = Just(Data(event.streamText.utf8)).serverSentEvents().values
        #expect(try await events.reduce(into: []) { $0.append($1) } == [event])
    }

    @Test func `The streamText of a ServerSentEvent with line breaks in its type or ID has no extra fields`() {
        let event = ServerSentEvent(type: "a\ndata: b", data: "c\r\nd\re", lastEventID: "1\r\nretry: 1\r2")
        #expect(event.streamText == "event: adata: b\nid: 1retry: 12\ndata: c\ndata: d\ndata: e\n\n")
    }
}
