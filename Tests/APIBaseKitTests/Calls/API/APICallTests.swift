import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

private struct Book: Codable, Hashable, Sendable {
    var id: Int
    var title: String
}

private class BooksAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example/v2") }
}

extension BooksAPI {
    static func book(_ id: Int) -> APICall<Book> { BooksAPI(.get("/books/\(segment: id)")).call() }
    static func add(_ book: Book) -> APICall<Book> { BooksAPI(.post("/books", json: book)).call() }
    static func delete(_ id: Int) -> APICall<Void> { BooksAPI(.delete("/books/\(segment: id)")).call() }
    static func cover(_ id: Int) -> APICall<Data> { BooksAPI(.get("/books/\(segment: id)/cover")).call() }
    static func note(_ id: Int) -> APICall<String> { BooksAPI(.get("/books/\(segment: id)/note")).call() }
    static func books() -> APICall<[Book]> { BooksAPI(.get("/books")).call() }
}

private class LinkedAPI: BooksAPI, PagedAPI {}

private struct Shelf: Codable, Sendable {
    var books: [Int]
    var cursor: String?
}

private class CursorAPI: BooksAPI, PagedAPI {
    func nextPage(after page: Any, _ response: HTTPURLResponse) -> NextPage? {
        (page as? Shelf)?.cursor.map { .query(["cursor": $0]) }
    }
}

private let swift = Book(id: 7, title: "Swift")

