// swift-format-ignore-file
import APIBaseTesting
import TestTiers
import Testing

/// What the article calls code under test.
struct Shelf {
    func title(of id: Int) async throws -> String { try await BookRequest(id: id).value().title }
}

func oneObject() async throws -> Book {
// sample x
let request = BookRequest(id: 7)
request.dataTaskPublisher = request.stubJSONResponse(
    statusCode: 200,
    data: Data(#"{"id": 7, "title": "Swift"}"#.utf8)
)
let book = try await request.value()
// end
return book
}

@Suite(.limited) struct ArticleSampleTests {
// sample 2
@Test(.stubs { stubs in
    stubs.on(BookRequest.self).answer(.json(Book(id: 7, title: "Swift")))
})
func `A shelf shows the title of the book that its API returns`() async throws {
    #expect(try await Shelf().title(of: 7) == "Swift")
    #expect(Stubs.current?.calls.map(\.path) == ["/v2/books/7"])
}
// end
}

func scope() async throws {
// sample x
let stubs = Stubs()
let one = stubs.on(.get, "/books/:id").answer { call in
    .json(#"{"id": \#(call.parameters["id"] ?? "0"), "title": "Swift"}"#)
}
try await stubs.run {
    let title = try await Shelf().title(of: 9)
    #expect(title == "Swift")
}
#expect(one.callCount == 1)
// end
}

func matching() -> Stubs {
// sample x
let stubs = Stubs()
stubs.on(BooksAPI.self)                                     // all calls of an API
stubs.on(BookRequest.self, query: ["edition": "2"])         // those of one class, with this query item
stubs.on(.get, "/books/:id", headers: ["Accept": .contains("json")])
stubs.on(.post, "/books", body: .json(["title": "Swift"]))  // JSON equal to this
stubs.on(.post, "/books", body: .json(containing: #"{"id": 7}"#))
stubs.on(.post, "/login", body: .form(["user": .any, "remember": .absent]))
stubs.on()                                                  // anything
// end
return stubs
}

func answers() -> Stub {
// sample x
let stubs = Stubs()
let books = stubs.on(.get, "/books")
books.answer(.json("[]"))                                            // a JSON text
books.answer(.json([Book(id: 7, title: "Swift")], status: 203))      // anything Encodable, by the API's encoder
books.answer(.status(404, headers: ["X-Reason": "gone"]))
books.answer(.json("[]", headers: ["ETag": "\"1\""]))
books.answer(.text("Sold out.", status: 503))
books.answer(.file(URL(fileURLWithPath: "books.json")))
books.answer(.error(URLError(.notConnectedToInternet)))              // any error, unchanged
books.answer(.fault(.connectionRefused))                             // as a network fails
books.answer(.json("[]").broken(off: .afterBytes(1)))                // the connection is lost in the body
books.answer(.json("[]").failing(with: .connectionLost, rate: 0.1, seed: 7))
books.answer(.json("[]").delayed(by: .seconds(31)))                  // takes no time: see below
books.answer(.json("[]").inChunks(of: 1, every: .seconds(1)))        // with progress
books.answer(.events([ServerSentEvent(data: "hi")], every: .seconds(1)))   // a stream, continued after Last-Event-ID
books.answer(.pages([["A", "B"], ["C"]]))                            // ?page=2, with Link headers
books.answer(.ranges(of: Data(count: 1000), etag: "\"1\""))          // 206, 416, If-Range
books.answer(.json("[]").expiring("old", afterUses: 1))              // then 401 for that bearer token, and for none
books.answer(inOrder: .tooManyRequests(retryAfter: .seconds(2)), .json("[]"))
books.answer(.never)
books.answer(.passThrough)                                           // the real server
books.answer(inOrder: .status(401), .json("[]"))                     // one after the other; then fails
books.answer(inOrder: .status(503), .json("[]"), then: .repeatLast)
books.answer { call in call.queryItem("page") == "1" ? .json("[]") : .status(404) }
books.answer { call, next in                                         // the real server's answer, changed
    var reply = try await next()
    reply.headers["X-Page"] = call.queryItem("page")
    return .reply(reply)
}
// end
return books
}

func time() async throws {
// sample x
let clock = StubClock.manual()
let stubs = Stubs(clock: clock)
let books = stubs.on(BookRequest.self)
books.answer(inOrder: .tooManyRequests(retryAfter: .seconds(2)), .json(Book(id: 7, title: "Swift")))
try await stubs.run {
    let request = BookRequest(id: 7)
    request.retry = RetryPolicy(deadline: .seconds(30))
    async let book = request.value()
    await clock.settled()
    #expect(clock.nextWait == .seconds(2))
    clock.advance(by: .seconds(2))
    let title = try await book.title
    #expect(title == "Swift")
}
// end
}

func waits() async throws {
// sample x
let stubs = Stubs()
let books = stubs.on(BookRequest.self)
books.answer(inOrder: .tooManyRequests(retryAfter: .seconds(2)), .json(Book(id: 7, title: "Swift")))
try await stubs.run {
    let request = BookRequest(id: 7)
    request.retry = .standard
    _ = try await request.value()
    try await CallScope.sleep(for: .seconds(60))
}
#expect(stubs.waits == [.init(.retry, .seconds(2)), .init(.sleep, .seconds(60))])
// end
}

func lookingBack() async throws {
// sample x
let stubs = Stubs()
let create = stubs.on(.post, "/books").answer(.json(#"{"id": 8, "title": "Linux"}"#, status: 201))
try await stubs.run {
    _ = try await CreateBookRequest(Book(id: 8, title: "Linux")).value()
}
let sent = try #require(create.calls.first)
#expect(try sent.json(Book.self).title == "Linux")
#expect(sent.headers["Content-Type"] == "application/json")
// end
}

// sample x
nonisolated extension Stubs {
    func answerBooks() {
        optionally {
            on(BookRequest.self).answer(.json(Book(id: 7, title: "Swift")))
            on(.get, "/books").answer(.json("[]"))
        }
    }
}
// end

/// Records into a folder, and replays from there.
func recordOnce(fixtures: URL) async throws -> Book {
// sample x
let file = fixtures.appendingPathComponent("book.har")
let recording = try Recording(file: file, mode: .once)
let book = try await recording.run {
    try await BookRequest(id: 7).value()
}
// end
return book
}

func matchDifferently(file: URL) throws -> [Recording] {
// sample x
let anyHost = try Recording(file: file, matching: [.method, .path, .query, .operation])
let precise = try Recording(file: file, matching: [.method, .origin, .path, .query, .body, .header("Accept-Language")])
// end
return [anyHost, precise]
}

func redactMore(file: URL) throws -> Recording {
// sample x
var redaction = RedactionRules.default
redaction.fields.insert("tax_number")
redaction.headers.insert("X-Books-Signature")
let careful = try Recording(file: file, redaction: redaction)
// end
return careful
}

// sample x
nonisolated extension BooksAPI {
    static func book(_ id: Int) -> APICall<Book> { BooksAPI(.get("/books/\(segment: id)")).call() }
    static func books() -> APICall<[Book]> { BooksAPI(.get("/books")).call() }
    static func add(_ book: Book) -> APICall<Book> { BooksAPI(.post("/books", json: book)).call() }
    static func delete(_ id: Int) -> APICall<Void> { BooksAPI(.delete("/books/\(segment: id)")).call() }
}
// end

func callInOneLine() async throws -> [String] {
// sample x
let title = try await BooksAPI.book(7).value().title
let sameTitle = try await BooksAPI.book(7).with { $0.timeout = .seconds(2) }.value().title
let other = try await BooksAPI(.get("/books/8")).value(of: Book.self)
// end
return [title, sameTitle, other.title]
}

@Suite(.limited) struct OneLineSampleTests {
    @Test(.stubs { $0.on(BooksAPI.self).answer { .json(Book(id: 7, title: $0.path)) } })
    func `The samples of endpoints in one line send their calls`() async throws {
        #expect(try await callInOneLine() == ["/v2/books/7", "/v2/books/7", "/v2/books/8"])
    }

    @Test(.stubs { stubs in
        stubs.on(.post, "/books").answer(.echo)
        stubs.on(.delete, "/books/:id").answer(.status(204))
        stubs.on(.get, "/books").answer(.json([Book(id: 1, title: "A")]))
    })
    func `The functions for endpoints in one line create, list and delete books`() async throws {
        #expect(try await BooksAPI.add(Book(id: 8, title: "New")).value().title == "New")
        #expect(try await BooksAPI.books().value().count == 1)
        try await BooksAPI.delete(1).value()
    }
}
