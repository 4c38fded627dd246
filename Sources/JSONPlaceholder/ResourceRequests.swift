public import APIBaseKit

/// A call that gives a value: the shape of every leaf here but those that delete.
open class ReadingRequest<Model: Decodable>: JSONPlaceholderAPI, Request {
    init(path: String) {
        super.init()
        self.path = path
    }

    /// The call. Its value is the decoded reply.
    open func start() -> AnyPublisher<Model, any Error> {
        sendRequest()
            .map(\.data)
            .decode(type: Model.self, decoder: JSONDecoder())
            .eraseToAnyPublisher()
    }
}

/// A call that sends a value and gives back what became of it.
open class WritingRequest<Model: Codable>: ReadingRequest<Model> {
    /// What is sent.
    public let model: Model

    init(_ method: HTTPMethod, path: String, _ model: Model) {
        self.model = model
        super.init(path: path)
        self.method = method
    }

    /// The model as JSON.
    open override func encodeBody() throws -> Data? {
        try JSONEncoder().encode(model)
    }
}

/// A call that removes something. Its value says only that it has been done.
open class DeletingRequest: JSONPlaceholderAPI, Request {
    init(path: String) {
        super.init()
        method = .delete
        self.path = path
    }

    /// The call.
    open func start() -> AnyPublisher<Void, any Error> {
        sendRequest().map { _ in }.eraseToAnyPublisher()
    }
}
