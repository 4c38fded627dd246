import APIBaseKit
import Testing

private struct Book: Codable, Hashable, Sendable {
    var id: Int
    var title: String
}

private struct Problem: Decodable, Error, Equatable {
    var reason: String
}

private class BooksAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example/v2") }

    override func error(for failure: HTTPFailure) -> any Error {
        (try? failure.decode(Problem.self)) ?? super.error(for: failure)
    }
}

private final class BookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(id: Int) { super.init(.get("/books/\(segment: id)")) }
}

private final class FindBookRequest: BooksAPI, Request {
    typealias ModelType = Book?
}

private final class CreateBookRequest: BooksAPI, Request {
    typealias ModelType = Book
    init(_ book: Book) { super.init(.post("/books", query: ["notify": true], json: book)) }
}

private final class DeleteBookRequest: BooksAPI, Request {
    typealias ModelType = Void
    init(id: Int) { super.init(.delete("/books/\(segment: id)")) }
}

private final class CoverRequest: BooksAPI, Request {
    typealias ModelType = Data
}

/// A leaf as those of a plain `APIBase` are written.
private final class TitleRequest: BooksAPI, Request {
    override init() {
        super.init()
        path = "/books/7"
    }

    func start() -> AnyPublisher<String, any Error> {
        decoded(Book.self).map(\.title).eraseToAnyPublisher()
    }
}

private final class WrappedRequest: BooksAPI, Request {
    typealias ModelType = [Book]

    private struct Envelope<Value: Decodable>: Decodable { let data: Value }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try super.decode(Envelope<Model>.self, from: data).data
    }
}

@Suite struct JSONAPITests {
    private static let json = Data(#"{"id": 7, "title": "Swift"}"#.utf8)

    private func answered<R: APIBase & Request>(
        _ request: R,
        _ statusCode: Int = 200,
        _ data: Data = json,
        type: String? = "application/json"
    ) -> R {
        let headers = type.map { ["Content-Type": $0] } ?? [:]
        request.dataTaskPublisher = request.stubResponse(statusCode: statusCode, data: data, headers: headers)
        return request
    }

    @Test func `A JSONAPI request uses the base URL of its class and sends an Accept header for JSON`() throws {
        let request = try BookRequest(id: 7).buildURLRequest()
        #expect(request.url?.absoluteString == "https://books.example/v2/books/7")
        #expect(request.allHTTPHeaderFields == ["Accept": "application/json"])
        #expect(request.httpBody == nil)
    }

    @Test func `The json property of a JSONAPI request is encoded as the body each time the request is built`() throws {
        let leaf = CreateBookRequest(Book(id: 1, title: "One"))
        leaf.encoder.outputFormatting = .sortedKeys
        let first = try leaf.buildURLRequest()
        #expect(first.httpMethod == "POST")
        #expect(first.url?.absoluteString == "https://books.example/v2/books?notify=true")
        #expect(first.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(first.httpBody == Data(#"{"id":1,"title":"One"}"#.utf8))
        leaf.json = Book(id: 2, title: "Two")
        #expect(try leaf.buildURLRequest().httpBody == Data(#"{"id":2,"title":"Two"}"#.utf8))
        leaf.json = nil
        leaf.body = Data("{}".utf8)
        #expect(try leaf.buildURLRequest().httpBody == Data("{}".utf8))
        leaf.json = 1.0 / 0
        #expect(throws: EncodingError.self) { try leaf.buildURLRequest() }
    }

    @Test func `The Endpoint of a JSONAPI request sets its method, path and query`() throws {
        let table: [(JSONAPI.Endpoint, String, String)] = [
            (.get("/a", query: ["q": 1]), "GET", "/v2/a?q=1"), (.post("/b", query: ["q": "x"]), "POST", "/v2/b?q=x"),
            (.put("/c"), "PUT", "/v2/c"), (.patch("/d"), "PATCH", "/v2/d"),
            (.delete("/e", query: ["f": "g"]), "DELETE", "/v2/e?f=g"), (.head("/h"), "HEAD", "/v2/h"),
            (.query("/q", query: ["a": 1], json: ["b": 2]), "QUERY", "/v2/q?a=1"),
            (.init(), "GET", "/v2"),
        ]
        for (endpoint, method, target) in table {
            let request = try BooksAPI(endpoint).buildURLRequest()
            #expect(request.httpMethod == method)
            #expect(request.url?.absoluteString == "https://books.example\(target)")
        }
    }

    @Test func `A JSONAPI reply is decoded as the declared ModelType`() async throws {
        #expect(try await answered(BookRequest(id: 7)).value() == Book(id: 7, title: "Swift"))
        #expect(try await answered(CoverRequest()).value() == Self.json)
        try await answered(DeleteBookRequest(id: 7)).value()
        try await answered(DeleteBookRequest(id: 7), 204, Data(), type: nil).value()
        #expect(try await answered(TitleRequest()).value() == "Swift")
        #expect(try await answered(FindBookRequest()).value() == Book(id: 7, title: "Swift"))
        let wrapped = Data(#"{"data": [{"id": 7, "title": "Swift"}]}"#.utf8)
        #expect(try await answered(WrappedRequest(), 200, wrapped).value().count == 1)
    }

    @Test func `An optional ModelType decodes as nil from a reply without a body and from JSON null`() async throws {
        #expect(try await answered(FindBookRequest(), 204, Data(), type: nil).value() == nil)
        #expect(try await answered(FindBookRequest(), 200, Data("null".utf8)).value() == nil)
        await #expect {
            try await answered(BookRequest(id: 7), 204, Data(), type: nil).value()
        } throws: { error in
            if case RequestError.undecodable(let undecodable) = error { undecodable.found == "nothing" } else { false }
        }
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/problem+json", "APPLICATION/HAL+JSON",
    ])
    func `A reply of any JSON media type is accepted by a JSONAPI request`(type: String) async throws {
        #expect(try await answered(BookRequest(id: 7), type: type).value().id == 7)
    }

