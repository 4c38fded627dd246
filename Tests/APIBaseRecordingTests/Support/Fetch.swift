import APIBaseRecording

/// A leaf that returns the body as text.
final class Fetch: APIBase, Request {
    init(_ path: String = "/things", _ method: HTTPMethod = .get, body: String? = nil) {
        super.init()
        baseURL = URL(string: "http://api.example")
        self.path = path
        self.method = method
        self.body = body.map { Data($0.utf8) }
    }

    func with(_ change: (Fetch) -> Void) -> Fetch {
        change(self)
        return self
    }

    func start() -> AnyPublisher<String, any Error> {
        sendRequest()
            .validateStatusCode(in: 200..<300)
            .map { String(decoding: $0.data, as: UTF8.self) }
            .eraseToAnyPublisher()
    }
}
