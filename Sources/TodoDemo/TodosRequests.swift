public import APIBaseKit

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
