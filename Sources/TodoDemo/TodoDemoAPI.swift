public import APIBaseKit

/// The todo service that `apibase serve` runs: everything its calls share.
///
/// Make a user, log in for a token, and with the token list, create and delete todos. ``Refusal`` reads what the server
/// says of a failure.
open class TodoDemoAPI: JSONAPI {
    private static let host = URL(string: "http://localhost:8080")

    /// A server on this machine, port 8080.
    open override class var baseURL: URL? { host }

    /// Creates a request to an endpoint, on behalf of the one the token belongs to.
    public init(_ endpoint: Endpoint = Endpoint(), token: Token? = nil) {
        super.init(endpoint)
        headers["Authorization"] = token.map { "Bearer \($0.value)" }
    }
}
