// swift-format-ignore-file
// The samples of the article on streams, files and pages, in its order.

import APIBaseTesting
import Testing

struct LogEntry: Decodable {
    var text: String
}

final class LogRequest: JSONAPI {}
final class PricesRequest: JSONAPI {}
final class FilmRequest: JSONAPI {}

// sample x
func entries(of log: LogRequest) async throws {
    for try await entry in log.jsonLines(of: LogEntry.self).values {
        print(entry.text)
    }
    try Task.checkCancellation()
}
// end

// sample x
func listen(to prices: PricesRequest) async throws {
    for try await event in prices.serverSentEvents().values where event.type == "price" {
        print(event.data)
    }
    try Task.checkCancellation()
}
// end

// sample x
func fetch(_ film: FilmRequest, to file: URL) async throws {
    film.retry = .standard
    for try await finished in film.download(to: file).values {
        print("\(finished.lastPathComponent) is there")
    }
    try Task.checkCancellation()
}
// end

// sample x
final class BooksRequest: BooksAPI, PagedRequest {
    typealias ModelType = [Book]
    override init() { super.init(.get("/books")) }
}

func titles() async throws -> [String] {
    var titles: [String] = []
    for try await books in BooksRequest().pages(atMost: 3).values { titles += books.map(\.title) }
    try Task.checkCancellation()
    return titles
}
// end

// sample x
final class MessagesRequest: BooksAPI, PagedRequest {
    struct ModelType: Decodable {
        var texts: [String]
        var cursor: String?
    }

    override init() { super.init(.get("/messages")) }

    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        page.cursor.map { .query(["cursor": $0]) }
    }
}
// end

// sample x
@Test(.stubs { stubs in
    stubs.on(.get, "/messages", query: ["cursor": "x"]).answer(.json(#"{"texts": ["b"]}"#))
    stubs.on(.get, "/messages").answer(.json(#"{"texts": ["a"], "cursor": "x"}"#))
})
func allPagesOfMessagesCome() async throws {
    let pages = try await MessagesRequest().pages().collect().values.first { _ in true }
    #expect(pages?.map(\.texts) == [["a"], ["b"]])
}
// end
