import APIBaseKit

/// A leaf that gives the reply as it comes.
final class Call: APIBase, Request {
    init(base: String? = "http://api.example", _ path: String = "") {
        super.init()
        baseURL = base.flatMap { URL(string: $0) }
        self.path = path
    }

    func start() -> AnyPublisher<APIBase.DataResponseTuple, any Error> {
        sendRequest()
    }

    /// The URL as it would be sent.
    func url() throws -> String? {
        try buildURLRequest().url?.absoluteString
    }
}
