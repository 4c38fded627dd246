import Foundation

/// The todo API: users, logins and todos, in the shapes of Vapor's authentication template.
///
/// Two answers differ from the template on purpose. DELETE answers with the deleted todo, as clients of this API decode
/// one. And a refused login carries no challenge, although RFC 9110, section 15.5.2, asks for one: Foundation on Linux
/// never finishes a plain data task that is answered with `WWW-Authenticate: Basic`.
struct TodoRoutes: Sendable {
    let store: TodoStore

    func add(to router: inout Router) {
        router.on("POST", "/users") { request, _ throws(HTTPFault) in try createUser(request) }
        router.on("POST", "/login") { request, _ throws(HTTPFault) in try login(request) }
        router.on("GET", "/todos") { request, _ throws(HTTPFault) in
            .json(.array(store.todos(ofUser: try user(of: request)).map(\.json)))
        }
        router.on("POST", "/todos") { request, _ throws(HTTPFault) in
            let userID = try user(of: request)
            return .json(try store.addTodo(title: try request.jsonObject().text("title"), userID: userID).json)
        }
        router.on("DELETE", "/todos/:id") { request, parameters throws(HTTPFault) in
            let userID = try user(of: request)
            guard let id = parameters.number("id") else { throw HTTPFault(404, "\"\(parameters["id"])\" is no todo.") }
            return .json(try store.removeTodo(id, userID: userID).json)
        }
    }

    private func createUser(_ request: ServerRequest) throws(HTTPFault) -> ServerResponse {
        let object = try request.jsonObject()
        let name = try object.text("name")
        let email = try object.text("email")
        let password = try object.text("password")
        guard password == (try object.text("verifyPassword")) else {
            throw HTTPFault(400, "Password and verification must match.")
        }
        guard !name.isEmpty else { throw HTTPFault(400, "name is empty") }
        let halves = email.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
            throw HTTPFault(400, "email is not a valid email address")
        }
        guard password.count >= 8 else {
            throw HTTPFault(400, "password is less than minimum of 8 character(s)")
        }
        let user = try store.addUser(name: name, email: email, password: password)
        return .json(["id": .int(user.id), "email": .string(user.email), "name": .string(user.name)])
    }

    private func login(_ request: ServerRequest) throws(HTTPFault) -> ServerResponse {
        guard case .basic(let email, let password) = Credentials(request),
            let token = try store.login(email: email, password: password)
        else { throw HTTPFault(401, "Invalid email or password.") }
        return .json([
            "string": .string(token.string), "id": .int(token.id), "userID": .int(token.userID),
            "expiresAt": .string(token.expiresAt.ISO8601Format()),
        ])
    }

    /// The user whose valid token the request brings (RFC 6750, section 3).
    private func user(of request: ServerRequest) throws(HTTPFault) -> Int {
        guard case .bearer(let token) = Credentials(request) else {
            throw HTTPFault(401, "A Bearer token is required.", headers: HTTPFields(["WWW-Authenticate": "Bearer"]))
        }
        guard let userID = store.userID(forToken: token) else {
            throw HTTPFault(
                401,
                "The token is unknown or has expired.",
                headers: HTTPFields(["WWW-Authenticate": "Bearer error=\"invalid_token\""])
            )
        }
        return userID
    }
}

extension TodoStore.Todo {
    fileprivate var json: JSONValue { ["id": .int(id), "title": .string(title), "userID": .int(userID)] }
}
