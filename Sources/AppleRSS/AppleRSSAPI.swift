public import APIBaseKit

/// Apple's RSS feeds of what is popular in its stores: everything their calls share.
open class AppleRSSAPI: APIBase {
    private static let host = URL(string: "https://rss.applemarketingtools.com/api/v2")

    /// Creates a request to the real host. Set ``APIBase/baseURL`` for any other.
    public override init() {
        super.init()
        baseURL = Self.host
        headers["Accept"] = "application/json"
    }

    /// The call, with its status and content type checked.
    open override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .eraseToAnyPublisher()
    }
}
