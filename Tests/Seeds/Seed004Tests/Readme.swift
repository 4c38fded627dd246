// swift-format-ignore-file
// The classes of the ancestor's README, with what the text has lost put back in: the URLs, the key paths and the calls of
// `super`. Mended, because it could not compile against the ancestor's own release: `buildURLRequest()` throws instead
// of returning an optional, and `decode` follows `map(\.data)`.

import APIBaseKit

class DataRequest: APIBase, Request {
    override init() {
        super.init()
        path = "https://jsonplaceholder.typicode.com/users"
    }

    func start() -> AnyPublisher<Data, Error> {
        sendRequest()
            .map { $0.data }
            .eraseToAnyPublisher()
    }
}

class JSONPlaceholderAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://jsonplaceholder.typicode.com")
    }

    override func buildURLRequest() throws -> URLRequest {
        var urlRequest = try super.buildURLRequest()
        urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
        return urlRequest
    }

    override func startRequest() -> AnyPublisher<DataResponseTuple, Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }
}

struct User: Codable {
    var id: Int
    var name: String
    var username: String
    var email: String
}

class UsersRequest: JSONPlaceholderAPI, Request {
    override init() {
        super.init()
        path = "/users"
    }

    func start() -> AnyPublisher<[User], Error> {
        sendRequest()
            .map(\.data)
            .decode(type: [User].self, decoder: JSONDecoder())
            .eraseToAnyPublisher()
    }
}
