import APIBaseKit
import Testing

/// A way in which a call says who it is for.
struct Credential: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (APIBase, _ secret: String) -> Void

    private init(_ name: String, _ apply: @escaping @Sendable (APIBase, _ secret: String) -> Void) {
        (testDescription, self.apply) = (name, apply)
    }

    static let all: [Credential] = [
        Credential("bearer") { $0.authorization = .bearer($1) },
        Credential("basic") { $0.authorization = .basic(user: "me", password: $1) },
        Credential("header of its own") { $0.authorization = .header("X-Books-Key", $1) },
        Credential("tokens") { call, secret in
            call.authorization = .tokens(TokenSource(Token(secret)) { _ in Token(secret) })
        },
        Credential("header inserted") { call, secret in
            call.secretHeaders.insert("X-Books-Key")
            call.headers["X-Books-Key"] = secret
        },
        Credential("header set") { call, secret in
            call.secretHeaders = ["X-Books-Key"]
            call.headers["X-Books-Key"] = secret
        },
        Credential("bearer beside a header that is set") { call, secret in
            call.secretHeaders = ["X-Books-Key"]
            call.authorization = .bearer(secret)
        },
        Credential("cookie beside a header that is set") { call, secret in
            call.secretHeaders = ["X-Books-Key"]
            call.headers["Cookie"] = "sid=\(secret)"
        },
        Credential("key where nothing is declared") { call, secret in
            call.secretHeaders = []
            call.headers["X-Api-Key"] = secret
        },
        Credential("token by its name") { $0.headers["X-Books-Token"] = $1 },
        Credential("secret by its name") { $0.headers["X-Client-Secret"] = $1 },
    ]
}
