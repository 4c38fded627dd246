public import APIBaseKit

/// `POST /users`: creates an account.
public final class CreateUserRequest: TodoDemoAPI, Request {
    /// The account that is asked for.
    public let user: NewUser

    /// Creates the request for this account.
    public init(_ user: NewUser) {
        self.user = user
        super.init()
        method = .post
        path = "/users"
    }

    /// The account as JSON.
    public override func encodeBody() throws -> Data? {
        try JSONEncoder().encode(user)
    }

    /// The call. Fails with status 400 if the server refuses the account.
    public func start() -> AnyPublisher<User, any Error> {
        decode(User.self)
    }
}

/// `POST /login`: gives a token for e-mail address and password.
public final class LoginRequest: TodoDemoAPI, Request {
    /// Creates the request. The password travels as RFC 7617 (Basic) has it, so the server should be near or encrypted.
    public init(email: String, password: String) {
        super.init()
        method = .post
        path = "/login"
        headers["Authorization"] = "Basic \(Data("\(email):\(password)".utf8).base64EncodedString())"
    }

    /// The call. Fails with status 401 if there is no such account, or the password is another.
    public func start() -> AnyPublisher<Token, any Error> {
        decode(Token.self)
    }
}
