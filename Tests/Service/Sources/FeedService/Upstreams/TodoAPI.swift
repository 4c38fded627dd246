import APIBaseKit

/// An upstream that wants a token, which all calls share.
class TodoAPI: UpstreamAPI {
    static let tokens = TokenSource { _ in Token(try await TokenRequest().value().token) }

    override class var baseURL: URL? { URL(string: "https://todo.example") }

    override func configure() {
        super.configure()
        authorization = .tokens(Self.tokens)
    }
}

final class TokenRequest: TodoAPI, APIRequest {
    struct ModelType: Codable, Hashable, Sendable { var token: String }
    override init() { super.init(.post("/token")) }
}

final class TodosRequest: TodoAPI, APIRequest {
    typealias ModelType = [Todo]
    override init() { super.init(.get("/todos")) }
}

struct Todo: Codable, Hashable, Sendable {
    var id: Int
    var title: String
}
