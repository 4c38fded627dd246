// swift-format-ignore-file
// The samples of the README, each between two marks, in its order. ReadmeTests compares them with the README.

import APIBaseKit
import AppleRSS
import TodoDemo
import Unsplash

// sample 1
struct Book: Codable, Sendable {
    var id: Int
    var title: String
}

class BooksAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://books.example/v2")
        headers["Accept"] = "application/json"
    }

    override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }
}

final class BookRequest: BooksAPI, Request {
    init(id: Int) {
        super.init()
        path = "/books/\(segment: id)"
    }

    func start() -> AnyPublisher<Book, any Error> {
        sendRequest()
            .map(\.data)
            .decode(type: Book.self, decoder: JSONDecoder())
            .eraseToAnyPublisher()
    }
}
// end

func subscribe() -> AnyCancellable {
// sample 2
let subscription = BookRequest(id: 7).start()
    .retry(2)
    .sink { completion in
        if case .failure(let error) = completion { print(error.localizedDescription) }
    } receiveValue: { book in
        print(book.title)
    }
// end
return subscription
}

func awaitValue() async throws -> Book {
// sample 3
let book = try await BookRequest(id: 7).value()
// end
return book
}

func oneAfterAnother() -> AnyPublisher<Book, any Error> {
// sample 4
let related = BookRequest(id: 7).start()
    .flatMap { book in BookRequest(id: book.id + 1).start() }
    .eraseToAnyPublisher()
// end
return related
}

func catchErrors() async throws {
// sample 5
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
// sample 6
let request = BookRequest(id: 7)
request.dataTaskPublisher = request.stubJSONResponse(
    statusCode: 200,
    data: Data(#"{"id": 7, "title": "Swift"}"#.utf8)
)
let stubbed = try await request.value()
// end
return (stubbed, request)
}

func todoChain() -> AnyPublisher<Todo, any Error> {
// sample 7
let chain = LoginRequest(email: "user2@example.com", password: "password2").start()
    .flatMap { token in CreateTodoRequest(Todo(title: "Learn Swift"), token: token).start() }
    .eraseToAnyPublisher()
// end
return chain
}

func appNames() -> AnyPublisher<[String], any Error> {
// sample 8
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
// sample 9
let photos = PhotosRequest(page: 1, accessKey: "key").start()
    .mapError { error in PhotosUnavailable(underlying: error) }
    .eraseToAnyPublisher()
// end
return photos
}

struct Problem: Error, Decodable, Equatable {
    let reason: String
}

// sample 10
class StrictAPI: BooksAPI {
    override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .mapError { error in
                guard case RequestError.httpFailure(let failure) = error else { return error }
                return (try? failure.decode(Problem.self)) ?? error
            }
            .eraseToAnyPublisher()
    }
}
// end
