// swift-format-ignore-file
// The samples of the README, each between two marks, in its order. ReadmeTests compares them with the README.

import APIBaseTesting
import TestTiers
import Testing
import AppleRSS
import TodoDemo
import Unsplash

// sample 1
nonisolated struct Book: Codable, Sendable {
    var id: Int
    var title: String
}

class BooksAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example/v2") }
}

final class BookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(id: Int) { super.init(.get("/books/\(segment: id)")) }
}
// end

// sample all
final class AllBooksRequest: BooksAPI, Request {
    typealias ModelType = [Book]
    override init() { super.init(.get("/books")) }
}
// end

// sample 2
final class CreateBookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(_ book: Book) { super.init(.post("/books", json: book)) }
}

final class DeleteBookRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(id: Int) { super.init(.delete("/books/\(segment: id)")) }
}
// end

// sample concerts
struct Concert: Decodable, Sendable {
    var title: String
    var startsAt: Date
}

class ConcertsAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://concerts.example/v1") }

    override func configure() {
        super.configure()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
    }
}

final class ConcertsRequest: ConcertsAPI, Request {
    typealias ModelType = [Concert]
    override init() { super.init(.get("/concerts")) }
}
// end

// sample problem
struct Problem: Decodable, LocalizedError, Equatable {
    let reason: String
    var errorDescription: String? { "The library refuses that: \(reason)" }
}
// end

/// A client of its own, whose names are those of the samples around it.
struct Library {
// sample library
class LibraryAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example/v2") }
    let token: String

    init(_ endpoint: Endpoint, token: String) {
        self.token = token
        super.init(endpoint)
    }
    override func configure() {
        super.configure()
        authorization = .bearer(token)
    }
    override func detail(of failure: HTTPFailure) -> (any Error)? {
        try? failure.decode(Problem.self)
    }
}
final class BooksRequest: LibraryAPI, Request {
    typealias ModelType = [Book]
    init(page: Int = 1, token: String) { super.init(.get("/books", query: ["page": page]), token: token) }
}
final class BookRequest: LibraryAPI, Request {
    typealias ModelType = Book
    init(id: Int, token: String) { super.init(.get("/books/\(segment: id)"), token: token) }
}
final class CreateBookRequest: LibraryAPI, Request {
    typealias ModelType = Book
    init(_ book: Book, token: String) { super.init(.post("/books", json: book), token: token) }
}
func allBooks(token: String) async throws -> [Book] {
    var all: [Book] = []
    for page in 1... {
        let books = try await BooksRequest(page: page, token: token).value()
        if books.isEmpty { break }
        all += books
    }
    return all
}
// end
}

// sample plain
class PlainAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://plain.example")
    }

    override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("text/csv")
            .eraseToAnyPublisher()
    }
}

final class TableRequest: PlainAPI, Request {
    func start() -> AnyPublisher<[String], any Error> {
        sendRequest()
            .map { data, _ in String(decoding: data, as: UTF8.self).components(separatedBy: "\n") }
            .eraseToAnyPublisher()
    }
}
// end

func subscribe() -> AnyCancellable {
// sample 3
let subscription = BookRequest(id: 7).start()
    .retry(2)
    .receive(on: DispatchQueue.main)
    .sink { completion in
        if case .failure(let error) = completion { print(error.localizedDescription) }
    } receiveValue: { book in
        print(book.title)
    }
// end
return subscription
}

func awaitValue() async throws -> Book {
// sample 4
let book = try await BookRequest(id: 7).value()
// end
return book
}

func oneAfterAnother() -> AnyPublisher<Book, any Error> {
// sample 5
let related = BookRequest(id: 7).start()
    .flatMap { book in BookRequest(id: book.id + 1).start() }
    .eraseToAnyPublisher()
// end
return related
}

final class UploadRequest: BooksAPI, Request {
    typealias ModelType = Book
    override init() { super.init(.post("/covers")) }
}

func send(_ file: URL) async throws -> (Book, HTTPURLResponse) {
// sample bodies
let upload = UploadRequest()
upload.query["tag"] = ["swift", "linux"]
upload.content = .multipart([
    MultipartPart(name: "title", value: "Swift"),
    MultipartPart(name: "cover", content: .file(file, type: "image/png")),
])
let (book, response) = try await upload.reply()
// end
return (book, response)
}

