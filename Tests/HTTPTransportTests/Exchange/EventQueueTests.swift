import Foundation
import Testing

@testable import HTTPTransport

@Suite struct EventQueueTests {
    private static func sent(_ bytes: Int64) -> ExchangeRequest.Event { .sent(bytes: bytes, expected: 100) }
    private static func body(_ count: Int) -> ExchangeRequest.Event { .body(Data(count: count)) }
    private static let head = ExchangeRequest.Event.head(
        ResponseHead(statusCode: 200, headers: [:], url: URL(fileURLWithPath: "/"))
    )

    private static func name(_ event: ExchangeRequest.Event) -> String {
        switch event {
        case .sent(let bytes, _): "sent \(bytes)"
        case .head: "head"
        case .body(let data): "body \(data.count)"
        }
    }

    @Test(
        arguments: [
            ([], [], 0),
            ([sent(1)], ["sent 1"], 0),
            ([sent(1), sent(2), sent(3)], ["sent 3"], 0),
            ([sent(1), head, sent(2), sent(3)], ["sent 1", "head", "sent 3"], 0),
            ([head, body(3), body(4)], ["head", "body 3", "body 4"], 7),
            (
                [sent(1), sent(2), head, body(3), sent(4), body(5)], ["sent 2", "head", "body 3", "sent 4", "body 5"], 8
            ),
            ([body(0)], ["body 0"], 0),
        ] as [([ExchangeRequest.Event], [String], Int)]
    )
    func `EventQueue keeps the order of events and merges consecutive counts of sent bytes`(
        events: [ExchangeRequest.Event],
        names: [String],
        bytes: Int
    ) {
        var queue = EventQueue()
        for event in events { queue.append(event) }
        #expect(queue.bytes == bytes)
        #expect(queue.isEmpty == names.isEmpty)
        var taken: [String] = []
        var rest = bytes
        while let event = queue.popFirst() {
            taken.append(Self.name(event))
            if case .body(let data) = event { rest -= data.count }
            #expect(queue.bytes == rest)
        }
        #expect(taken == names)
        #expect(queue.isEmpty)
        #expect(queue.bytes == 0)
    }

    /// A count that has been taken is not replaced by the next one.
    @Test func `EventQueue does not merge a count of sent bytes with one already taken from it`() {
        var queue = EventQueue()
        queue.append(Self.sent(1))
        #expect(queue.popFirst().map(Self.name) == "sent 1")
        queue.append(Self.sent(2))
        #expect(queue.popFirst().map(Self.name) == "sent 2")
        #expect(queue.popFirst() == nil)
    }
}
