import APIBaseStubs

/// A call that returns the whole reply.
class Call: APIBase, @unchecked Sendable, Request {
    init(_ method: HTTPMethod = .get, _ path: String = "/", base: String = "https://api.example/v1") {
        super.init()
        self.method = method
        self.path = path
        baseURL = URL(string: base)
    }

    func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }

    /// The body as text, or the reason of a transport error.
    func outcome() async -> Result<String, TransportError.Reason>? {
        do {
            return .success(String(decoding: try await value().data, as: UTF8.self))
        } catch let error as TransportError {
            return .failure(error.reason)
        } catch {
            return nil
        }
    }
}

extension TransportError.Reason: Error {}
