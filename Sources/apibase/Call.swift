import APIBaseKit
import AppleRSS
import JSONPlaceholder
import TodoDemo
import Unsplash

/// One call of one API, as the command line asks for it.
enum Call: Equatable {
    case users(id: Int?)
    case posts(userID: Int?)
    case photos(search: String?, page: Int, perPage: Int)
    case apps(country: String, count: Int)
    case todos(Account, TodoAction)

    /// What is done to the todos.
    enum TodoAction: Equatable {
        case list
        case add(title: String)
        case delete(id: Int)
    }

    /// Who logs in to the todo API, and whether the account is created first.
    struct Account: Equatable {
        var email: String
        var password: String
        var isNew: Bool
    }

    init(_ name: String, _ arguments: inout Arguments) throws(UsageError) {
        switch name {
        case "users": self = .users(id: try arguments.id("the id of a user"))
        case "posts": self = .posts(userID: try arguments.number("--user", in: 1...Int.max))
        case "photos":
            self = .photos(
                search: try arguments.option("--search"),
                page: try arguments.number("--page", in: 1...Int.max) ?? 1,
                perPage: try arguments.number("--per-page", in: 1...30) ?? 10
            )
        case "apps":
            self = .apps(
                country: try arguments.country("--country") ?? "us",
                count: try arguments.number("--count", in: 1...100) ?? 10
            )
        case "todos": self = .todos(try Account(&arguments), try TodoAction(&arguments))
        default: throw .unknownCommand(name)
        }
    }

    /// The API that the call belongs to.
    var api: API {
        switch self {
        case .users, .posts: .jsonPlaceholder
        case .photos: .unsplash
        case .apps: .appleRSS
        case .todos: .todoDemo
        }
    }
}

extension Call.Account {
    /// The account from `--email` and `--password`, or a new one that is good for one call.
    init(_ arguments: inout Arguments) throws(UsageError) {
        let email = try arguments.option("--email")
        let password = try arguments.option("--password")
        let signsUp = arguments.flag("--sign-up")
        switch (email, password) {
        case (let email?, let password?): self.init(email: email, password: password, isNew: signsUp)
        case (nil, nil): self.init(email: "demo@example.com", password: "password123", isNew: true)
        case (_?, nil): throw .missingArgument("The option “--password”")
        case (nil, _?): throw .missingArgument("The option “--email”")
        }
    }
}

extension Call.TodoAction {
    init(_ arguments: inout Arguments) throws(UsageError) {
        switch try arguments.next() ?? "list" {
        case "list": self = .list
        case "add":
            guard let title = try arguments.next() else { throw .missingArgument("The title of the todo") }
            self = .add(title: title)
        case "delete":
            guard let id = try arguments.id("the id of a todo") else { throw .missingArgument("The id of the todo") }
            self = .delete(id: id)
        case let other: throw .unknownCommand("todos \(other)")
        }
    }
}

extension Arguments {
    /// The value of this option as the two letters of a country.
    fileprivate mutating func country(_ name: String) throws(UsageError) -> String? {
        guard let text = try option(name) else { return nil }
        guard text.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw .badValue(option: name, value: text, expected: "the two letters of a country")
        }
        return text.lowercased()
    }

    /// The next argument as a number that names something.
    fileprivate mutating func id(_ what: String) throws(UsageError) -> Int? {
        guard let text = try next() else { return nil }
        guard let id = Int(text), id > 0 else {
            throw .badValue(option: what, value: text, expected: "a whole number from 1")
        }
        return id
    }
}
