import APIBaseKit
import Testing

/// The article's `http://localhost:8080`, without its last slash.
let baseURL = demoServer.url.absoluteString.trimmingCharacters(in: CharacterSet(charactersIn: "/"))

@Suite(.timeLimit(.minutes(1))) struct ArticleTests {
    @Test func `The Combine article's sample client with callbacks creates a user`() async throws {
        let reply = await withCheckedContinuation { continuation in
            createUserOLD(user: User(id: 2)) { data, response, error in
                continuation.resume(returning: (data, (response as? HTTPURLResponse)?.statusCode, error))
            }
        }
        #expect(reply.1 == 200)
        #expect(reply.2 == nil)
        let created = try JSONDecoder().decode(CreateUserResponse.self, from: try #require(reply.0))
        #expect(created.name == "user2")
    }

    @Test func `The Combine article's sample data task publisher creates a user`() async throws {
        let created = try await first(
            try postUser(user: User(id: 3))
                .map { $0.data }
                .decode(type: CreateUserResponse.self, decoder: JSONDecoder())
        )
        #expect(created.email == "user3@example.com")
    }

    @Test
    func `The Combine article's sample Future that wraps the client with callbacks creates a user`() async throws {
        let created = try await first(createUserPublisher(user: User(id: 6)))
        #expect(created.name == "user6")
    }

    @Test
    func `The Combine article's sample Future fails with statusCode(400) when the user already exists`() async throws {
        let twice = User(id: 7)
        _ = try await first(createUserPublisher(user: twice))
        await #expect { try await first(createUserPublisher(user: twice)) } throws: { error in
            guard case APIError.statusCode(400) = error else { return false }
            return true
        }
    }

    @Test func `The Combine article's sample client logs in and posts, lists and deletes a todo`() async throws {
        _ = try await first(try #require(create(user: User(id: 20))))
        let token = try await first(login(email: "user20@example.com", password: "password20")).string
        let posted = try await first(postTodo(authToken: token, todo: todoList[0]))
        #expect(posted.title == "Learn Composite")
        let id = try #require(posted.id)
        #expect(try await first(getTodo(authToken: token)).map(\.id) == [id])
        #expect(try await first(deleteTodo(authToken: token, id: id)).id == id)
        #expect(try await first(getTodo(authToken: token)).isEmpty)
    }

    @Test
    func `The Combine article's sample login fails with statusCode(401) when the password is wrong`() async throws {
        _ = try await first(try #require(create(user: User(id: 21))))
        await #expect { try await first(login(email: "user21@example.com", password: "wrong")) } throws: { error in
            guard case APIError.statusCode(401) = error else { return false }
            return true
        }
    }

    @Test func `The Combine article's sample chain of login and post always posts its own second todo`() async throws {
        _ = try await first(try #require(create(user: User(id: 22))))
        let chain = post(email: "user22@example.com", password: "password22", todo: todoList[0])
        // The article posts its second todo, whatever it is given.
        #expect(try await first(try #require(chain)).title == todoList[1].title)
    }

    /// The first value of a publisher, through `sink` as the article has it.
    private func first<P: Publisher>(_ publisher: P) async throws -> P.Output {
        var subscription: AnyCancellable?
        defer { subscription?.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            var continuation: CheckedContinuation<P.Output, any Error>? = continuation
            subscription = publisher.sink(
                receiveCompletion: { completion in
                    guard case .failure(let error) = completion else { return }
                    continuation?.resume(throwing: error)
                    continuation = nil
                },
                receiveValue: { value in
                    continuation?.resume(returning: value)
                    continuation = nil
                }
            )
        }
    }
}
