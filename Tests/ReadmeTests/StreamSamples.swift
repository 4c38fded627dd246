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
    for try await entry in log.eachValue(of: LogEntry.self) {
        print(entry.text)
    }
}
// end

// sample x
func listen(to prices: PricesRequest) async throws {
    for try await event in prices.eachEvent() where event.type == "price" {
        print(event.data)
    }
}
// end

// sample x
func fetch(_ film: FilmRequest, to file: URL) async throws {
    film.retry = .standard
    let finished = try await film.downloaded(to: file)
    print("\(finished.lastPathComponent) is there")
}
// end

// sample x
final class BooksRequest: BooksAPI, LinkPagedRequest {
    typealias ModelType = [Book]
    override init() { super.init(.get("/books")) }
}

func titles() async throws -> [String] {
    var titles: [String] = []
    for try await book in BooksRequest().eachElement() { titles.append(book.title) }
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
    var texts: [[String]] = []
    for try await page in MessagesRequest().eachPage() { texts.append(page.texts) }
    #expect(texts == [["a"], ["b"]])
}
// end

final class PictureRequest: BooksAPI, Request {
    typealias ModelType = Data
    init(of book: Book) { super.init(.get("/books/\(segment: book.id)/picture")) }
}

// sample x
func covers(of books: BooksRequest) async throws -> [Data] {
    var covers: [Data] = []
    let all = books.eachElement().concurrentMap(atMost: 8) { try await PictureRequest(of: $0).value() }
    for try await cover in all { covers.append(cover) }
    return covers
}
// end
