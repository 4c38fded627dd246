import APIBaseKit

/// `GET /users`: all users.
public final class UsersRequest: ReadingRequest<[User]> {
    /// Creates the request. Narrow it with ``APIBase/queryItems``, such as `_page` and `_limit`.
    public init() {
        super.init(path: "/users")
    }
}

/// `GET /users/{id}`: one user. Fails with status 404 if there is none.
public final class UserRequest: ReadingRequest<User> {
    /// Creates the request for this user.
    public init(id: Int) {
        super.init(path: "/users/\(segment: id)")
    }
}

/// `POST /users`: creates a user. The value has the id the server gave it.
public final class CreateUserRequest: WritingRequest<User> {
    /// Creates the request for this user.
    public init(_ user: User) {
        super.init(.post, path: "/users", user)
    }
}

/// `PUT /users/{id}`: replaces a user.
public final class UpdateUserRequest: WritingRequest<User> {
    /// Creates the request that puts this user in the place of the one with this id.
    public init(id: Int, _ user: User) {
        super.init(.put, path: "/users/\(segment: id)", user)
    }
}

/// `DELETE /users/{id}`: deletes a user.
public final class DeleteUserRequest: DeletingRequest {
    /// Creates the request for this user.
    public init(id: Int) {
        super.init(path: "/users/\(segment: id)")
    }
}
