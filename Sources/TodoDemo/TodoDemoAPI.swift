public import APIBaseKit

/// The todo service that `apibase serve` runs: everything its calls share.
///
/// Make a user, log in for a token, and with the token list, create and delete todos.
open class TodoDemoAPI: APIBase {
    private static let host = URL(string: "http://localhost:8080")

    /// Creates a request to a server on this machine, port 8080. Set ``APIBase/baseURL`` for any other.
    public override init() {
        super.init()
        baseURL = Self.host
        headers["Accept"] = "application/json"
        contentType = "application/json"
    }

    /// The call, with its status and content type checked. ``Refusal`` reads what the server says of a failure.
    open override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }

    /// The call, decoded.
    func decode<Model: Decodable>(_ type: Model.Type) -> AnyPublisher<Model, any Error> {
        sendRequest()
            .map(\.data)
            .decode(type: type, decoder: JSONDecoder())
            .eraseToAnyPublisher()
    }
}
