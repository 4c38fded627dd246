public import APIBaseKit

/// JSONPlaceholder, the free fake API: everything its calls share.
///
/// The leaf classes are ``UsersRequest`` and its siblings. The real service accepts changes, answers as if it had made
/// them, and stores nothing.
open class JSONPlaceholderAPI: APIBase {
    private static let host = URL(string: "https://jsonplaceholder.typicode.com")

    /// Creates a request to the real host. Set ``APIBase/baseURL`` for any other.
    public override init() {
        super.init()
        baseURL = Self.host
        headers["Accept"] = "application/json"
        contentType = "application/json"
    }

    /// The call, with its status and content type checked.
    open override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }
}