func rename() async throws -> Book {
// sample update
let renamed = try await BookRequest(id: 7).update { $0.title = "The Swift Book" }
// end
return renamed
}

func renameByPatch() async throws -> Book {
// sample update
let changed = try await BookRequest(id: 7).update(sending: .mergePatch) { $0.title = "Swift 6" }
// end
return changed
}

/// What a server computes for long.
struct YearReport: Decodable {
    var file: String
}

// sample report
final class YearReportRequest: BooksAPI, PolledRequest {
    typealias ModelType = YearReport
    override init() { super.init(.post("/reports")) }
}
// end

func yearReport() async throws -> YearReport {
// sample result
let report = try await YearReportRequest().result(within: .seconds(300))
// end
return report
}

func observe() -> (CreateBookRequest, AnyCancellable) {
// sample 6
let upload = CreateBookRequest(Book(id: 7, title: "Swift"))
let progress = upload.$uploadProgress.sink { sent, expected in print("\(sent) of \(expected) bytes") }
// end
return (upload, progress)
}

func elsewhere(_ staging: URL) async throws -> String {
// sample elsewhere
let title = try await BooksAPI.withBaseURL(staging) { try await BookRequest(id: 7).value().title }
// end
return title
}

func catchErrors() async throws {
// sample 7
do {
    print(try await BookRequest(id: 7).value().title)
} catch RequestError.httpFailure(404) {
    print("There is no such book.")
} catch RequestError.httpFailure(let failure) {
    print(failure.statusCode, failure.headers["Retry-After"] ?? "", failure.body.count)
} catch let error as TransportError {
    print("The network failed while in phase \(error.phase): \(error.localizedDescription)")
}
// end
}

func stub() async throws -> (Book, BookRequest) {
let request = BookRequest(id: 7)
request.dataTaskPublisher = request.stubJSONResponse(
    statusCode: 200,
    data: Data(#"{"id": 7, "title": "Swift"}"#.utf8)
)
let stubbed = try await request.value()
return (stubbed, request)
}

@Suite(.limited) struct ScopedStubTests {
// sample 9
@Test(.stubs { stubs in
    stubs.on(.get, "/books/:id").answer { call in
        .json(#"{"id": \#(call.parameters["id"] ?? "0"), "title": "Swift"}"#)
    }
    stubs.on(.post, "/books", body: .json(containing: #"{"title": "Linux"}"#))
        .answer(inOrder: .status(503), .json(#"{"id": 8, "title": "Linux"}"#, status: 201))
})
func `A book is read, and another book is created by a retry after status 503`() async throws {
    #expect(try await BookRequest(id: 7).value().title == "Swift")
    let create = CreateBookRequest(Book(id: 8, title: "Linux"))
    create.retry = .standard
    create.idempotencyKey = .automatic
    #expect(try await create.value().id == 8)
    #expect(Stubs.current?.calls.map(\.method) == [.get, .post, .post])
}
// end
}

func todoChain() -> AnyPublisher<Todo, any Error> {
// sample 10
let chain = LoginRequest(email: "user2@example.com", password: "password2").start()
    .flatMap { token in CreateTodoRequest(Todo(title: "Learn Swift"), token: token).start() }
    .eraseToAnyPublisher()
// end
return chain
}

func appNames() -> AnyPublisher<[String], any Error> {
// sample 11
let apps = TopFreeAppsRequest(country: "us", count: 50).start()
    .map { feed in feed.results.map(\.name) }
    .eraseToAnyPublisher()
// end
return apps
}

struct PhotosUnavailable: Error {
    let underlying: any Error
}

func photos() -> AnyPublisher<[Photo], PhotosUnavailable> {
// sample 12
let photos = PhotosRequest(page: 1, accessKey: "key").start()
    .mapError { error in PhotosUnavailable(underlying: error) }
    .eraseToAnyPublisher()
// end
return photos
}

// sample 13
class StrictAPI: BooksAPI {
    override func detail(of failure: HTTPFailure) -> (any Error)? {
        try? failure.decode(Problem.self)
    }
}
// end

func users() async throws -> [String] {
// sample users
struct User: Decodable { var name: String }
final class UsersRequest: JSONAPI, Request { typealias ModelType = [User] }

let users = try await UsersRequest(.get("https://jsonplaceholder.typicode.com/users")).value()
print(users.map(\.name))
// end
return users.map(\.name)
}
