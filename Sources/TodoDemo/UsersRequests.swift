public import APIBaseKit

/// `POST /users`: creates an account. Fails with status 400 if the server refuses it.
public final class CreateUserRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = User
    /// Creates the request for this account.
    public init(_ user: NewUser) { super.init(.post("/users", json: user)) }
}

/// `POST /login`: gives a token. Fails with status 401 if there is no such account, or the password is another.
public final class LoginRequest: TodoDemoAPI, Request {
    /// The result of the call.
    public typealias ModelType = Token
    /// Creates the request. The password travels as RFC 7617 (Basic) has it, so the server should be near or encrypted.
    public init(email: String, password: String) {
        super.init(.post("/login"))
        headers["Authorization"] = "Basic \(Data("\(email):\(password)".utf8).base64EncodedString())"
    }
}
