import APIBaseKit
import Testing

private struct CreatedUser: Decodable {
    let id: Int
    let name: String
}

private struct CreateUser: RequestConvertable {
    typealias Response = CreatedUser
    let email: String
    var password = "password123"
    var verification = "password123"

    var baseUrl: String { demoServer.url.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/")) }
    var path: String { "/users" }
    var method: String { "POST" }
    var parser: JSONParser<CreatedUser>? { JSONParser() }
    func parameter() -> [String: Any]? {
        ["name": "User", "email": email, "password": password, "verifyPassword": verification]
    }
}

private struct Unparsed: RequestConvertable {
    typealias Response = [CreatedUser]
    let path: String

    var baseUrl: String { demoServer.url.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/")) }
    var parser: JSONParser<[CreatedUser]>? { nil }
}

@Suite(.timeLimit(.minutes(1))) struct ArticleTests {
    private let client: any RequestExecutor = WebApiClient()

    @Test func `The Combine article's sample WebApiClient creates a user`() async throws {
        let user = try await result(of: client.executeRequest(request: CreateUser(email: "a@example.com"))).get()
        #expect(user.name == "User")
    }

    @Test
    func `The Combine article's sample client throws badRequest with the server's reason for a refused user`() async {
        var request = CreateUser(email: "b@example.com")
        request.verification = "another"
        let result = await result(of: client.executeRequest(request: request))
        #expect { try result.get() } throws: { error in
            guard case APIError.badRequest(let parsed?, _) = error else { return false }
            return !parsed.localizedDescription.isEmpty
        }
    }

    @Test(arguments: [("/todos", 401), ("/nowhere", 404)])
    func `The Combine article's sample WebApiClient fails with unAuthorised for 401 and notFound for 404`(
        path: String,
        statusCode: Int
    ) async {
        let result = await result(of: client.executeRequest(request: Unparsed(path: path)))
        #expect { try result.get() } throws: { error in
            switch error {
            case APIError.unAuthorised: statusCode == 401
            case APIError.notFound: statusCode == 404
            default: false
            }
        }
    }

    @Test
    func `The Combine article's sample WebApiClient decodes a response even if the request has no parser`() async throws
    {
        let result = await result(of: client.executeRequest(request: Unparsed(path: "/jsonplaceholder/users")))
        #expect(try result.get().count == 10)
    }

    @Test func `The Combine article's sample pipeline from a CurrentValueSubject fails with tryMap's APIError`() async {
        let result = await result(of: WebApiClient().refuse(String.self))
        #expect(throws: APIError.self) { try result.get() }
    }

    @Test
    func `The Combine article's sample pipeline gives an empty list when the response cannot be decoded`() async throws
    {
        let url = demoServer.url.appendingPathComponent("jsonplaceholder/posts/1")
        let posts = URLSession.shared.dataTaskPublisher(for: url)
            .map(\.data)
            .decode(type: [CreatedUser].self, decoder: JSONDecoder())
            .replaceError(with: [])
            .eraseToAnyPublisher()
        #expect(try await result(of: posts.setFailureType(to: Error.self).eraseToAnyPublisher()).get().isEmpty)
    }

    private func result<Value>(of publisher: AnyPublisher<Value, Error>) async -> Result<Value, Error> {
        var subscription: AnyCancellable?
        defer { subscription?.cancel() }
        return await withCheckedContinuation { continuation in
            subscription = publisher.sink { completion in
                guard case .failure(let error) = completion else { return }
                continuation.resume(returning: .failure(error))
            } receiveValue: { value in
                continuation.resume(returning: .success(value))
            }
        }
    }
}
