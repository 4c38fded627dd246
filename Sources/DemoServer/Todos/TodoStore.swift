import Foundation
import LoopbackServer
import Basics

/// Users, tokens and todos, in memory.
///
/// Passwords are not hashed, because the platforms share no library with a proper hash. Use made-up ones.
final class TodoStore: Sendable {
    struct User: Sendable {
        let id: Int
        let name: String
        let email: String
        let password: String
    }

    struct Token: Sendable {
        let id: Int
        let string: String
        let userID: Int
        let expiresAt: Date
    }

    struct Todo: Sendable {
        let id: Int
        let title: String
        let userID: Int
    }

    private struct State {
        var users: [String: User] = [:]
        var tokens: [String: Token] = [:]
        var todos: [Int: Todo] = [:]
        var todoIDs: [Int: [Int]] = [:]
        var lastTokenID = 0
        var lastTodoID = 0
        var watchers: [Int: (userID: Int, watcher: Watcher)] = [:]
        var lastWatcherID = 0
    }

    /// Gets each todo of a user that is added, or removed.
    typealias Watcher = @Sendable (Todo, _ isAdded: Bool) -> Void

    private static let capacity = 100_000

    private let state = Locked(State())
    private let tokenLifetime: TimeInterval
    private let now: @Sendable () -> Date

    init(tokenLifetime: TimeInterval, now: @escaping @Sendable () -> Date) {
        (self.tokenLifetime, self.now) = (tokenLifetime, now)
    }

    /// Adds a user. E-mail addresses are unique without regard to case.
    func addUser(name: String, email: String, password: String) throws -> User {
        try state.withLock { state in
            let key = email.lowercased()
            guard state.users[key] == nil else { throw HTTPError(400, "A user with this email already exists.") }
            try Self.checkCapacity(state.users.count)
            let user = User(id: state.users.count + 1, name: name, email: email, password: password)
            state.users[key] = user
            return user
        }
    }

    /// A new token; `nil` if the e-mail address or the password is wrong.
    func login(email: String, password: String) throws -> Token? {
        let (moment, string) = (now(), Self.randomToken())
        return try state.withLock { state in
            guard let user = state.users[email.lowercased()], user.password == password else { return nil }
            if state.tokens.count >= Self.capacity {
                state.tokens = state.tokens.filter { $0.value.expiresAt > moment }
            }
            try Self.checkCapacity(state.tokens.count)
            state.lastTokenID += 1
            let expiresAt = moment.addingTimeInterval(tokenLifetime)
            let token = Token(id: state.lastTokenID, string: string, userID: user.id, expiresAt: expiresAt)
            state.tokens[string] = token
            return token
        }
    }

    /// The user of a token; `nil` if the token is unknown or has expired.
    func userID(forToken string: String) -> Int? {
        let moment = now()
        let token = state.withLock { $0.tokens[string] }
        guard let token, token.expiresAt > moment else { return nil }
        return token.userID
    }

    func todos(ofUser userID: Int) -> [Todo] {
        state.withLock { state in (state.todoIDs[userID] ?? []).compactMap { state.todos[$0] } }
    }

    func addTodo(title: String, userID: Int) throws -> Todo {
        let todo = try state.withLock { state in
            try Self.checkCapacity(state.todos.count)
            state.lastTodoID += 1
            let todo = Todo(id: state.lastTodoID, title: title, userID: userID)
            state.todos[todo.id] = todo
            state.todoIDs[userID, default: []].append(todo.id)
            return todo
        }
        tell(todo, isAdded: true)
        return todo
    }

    func removeTodo(_ id: Int, userID: Int) throws -> Todo {
        let todo = try state.withLock { state in
            guard let todo = state.todos[id] else { throw HTTPError(404, "There is no todo \(id).") }
            guard todo.userID == userID else { throw HTTPError(403, "Todo \(id) belongs to another user.") }
            state.todos[id] = nil
            state.todoIDs[userID]?.removeAll { $0 == id }
            return todo
        }
        tell(todo, isAdded: false)
        return todo
    }

    /// Watches the todos of a user while `body` runs.
    func watching(_ userID: Int, _ watcher: @escaping Watcher, _ body: () throws -> Void) rethrows {
        let id = state.withLock { state in
            state.lastWatcherID += 1
            state.watchers[state.lastWatcherID] = (userID, watcher)
            return state.lastWatcherID
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: id) } }
        try body()
    }

    private func tell(_ todo: Todo, isAdded: Bool) {
        let watchers = state.withLock { $0.watchers.values.filter { $0.userID == todo.userID } }
        for (_, watcher) in watchers { watcher(todo, isAdded) }
    }

    private static func checkCapacity(_ count: Int) throws {
        if count >= capacity { throw HTTPError(507, "This server stores at most \(capacity) of them.") }
    }

    private static func randomToken() -> String {
        Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    }
}
