public import APIBaseKit

/// JSONPlaceholder, the free fake API: the base class of its calls.
///
/// The requests are ``UsersRequest`` and its siblings. The real service accepts changes and answers as if it had made
/// them, but stores nothing. If another imported library has models of the same name, write `JSONPlaceholder.User`.
open class JSONPlaceholderAPI: JSONAPI {
    private static let host = URL(string: "https://jsonplaceholder.typicode.com")

    /// The real host.
    open override class var baseURL: URL? { host }
}

/// `GET /users`: all users.
public final class UsersRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = [User]
    /// Creates the request. Filter it with ``APIBase/query``, such as `query["_page"] = 2` and `query["_limit"] = 10`.
    public override init() { super.init(.get("/users")) }
}

/// `GET /users/{id}`: one user. Fails with status 404 if it does not exist.
public final class UserRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = User
    /// Creates the request for this user.
    public init(id: Int) { super.init(.get("/users/\(segment: id)")) }
}

/// `POST /users`: creates a user. The value has the ID from the server.
public final class CreateUserRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = User
    /// Creates the request for this user.
    public init(_ user: User) { super.init(.post("/users", json: user)) }
}

/// `PUT /users/{id}`: replaces an user.
public final class UpdateUserRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = User
    /// Creates the request that replaces the user with this ID.
    public init(id: Int, _ user: User) { super.init(.put("/users/\(segment: id)", json: user)) }
}

/// `DELETE /users/{id}`: deletes an user.
public final class DeleteUserRequest: JSONPlaceholderAPI, Request {
    /// The result of the call.
    public typealias ModelType = Void
    /// Creates the request for this user.
    public init(id: Int) { super.init(.delete("/users/\(segment: id)")) }
}
