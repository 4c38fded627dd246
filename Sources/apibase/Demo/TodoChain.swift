import APIBaseKit
import TodoDemo

/// An account, a login, and a todo that is created, listed and deleted: five requests in one chain.
struct TodoChain: Request {
    let session: any HTTPSession

    func start() -> AnyPublisher<Todo, any Error> {
        let account = NewUser(name: "Demo", email: "demo@example.com", password: "password123")
        return observed(CreateUserRequest(account)).start()
            .flatMap { user in
                observed(LoginRequest(email: user.email, password: account.password)).start()
            }
            .flatMap { token in
                observed(CreateTodoRequest(Todo(title: "Learn APIBaseKit"), token: token)).start()
                    .map { todo in (token, todo) }
            }
            .flatMap { token, todo in
                observed(TodosRequest(token: token)).start()
                    .tryMap { todos in (token, try expect(todo, in: todos)) }
            }
            .flatMap { token, id in
                observed(DeleteTodoRequest(id: id, token: token)).start()
                    .map { Todo(id: id, title: "Learn APIBaseKit") }
            }
            .eraseToAnyPublisher()
    }

    private func observed<Call: TodoDemoAPI>(_ request: Call) -> Call {
        request.session = session
        return request
    }

    /// The id of a todo that the list has to hold.
    private func expect(_ todo: Todo, in todos: [Todo]) throws -> Int {
        guard todos.contains(todo), let id = todo.id else { throw MissingTodo(title: todo.title) }
        return id
    }

    /// A todo that was created is not in the list.
    private struct MissingTodo: Error, LocalizedError {
        let title: String
        var errorDescription: String? { "The todo “\(title)” is not in the list." }
    }
}
