import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// The limits of streams and lists, up to the edges of their type.
@Suite(.limited) struct StreamLimitTests {
    private static let limits = [Int.max, .max - 1, 20, 9, 8, 7, 1, 0, -1, .min + 1, .min]

    /// A stream, what it delivers, the fewest bytes that its limit has to allow, and what fewer are.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stream: String
        let count: Int
        let least: Int
        let read: @Sendable ([Data], Int) -> (count: Int, failure: RequestError?)
        let tooLong: @Sendable (Int) -> RequestError
    }

    private static func read<Value>(
        _ publisher: AnyPublisher<Value, any Error>
    ) -> (count: Int, failure: RequestError?) {
        let outcome = outcome(of: publisher)
        return (outcome.values.count, outcome.failure as? RequestError)
    }

    static let rows = [
        Row(testDescription: "lines", stream: "12345678\n\n1234567", count: 3, least: 8) {
            read($0.publisher.lines(limit: $1))
        } tooLong: {
            .lineTooLong(limit: $0)
        },
        Row(testDescription: "an empty line", stream: "\n", count: 1, least: 0) {
            read($0.publisher.lines(limit: $1))
        } tooLong: {
            .lineTooLong(limit: $0)
        },
        Row(testDescription: "JSON Lines", stream: "12345678\n1\n", count: 2, least: 8) {
            read($0.publisher.jsonLines(of: Int.self, limit: $1))
        } tooLong: {
            .lineTooLong(limit: $0)
        },
        Row(testDescription: "the JSON Lines of an API", stream: "12345678\n1\n", count: 2, least: 8) { chunks, limit in
            let api = JSONAPI(.get("http://api.example/"))
            api.dataTaskPublisher = api.stubResponse(statusCode: 200, data: chunks.reduce(Data(), +))
            return read(api.jsonLines(of: Int.self, limit: limit))
        } tooLong: {
            .lineTooLong(limit: $0)
        },
        Row(testDescription: "events", stream: "data:abc\n\nevent:a\ndata:b\n\n", count: 2, least: 8) {
            read($0.publisher.serverSentEvents(limit: $1))
        } tooLong: {
            .eventTooLong(limit: $0)
        },
        Row(testDescription: "data of several lines", stream: "data:abc\ndata:abcd\nevent:x\n\n", count: 1, least: 9) {
            read($0.publisher.serverSentEvents(limit: $1))
        } tooLong: {
            .eventTooLong(limit: $0)
        },
    ]

    @Test(arguments: rows, limits)
    func `Streams of lines, JSON Lines or events fail with lineTooLong or eventTooLong above their limit`(
        _ row: Row,
        limit: Int
    ) {
        for chunks in Data(row.stream.utf8).cuts {
            let (count, failure) = row.read(chunks, limit)
            if limit >= row.least {
                #expect(count == row.count && failure == nil)
            } else {
                #expect(count < row.count && failure == row.tooLong(limit))
            }
        }
    }

    @Test(arguments: limits)
    func `The pages(atMost:) method fetches at most that many pages, and none for zero or less`(limit: Int)
        async throws
    {
        final class ItemsRequest: JSONAPI, PagedRequest {
            typealias ModelType = Int
            func nextPage(after page: Int, _ response: HTTPURLResponse) -> NextPage? {
                page < 10 ? .query(["page": "\(page + 1)"]) : nil
            }
        }
        let stubs = Stubs()
        stubs.on(.get, "/items").optional().answer { .json($0.queryItem("page") ?? "1") }
        let pages = try await stubs.run {
            try await finalOutcome(of: ItemsRequest(.get("http://api.example/items")).pages(atMost: limit))
        }
        #expect(pages.values == Array((1...10).prefix(max(0, limit))) && pages.isFinished)
        #expect(stubs.calls.count == pages.values.count)
    }

    /// A negative number of values is an error of the program, as in Apple's Combine.
    @Test(arguments: limits.filter { $0 >= 0 })
    func `Combine's prefix and dropFirst work on a lines() publisher with any count, even Int.max`(count: Int) {
        let lines = [Data("a\n".utf8), Data("b\nc".utf8)].publisher.lines()
        let expected = Array(["a", "b", "c"].prefix(count))
        #expect(outcome(of: lines.prefix(count)).values == expected)
        #expect(outcome(of: lines.dropFirst(count)).values == Array(["a", "b", "c"].dropFirst(count)))
    }
}
