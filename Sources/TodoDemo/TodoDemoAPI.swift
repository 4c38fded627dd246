public import APIBaseKit

/// The todo service that `apibase serve` runs: the base class of its calls.
///
/// Create a user, log in for a token, and use the token to list, create and delete todos. ``Refusal`` decodes the body
/// of a failure.
open class TodoDemoAPI: JSONAPI {
    private static let host = URL(string: "http://localhost:8080")

    /// The server on this machine, port 8080.
    open override class var baseURL: URL? { host }

    /// Creates a request to an endpoint, with the token of a user.
    public init(_ endpoint: Endpoint = Endpoint(), token: Token? = nil) {
        super.init(endpoint)
        authorization = token.map { .bearer($0.value) }
    }
}
