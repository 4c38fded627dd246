import APIBaseKit

/// `GET /todos`: all todos.
public final class TodosRequest: ReadingRequest<[Todo]> {
    /// Creates the request. Narrow it with ``APIBase/queryItems``, such as `_page` and `_limit`.
    public init() {
        super.init(path: "/todos")
    }
}

/// `GET /users/{id}/todos`: the todos of one user.
public final class UserTodosRequest: ReadingRequest<[Todo]> {
    /// Creates the request for this user. One that does not exist has no todos.
    public init(userID: Int) {
        super.init(path: "/users/\(segment: userID)/todos")
    }
}

/// `GET /todos/{id}`: one todo. Fails with status 404 if there is none.
public final class TodoRequest: ReadingRequest<Todo> {
    /// Creates the request for this todo.
    public init(id: Int) {
        super.init(path: "/todos/\(segment: id)")
    }
}

/// `POST /todos`: creates a todo. The value has the id the server gave it.
public final class CreateTodoRequest: WritingRequest<Todo> {
    /// Creates the request for this todo.
    public init(_ todo: Todo) {
        super.init(.post, path: "/todos", todo)
    }
}

/// `PUT /todos/{id}`: replaces a todo.
public final class UpdateTodoRequest: WritingRequest<Todo> {
    /// Creates the request that puts this todo in the place of the one with this id.
    public init(id: Int, _ todo: Todo) {
        super.init(.put, path: "/todos/\(segment: id)", todo)
    }
}

/// `DELETE /todos/{id}`: deletes a todo.
public final class DeleteTodoRequest: DeletingRequest {
    /// Creates the request for this todo.
    public init(id: Int) {
        super.init(path: "/todos/\(segment: id)")
    }
}
