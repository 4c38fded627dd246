import Basics
import Foundation
import LoopbackServer

/// The todo API: users, logins and todos, as in Vapor's authentication template.
///
/// Two responses differ from the template. DELETE returns the deleted todo, because clients of this API decode it. A
/// refused login has no challenge, although RFC 9110, section 15.5.2, requires it: Foundation on Linux never finishes a
/// plain data task that is answered with `WWW-Authenticate: Basic`.
struct TodoRoutes: Sendable {
    let store: TodoStore

    func add(to router: inout Router) {
        router.on("POST", "/users") { request, _ in try createUser(request) }
        router.on("POST", "/login") { request, _ in try login(request) }
        router.on("GET", "/todos") { request, _ in
            .json(.array(store.todos(ofUser: try user(of: request)).map(\.json)))
        }
        router.on("GET", "/todos/feed") { request, _ in try feed(request) }
        router.on("POST", "/todos") { request, _ in
            let userID = try user(of: request)
            return .json(try store.addTodo(title: try request.jsonObject().text("title"), userID: userID).json)
        }
        router.on("DELETE", "/todos/:id") { request, parameters in
            let userID = try user(of: request)
            guard let id = parameters.number("id") else {
                throw HTTPError(404, "\"\(parameters["id"])\" is not the ID of a todo.")
            }
            return .json(try store.removeTodo(id, userID: userID).json)
        }
    }

    private func createUser(_ request: ServerRequest) throws -> ServerResponse {
        let object = try request.jsonObject()
        let name = try object.text("name")
        let email = try object.text("email")
        let password = try object.text("password")
        guard password == (try object.text("verifyPassword")) else {
            throw HTTPError(400, "Password and verification must match.")
        }
        guard !name.isEmpty else { throw HTTPError(400, "name is empty") }
        let halves = email.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
            throw HTTPError(400, "email is not a valid email address")
        }
        guard password.count >= 8 else { throw HTTPError(400, "password is less than minimum of 8 character(s)") }
        let user = try store.addUser(name: name, email: email, password: password)
        return .json(["id": .int(user.id), "email": .string(user.email), "name": .string(user.name)])
    }

    private func login(_ request: ServerRequest) throws -> ServerResponse {
        guard case .basic(let email, let password) = Credentials(request),
            let token = try store.login(email: email, password: password)
        else { throw HTTPError(401, "Invalid email or password.") }
        return .json([
            "string": .string(token.string), "id": .int(token.id), "userID": .int(token.userID),
            "expiresAt": .string(token.expiresAt.ISO8601Format()),
        ])
    }

    /// A socket with each todo that is added or removed: `{"kind": "added", "todo": {…}}`.
    private func feed(_ request: ServerRequest) throws -> ServerResponse {
        let userID = try user(of: request)
        return try ServerSocket.response(to: request) { [store] socket in
            let tell: TodoStore.Watcher = { todo, isAdded in
                let change: JSONValue = ["kind": .string(isAdded ? "added" : "removed"), "todo": todo.json]
                // A client that is gone is noticed where the socket is read.
                try? socket.send(String(decoding: change.encoded, as: UTF8.self))
            }
            try store.watching(userID, tell) { try socket.waitForClose() }
        }
    }

    /// The user of the token in the request. Throws 401 without a valid token (RFC 6750, section 3).
    private func user(of request: ServerRequest) throws -> Int {
        guard case .bearer(let token) = Credentials(request) else {
            throw HTTPError(401, "A Bearer token is required.", headers: HTTPFields(["WWW-Authenticate": "Bearer"]))
        }
        guard let userID = store.userID(forToken: token) else {
            let challenge = HTTPFields(["WWW-Authenticate": "Bearer error=\"invalid_token\""])
            throw HTTPError(401, "The token is unknown or has expired.", headers: challenge)
        }
        return userID
    }
}

extension TodoStore.Todo {
    fileprivate var json: JSONValue { ["id": .int(id), "title": .string(title), "userID": .int(userID)] }
}

/// The credentials in the `Authorization` field of a request (RFC 9110, section 11.6.2).
private enum Credentials: Equatable {
    case basic(name: String, password: String)
    case bearer(token: String)

    /// `nil` without credentials, with more than one field, or with credentials that cannot be parsed.
    init?(_ request: ServerRequest) {
        let values = request.headers.values(for: "Authorization")
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let secret = parts[1].trimmingBlanks()
        switch parts[0].lowercased() {
        case "basic":
            // The name ends at the first colon; the password may contain more (RFC 7617, section 2).
            guard let data = Data(base64Encoded: secret), let text = String(valid: data),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            self = .basic(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        case "bearer": self = .bearer(token: secret)
        default: return nil
        }
    }
}
