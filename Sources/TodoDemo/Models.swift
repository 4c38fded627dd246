public import APIBaseKit

/// Somebody who wants an account.
public struct NewUser: Codable, Hashable, Sendable {
    /// The full name.
    public var name: String
    /// The e-mail address, which is the name to log in with.
    public var email: String
    /// The password.
    public var password: String
    /// The password once more.
    public var verifyPassword: String

    /// Creates the account as it is asked for, with the password given twice.
    public init(name: String, email: String, password: String) {
        self.name = name
        self.email = email
        self.password = password
        verifyPassword = password
    }
}

/// Somebody who has an account.
public struct User: Codable, Hashable, Sendable, Identifiable {
    /// The number of the user.
    public var id: Int
    /// The e-mail address.
    public var email: String
    /// The full name.
    public var name: String
}

/// The kit's token: credentials that hold for some hours.
public typealias Token = APIBaseKit.Token

extension Token: Codable {
    private enum CodingKeys: CodingKey { case string }

    /// The token itself.
    public var string: String { value }

    /// Creates a token from one that was kept.
    public init(string: String) { self.init(string) }

    /// Reads a token as the service gives it.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .string))
    }

    /// Writes the token as the service gives it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .string)
    }
}

/// Something there is to do.
public struct Todo: Codable, Hashable, Sendable, Identifiable {
    /// The number of the todo. `nil` for one that is yet to be created.
    public var id: Int?
    /// The text of the todo.
    public var title: String

    /// Creates a todo.
    public init(id: Int? = nil, title: String) {
        self.id = id
        self.title = title
    }
}

/// The server's words when it refuses: the body of its failures.
public struct Refusal: Codable, Hashable, Sendable {
    /// The reason, in words.
    public var reason: String
}