    @Test(arguments: ["text/html", "text/jsonp", nil])
    func `A reply that is not of a JSON type fails with a contentTypeMismatch that has its body`(type: String?) async {
        await #expect {
            try await answered(BookRequest(id: 7), type: type).value()
        } throws: { error in
            if case RequestError.contentTypeMismatch(_, type, let reply) = error {
                reply.body == Self.json
            } else {
                false
            }
        }
    }

    @Test func `A JSONAPI request accepts replies of the media types in its acceptedTypes`() async throws {
        let cover = answered(CoverRequest(), type: "image/png")
        await #expect(throws: RequestError.self) { try await cover.value() }
        cover.acceptedTypes = ["image/*"]
        #expect(try await cover.value() == Self.json)
        #expect(cover.request?.value(forHTTPHeaderField: "Accept") == "image/*")
        let delete = answered(DeleteBookRequest(id: 7), type: "text/plain")
        delete.acceptedTypes = ["*/*"]
        try await delete.value()
    }

    @Test(arguments: [nil, "", " ", "junk", "/", "; charset=utf-8", "a/b"])
    func `A request that accepts any media type takes a reply whose Content-Type is missing or invalid`(type: String?)
        async throws
    {
        let cover = answered(CoverRequest(), type: type)
        await #expect(throws: RequestError.self) { try await cover.value() }
        cover.acceptedTypes = ["*/*"]
        #expect(try await cover.value() == Self.json)
    }

    @Test func `A form body is URL-encoded and sent with the Content-Type of HTML forms`() throws {
        let request = BooksAPI(
            .post("/books", content: .form(["z": "x y", "tags": ["a", "b"], "page": 2, "left": nil as Int?]))
        )
        let built = try request.buildURLRequest()
        #expect(built.httpBody == Data("z=x+y&tags=a&tags=b&page=2".utf8))
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        request.content = .form(["user": "u", "password": "p"])
        #expect(try request.buildURLRequest().httpBody == Data("user=u&password=p".utf8))
    }

    @Test func `A call throws the error that its error(for:) makes of an HTTP failure`() async {
        await #expect(throws: Problem(reason: "No such book.")) {
            try await answered(BookRequest(id: 7), 404, Data(#"{"reason": "No such book."}"#.utf8)).value()
        }
        // One that is of another shape, or of another type, stays the kit's.
        await #expect {
            try await answered(BookRequest(id: 7), 502, Data("<html>".utf8), type: "text/html").value()
        } throws: { error in
            if case RequestError.httpFailure(502) = error { true } else { false }
        }
    }

    @Test func `A baseURL set on a request object takes precedence over that of its class`() throws {
        let request = BookRequest(id: 7)
        request.baseURL = URL(string: "http://localhost:1")
        #expect(try request.buildURLRequest().url?.absoluteString == "http://localhost:1/books/7")
        #expect(JSONAPI().baseURL == nil)
    }
}
