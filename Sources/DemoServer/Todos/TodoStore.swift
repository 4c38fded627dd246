import Foundation
import Basics

/// Users, their tokens and their todos, in memory.
///
/// Passwords are kept as they are, for as long as the process lives and nowhere else: the platforms share no library
/// for hashing them properly, and a home-made hash would only look safe. Use made-up passwords with this server.
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
    }

    /// The most users, tokens and todos, each: a demo must not fill the memory.
    static let capacity = 100_000

    private let state = Locked(State())
    private let tokenLifetime: TimeInterval
    private let now: @Sendable () -> Date

    init(tokenLifetime: TimeInterval, now: @escaping @Sendable () -> Date) {
        self.tokenLifetime = tokenLifetime
        self.now = now
    }

    /// E-mail addresses are unique without regard to case.
    func addUser(name: String, email: String, password: String) throws(HTTPFault) -> User {
        let result: Result<User, HTTPFault> = state.withLock { state in
            let key = email.lowercased()
            guard state.users[key] == nil else {
                return .failure(HTTPFault(400, "A user with this email already exists."))
            }
            guard state.users.count < Self.capacity else { return .failure(.full) }
            let user = User(id: state.users.count + 1, name: name, email: email, password: password)
            state.users[key] = user
            return .success(user)
        }
        return try result.get()
    }

    /// A new token, nil where the e-mail address or the password is wrong.
    func login(email: String, password: String) throws(HTTPFault) -> Token? {
        let user = state.withLock { $0.users[email.lowercased()] }
        // Also without such a user, so that the time taken does not tell whether there is one.
        let matches = password.isEqualInConstantTime(to: user?.password ?? password + " ")
        guard let user, matches else { return nil }
        let moment = now()
        let string = Self.randomToken()
        let result: Result<Token, HTTPFault> = state.withLock { state in
            if state.tokens.count >= Self.capacity {
                state.tokens = state.tokens.filter { $0.value.expiresAt > moment }
            }
            guard state.tokens.count < Self.capacity else { return .failure(.full) }
            state.lastTokenID += 1
            let token = Token(
                id: state.lastTokenID,
                string: string,
                userID: user.id,
                expiresAt: moment.addingTimeInterval(tokenLifetime)
            )
            state.tokens[string] = token
            return .success(token)
        }
        return try result.get()
    }

    /// The user a token belongs to, nil where it is unknown or has expired.
    func userID(forToken string: String) -> Int? {
        let moment = now()
        let token = state.withLock { $0.tokens[string] }
        guard let token, token.expiresAt > moment else { return nil }
        return token.userID
    }

    func todos(ofUser userID: Int) -> [Todo] {
        state.withLock { state in (state.todoIDs[userID] ?? []).compactMap { state.todos[$0] } }
    }

    func addTodo(title: String, userID: Int) throws(HTTPFault) -> Todo {
        let result: Result<Todo, HTTPFault> = state.withLock { state in
            guard state.todos.count < Self.capacity else { return .failure(.full) }
            state.lastTodoID += 1
            let todo = Todo(id: state.lastTodoID, title: title, userID: userID)
            state.todos[todo.id] = todo
            state.todoIDs[userID, default: []].append(todo.id)
            return .success(todo)
        }
        return try result.get()
    }

    func removeTodo(_ id: Int, userID: Int) throws(HTTPFault) -> Todo {
        let result: Result<Todo, HTTPFault> = state.withLock { state in
            guard let todo = state.todos[id] else { return .failure(HTTPFault(404, "There is no todo \(id).")) }
            guard todo.userID == userID else {
                return .failure(HTTPFault(403, "Todo \(id) belongs to another user."))
            }
            state.todos[id] = nil
            state.todoIDs[userID]?.removeAll { $0 == id }
            return .success(todo)
        }
        return try result.get()
    }

    /// 128 bits of the system's random numbers.
    private static func randomToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64EncodedString()
    }
}

extension HTTPFault {
    fileprivate static let full = HTTPFault(507, "This server keeps no more than \(TodoStore.capacity) of them.")
}

extension String {
    /// Looks at every byte, whatever the first ones are.
    fileprivate func isEqualInConstantTime(to other: String) -> Bool {
        let (mine, others) = (Array(utf8), Array(other.utf8))
        var difference = mine.count ^ others.count
        for index in mine.indices { difference |= Int(mine[index] ^ (index < others.count ? others[index] : 0)) }
        return difference == 0
    }
}
