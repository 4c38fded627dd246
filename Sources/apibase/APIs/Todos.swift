import APIBaseKit
import TodoDemo

struct Todos: APICommand {
    static let api = API.todoDemo

    let account: Account
    let action: Action

    struct Account: Equatable {
        var email: String
        var password: Secret
        var isNew: Bool
    }

    enum Action: Equatable {
        case list
        case add(title: String)
        case delete(id: Int)
    }

    func run(_ output: CallOutput) async throws {
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
    /// The account of `--email` and `--password`, or a new one for this call.
    fileprivate init(_ arguments: Arguments) throws {
        switch (arguments.value(.email), arguments.value(.password)) {
        case (let email?, let password?):
            self.init(email: email, password: Secret(password), isNew: arguments.has(.signUp))
        case (nil, nil): self.init(email: "demo@example.com", password: Secret("password123"), isNew: true)
        case (_?, nil): throw UsageError.missingArgument("The option “--password”")
        case (nil, _?): throw UsageError.missingArgument("The option “--email”")
        }
    }

    fileprivate func token() async throws -> Token {
        let password = try password.resolved(.password, in: ProcessInfo.processInfo.environment)
        if isNew {
            _ = try await CreateUserRequest(NewUser(name: email, email: email, password: password)).value()
        }
        return try await LoginRequest(email: email, password: password).value()
    }
}

extension Todos.Action {
    fileprivate init(_ arguments: inout Arguments) throws {
        switch arguments.next() ?? "list" {
        case "list": self = .list
        case "add":
            guard let title = arguments.next() else { throw UsageError.missingArgument("The title of the todo") }
            self = .add(title: title)
        case "delete":
            guard let id = try arguments.id("the ID of a todo") else {
                throw UsageError.missingArgument("The ID of the todo")
            }
            self = .delete(id: id)
        case let other: throw UsageError.unknownCommand("todos \(other)")
        }
    }
}

extension Command {
    static let todos = Command.api(
        "todos",
        "[list | add TITLE | delete ID]",
        summary: "list, add or delete todos of the demo server",
        details: "Without --email and --password, a new account is created for the call.",
        options: [.email, .password, .signUp]
    ) { Todos(account: try Todos.Account($0), action: try Todos.Action(&$0)) }
}

extension Option {
    fileprivate static let email = Option("--email", value: "E", "the e-mail address of the account")
    fileprivate static let password = Option("--password", value: "P", "the password, or env:NAME, or file:PATH")
    fileprivate static let signUp = Option("--sign-up", "create the account first")
}

extension Todo {
    fileprivate var summary: String { "\(id ?? 0)\t\(title)" }
}
