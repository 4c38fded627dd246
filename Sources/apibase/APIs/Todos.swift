import APIBaseKit
import TodoDemo

/// `apibase todos`.
struct Todos: APICall {
    static let api = API.todoDemo

    let account: Account
    let action: Action

    /// The account that logs in, and whether it is created first.
    struct Account: Equatable {
        var email: String
        var password: Secret
        var isNew: Bool
    }

    /// The action on the todos.
    enum Action: Equatable {
        case list
        case add(title: String)
        case delete(id: Int)
    }

    func run(_ output: CallOutput, anyKey: Bool) async throws {
        let token = try await account.token()
        switch action {
        case .list: try output.show(try await TodosRequest(token: token).value()) { $0.summary }
        case .add(let title):
            try output.show(try await CreateTodoRequest(Todo(title: title), token: token).value()) { $0.summary }
        case .delete(let id): try await DeleteTodoRequest(id: id, token: token).value()
        }
    }
}

extension Todos.Account {
    /// The account from `--email` and `--password`, or a new one that is good for one call.
    fileprivate init(_ arguments: Arguments) throws(UsageError) {
        switch (arguments.value(.email), arguments.value(.password)) {
        case (let email?, let password?):
            self.init(email: email, password: Secret(password), isNew: arguments.has(.signUp))
        case (nil, nil): self.init(email: "demo@example.com", password: .text("password123"), isNew: true)
        case (_?, nil): throw .missingArgument("The option “--password”")
        case (nil, _?): throw .missingArgument("The option “--email”")
        }
    }

    /// Logs in, after creating the account if it is a new one.
    fileprivate func token() async throws -> TodoDemo.Token {
        let password = try password.resolved(.password, in: ProcessInfo.processInfo.environment)
        if isNew {
            _ = try await CreateUserRequest(NewUser(name: email, email: email, password: password)).value()
        }
        return try await LoginRequest(email: email, password: password).value()
    }
}

extension Todos.Action {
    fileprivate init(_ arguments: inout Arguments) throws(UsageError) {
        switch arguments.next() ?? "list" {
        case "list": self = .list
        case "add":
            guard let title = arguments.next() else { throw .missingArgument("The title of the todo") }
            self = .add(title: title)
        case "delete":
            guard let id = try arguments.id("the id of a todo") else { throw .missingArgument("The id of the todo") }
            self = .delete(id: id)
        case let other: throw .unknownCommand("todos \(other)")
        }
    }
}

extension Command {
    static let todos = Command.api(
        "todos",
        "[list | add TITLE | delete ID]",
        summary: "the todo API of the demo server",
        details: "Without --email and --password, an account is made for this one call.",
        options: [.email, .password, .signUp]
    ) { arguments throws(UsageError) in
        let account = try Todos.Account(arguments)
        return Todos(account: account, action: try Todos.Action(&arguments))
    }
}

extension Option {
    fileprivate static let email = Option("--email", value: "E", "who logs in")
    fileprivate static let password = Option("--password", value: "P", "the password, or env:NAME, or file:PATH")
    fileprivate static let signUp = Option("--sign-up", "create the account first")
}

extension Todo {
    fileprivate var summary: String { "\(id ?? 0)\t\(title)" }
}
