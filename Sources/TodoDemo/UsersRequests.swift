public import APIBaseKit

/// `POST /users`: creates an account. Fails with status 400 if the server refuses it.
public final class CreateUserRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = User
    /// Creates the request for this account.
    public init(_ user: NewUser) { super.init(.post("/users", json: user)) }
}

/// `POST /login`: returns a token. Fails with status 401 if the account does not exist or the password is wrong.
public final class LoginRequest: TodoDemoAPI, Request {
    /// Creates the request. The password is sent unencrypted (RFC 7617, Basic): use a server on this machine, or TLS.
    public init(email: String, password: String) {
        super.init(.post("/login"))
        authorization = .basic(user: email, password: password)
    }
    /// The call. Its value is the token.
    public func start() -> AnyPublisher<Token, any Error> {
        decoded(LoginResponse.self).map { Token($0.string) }.eraseToAnyPublisher()
    }
}

/// The body of the response to a login.
private struct LoginResponse: Decodable {
    let string: String
}
