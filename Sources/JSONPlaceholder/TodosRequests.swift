public import APIBaseKit

/// `GET /todos`: all todos.
public final class TodosRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Todo]
    /// Creates the request. Filter it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/todos")) }
}

/// `GET /users/{id}/todos`: the todos of one user.
public final class UserTodosRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [Todo]
    /// Creates the request for this user. A missing one has no todos.
    public init(userID: Int) { super.init(.get("/users/\(segment: userID)/todos")) }
}

/// `GET /todos/{id}`: one todo. Fails with status 404 if it does not exist.
public final class TodoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Todo
    /// Creates the request for this todo.
    public init(id: Int) { super.init(.get("/todos/\(segment: id)")) }
}

/// `POST /todos`: creates a todo. The value has the ID from the server.
public final class CreateTodoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Todo
    /// Creates the request for this todo.
    public init(_ todo: Todo) { super.init(.post("/todos", json: todo)) }
}

/// `PUT /todos/{id}`: replaces a todo.
public final class UpdateTodoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Todo
    /// Creates the request that replaces the todo with this ID.
    public init(id: Int, _ todo: Todo) { super.init(.put("/todos/\(segment: id)", json: todo)) }
}

/// `DELETE /todos/{id}`: deletes a todo.
public final class DeleteTodoRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this todo.
    public init(id: Int) { super.init(.delete("/todos/\(segment: id)")) }
}
