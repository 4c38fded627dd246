public import APIBaseKit

/// `GET /todos`: the todos of the user the token belongs to.
public final class TodosRequest: TodoDemoAPI, Request {
    /// Creates the request.
    public init(token: Token) {
        super.init()
        path = "/todos"
        headers["Authorization"] = "Bearer \(token.string)"
    }

    /// The call. Fails with status 401 if the token is not valid.
    public func start() -> AnyPublisher<[Todo], any Error> {
        decode([Todo].self)
    }
}

/// `POST /todos`: creates a todo.
public final class CreateTodoRequest: TodoDemoAPI, Request {
    /// The todo that is created.
    public let todo: Todo

    /// Creates the request for this todo.
    public init(_ todo: Todo, token: Token) {
        self.todo = todo
        super.init()
        method = .post
        path = "/todos"
        headers["Authorization"] = "Bearer \(token.string)"
    }

    /// The todo as JSON.
    public override func encodeBody() throws -> Data? {
        try JSONEncoder().encode(todo)
    }

    /// The call. Its value has the id the server gave the todo.
    public func start() -> AnyPublisher<Todo, any Error> {
        decode(Todo.self)
    }
}

/// `DELETE /todos/{id}`: deletes a todo.
public final class DeleteTodoRequest: TodoDemoAPI, Request {
    /// Creates the request for this todo.
    public init(id: Int, token: Token) {
        super.init()
        method = .delete
        path = "/todos/\(segment: id)"
        headers["Authorization"] = "Bearer \(token.string)"
    }

    /// The call. Fails with status 403 if the todo is somebody else's, and with 404 if there is none.
    public func start() -> AnyPublisher<Void, any Error> {
        sendRequest().map { _ in }.eraseToAnyPublisher()
    }
}