@Suite(.limited) struct APICallTests {
    @Test func `A call in one line gives a decoded value, nothing, the bytes or a text`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/books/7").answer(.json(swift))
        stubs.on(.post, "/books", body: .json(swift)).answer(.json(swift, status: 201))
        stubs.on(.delete, "/books/7").answer(.status(204))
        stubs.on(.get, "/books/7/cover").answer(.json("[1]"))
        stubs.on(.get, "/books/7/note").answer(.text("read"))
        try await stubs.run {
            #expect(try await BooksAPI.book(7).value() == swift)
            #expect(try await BooksAPI.add(swift).value() == swift)
            try await BooksAPI.delete(7).value()
            #expect(try await BooksAPI.cover(7).value() == Data("[1]".utf8))
            #expect(try await BooksAPI.note(7).value() == "read")
        }
    }

    @Test func `A request object without a leaf class gives a value of any type`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/books/7").answer(.json(swift))
        stubs.on(.delete, "/books/7").answer(.status(204))
        stubs.on(.get, "/books/7/note").answer(.text("read"))
        try await stubs.run {
            #expect(try await BooksAPI(.get("/books/7")).value(of: Book.self) == swift)
            #expect(try await BooksAPI(.get("/books/7")).value(of: Data.self).isEmpty == false)
            #expect(try await BooksAPI(.get("/books/7/note")).value(of: String.self) == "read")
            try await BooksAPI(.delete("/books/7")).value(of: Void.self)
        }
    }

    @Test func `A call in one line has a publisher, and a reply with the head`() async throws {
        let stubs = Stubs()
        stubs.on(BooksAPI.self).answer(.json(swift, headers: ["ETag": "\"1\""]))
        try await stubs.run {
            var titles: [String] = []
            for try await book in BooksAPI.book(7).start().values { titles.append(book.title) }
            #expect(titles == ["Swift"])
            let reply = try await BooksAPI.book(7).reply()
            #expect(reply.value == swift)
            #expect(reply.response.value(forHTTPHeaderField: "ETag") == "\"1\"")
        }
    }

    @Test func `Settings and the account of a call in one line are those of its request object`() async throws {
        let stubs = Stubs()
        stubs.on(BooksAPI.self).answer(.json(swift))
        try await stubs.run {
            let account = APIAccount(name: "north", headers: ["X-Shop": "north"])
            let call = BooksAPI.book(7).on(account).with { $0.headers["X-Trace"] = "1" }
            _ = try await call.value()
            let sent = try #require(stubs.calls.first)
            #expect(sent.headers["X-Shop"] == "north")
            #expect(sent.headers["X-Trace"] == "1")
            #expect(sent.account?.name == "north")
            #expect(call.api.response?.statusCode == 200)
        }
    }

    @Test func `Settings of a call in one line may be changed by code that throws`() {
        #expect(throws: CancellationError.self) { try BooksAPI.book(7).with { _ in throw CancellationError() } }
    }

    @Test func `A request object of a leaf class is changed in place, and returned`() throws {
        final class Leaf: BooksAPI, Request { typealias ModelType = Book }
        let leaf = Leaf()
        #expect(leaf.with { $0.timeout = .seconds(2) } === leaf)
        #expect(leaf.timeout == .seconds(2))
    }

    @Test func `A stub of its request object answers a call in one line`() async throws {
        let call = BooksAPI.book(7)
        call.api.dataTaskPublisher = call.api.stubJSONResponse(
            statusCode: 200,
            data: Data(#"{"id":7,"title":"S"}"#.utf8)
        )
        #expect(try await call.value().title == "S")
    }

    @Test func `A call in one line updates its resource`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/books/7").answer(.json(swift, headers: ["ETag": "\"1\""]))
        stubs.on(.put, "/books/7", headers: ["If-Match": "\"1\""]).answer(.json(Book(id: 7, title: "New")))
        try await stubs.run {
            let book = try await BooksAPI.book(7).update { $0.title = "New" }
            #expect(book.title == "New")
        }
    }

    @Test func `The progress of a call in one line ends with its value`() async throws {
        let stubs = Stubs()
        stubs.on(BooksAPI.self).answer(.json(swift))
        try await stubs.run {
            var last: CallProgress<Book>?
            for try await step in BooksAPI.book(7).eachProgress() { last = step }
            #expect(last == .value(swift))
        }
    }

    @Test func `The pages of a call in one line follow the Link header in an API that says so`() async throws {
        let stubs = Stubs()
        let next = "<https://books.example/v2/books?page=2>; rel=\"next\""
        stubs.on(.get, "/books", query: ["page": "2"]).answer(.json([Book(id: 2, title: "B")]))
        stubs.on(.get, "/books").answer(.json([Book(id: 1, title: "A")], headers: ["Link": next]))
        try await stubs.run {
            let list: APICall<[Book]> = LinkedAPI(.get("/books")).call()
            var ids: [Int] = []
            for try await book in list.eachElement() { ids.append(book.id) }
            #expect(ids == [1, 2])
            var counts: [Int] = []
            for try await page in list.pages().values { counts.append(page.count) }
            #expect(counts == [1, 1])
        }
    }

    @Test func `The pages of a call in one line follow the cursor that the method of its API reads`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/shelf", query: ["cursor": "x"]).answer(.json(Shelf(books: [3])))
        stubs.on(.get, "/shelf").answer(.json(Shelf(books: [1, 2], cursor: "x")))
        try await stubs.run {
            let list: APICall<Shelf> = CursorAPI(.get("/shelf")).call()
            var books: [Int] = []
            for try await book in list.eachElement(\.books) { books.append(book) }
            #expect(books == [1, 2, 3])
            var pages = 0
            for try await _ in list.eachPage(atMost: 1) { pages += 1 }
            #expect(pages == 1)
        }
    }

    @Test func `A list of an API that does not say how pages follow one another fails after its first page`()
        async throws
    {
        let stubs = Stubs()
        stubs.on(BooksAPI.self).answer(.json([swift]))
        try await stubs.run {
            var pages = 0
            let error = await #expect(throws: RequestError.self) {
                for try await _ in BooksAPI.books().eachPage() { pages += 1 }
            }
            #expect(pages == 1)
            #expect(error?.localizedDescription.contains("BooksAPI is no PagedAPI") == true)
        }
    }

    @Test func `A call in one line has the retries of its class`() async throws {
        let stubs = Stubs()
        stubs.on(BooksAPI.self).answer(inOrder: .status(503), .json(swift))
        try await stubs.run {
            let book = try await BooksAPI.book(7).with { $0.retry = .standard }.value()
            #expect(book == swift)
        }
    }
}
