public import APIBaseKit
public import APIBaseSockets

/// The todo service that `apibase serve` runs: the base class of its calls.
///
/// Create a user, log in for a token, and use the token to list, create and delete todos. ``Refusal`` decodes the body
/// of a failure.
open class TodoDemoAPI: JSONAPI {
    private static let host = URL(string: "http://localhost:8080")

    /// The server on this machine, port 8080.
    open override class var baseURL: URL? { host }

    /// Creates a request to an endpoint, with the token of a user.
    public init(_ endpoint: Endpoint = Endpoint(), token: Token? = nil) {
        super.init(endpoint)
        authorization = token.map { .bearer($0.value) }
    }
}

/// `POST /users`: creates an account. Fails with status 400 if the server refuses it.
public final class CreateUserRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = User
    /// Creates the request for this account.
    public init(_ user: NewUser) { super.init(.post("/users", json: user)) }
}

/// `POST /login`: returns a token. Fails with status 401 if the account does not exist or the password is wrong.
public final class LoginRequest: TodoDemoAPI, Request {
    /// Creates the request. The password is sent unencrypted (RFC 7617, Basic): use a server on this machine, or TLS.
    public init(email: String, password: String) {
        super.init(.post("/login"))
        authorization = .basic(user: email, password: password)
    }
    /// The call. Its value is the token.
    public func start() -> AnyPublisher<Token, any Error> {
        decoded(LoginResponse.self).map { Token($0.string) }.eraseToAnyPublisher()
    }
}

/// The body of the response to a login.
private struct LoginResponse: Decodable {
    let string: String
}

/// `GET /todos`: the todos of the user the token belongs to. Fails with status 401 if the token is not valid.
public final class TodosRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Todo]
    /// Creates the request.
    public init(token: Token) { super.init(.get("/todos"), token: token) }
}

/// `POST /todos`: creates a todo. The value has the ID from the server.
public final class CreateTodoRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = Todo
    /// Creates the request for this todo.
    public init(_ todo: Todo, token: Token) { super.init(.post("/todos", json: todo), token: token) }
}

/// `DELETE /todos/{id}`: deletes a todo. Fails with status 403 if it belongs to another user, with 404 if it does not
/// exist.
public final class DeleteTodoRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this todo.
    public init(id: Int, token: Token) { super.init(.delete("/todos/\(segment: id)"), token: token) }
}

/// `GET /todos/feed`, a socket: each todo of the user that is created or deleted, as it happens. It connects again when
/// the connection is lost, and may miss what happens meanwhile: get ``TodosRequest`` after that.
public final class TodoFeed: TodoDemoAPI, SocketRequest {
    /// A change of the todos.
    public typealias Incoming = TodoChange
    /// The client sends nothing.
    public typealias Outgoing = String
    /// Ten attempts in a row.
    public let reconnect = RetryPolicy(attempts: 10)
    /// Creates the request.
    public init(token: Token) { super.init(.get("/todos/feed"), token: token) }
}
