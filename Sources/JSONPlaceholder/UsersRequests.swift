public import APIBaseKit

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
