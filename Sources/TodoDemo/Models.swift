public import APIBaseKit

/// The data of a new account.
public struct NewUser: Codable, Hashable, Sendable {
    /// The full name.
    public var name: String
    /// The e-mail address, which is the name to log in with.
    public var email: String
    /// The password.
    public var password: String
    /// The password again.
    public var verifyPassword: String

    /// Creates the data, with the password in both places.
    public init(name: String, email: String, password: String) {
        self.name = name
        self.email = email
        self.password = password
        verifyPassword = password
    }
}

/// An account.
public struct User: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the user.
    public var id: Int
    /// The e-mail address.
    public var email: String
    /// The full name.
    public var name: String
}

/// The token that a login returns. It is valid for some hours.
public typealias Token = APIBaseKit.Token

/// A task to do.
public struct Todo: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the todo. `nil` for one that is not created yet.
    public var id: Int?
    /// The text of the todo.
    public var title: String

    /// Creates a todo.
    public init(id: Int? = nil, title: String) {
        self.id = id
        self.title = title
    }
}

/// A change of the todos of a user.
public struct TodoChange: Codable, Hashable, Sendable {
    /// The kinds of changes.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// The todo was created.
        case added
        /// The todo was deleted.
        case removed
    }

    /// The kind of the change.
    public var kind: Kind
    /// The todo.
    public var todo: Todo
}

/// The body of a response that reports a failure.
public struct Refusal: Codable, Hashable, Sendable {
    /// The reason for the failure.
    public var reason: String
}
