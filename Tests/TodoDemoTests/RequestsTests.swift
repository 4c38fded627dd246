import APIBaseContract
import DemoServer
import TestTiers
import Testing
import TodoDemo

@Suite(.document("openapi.json"), .limited) struct RequestsTests {
    private static let user = NewUser(name: "user1", email: "user1@example.com", password: "password123")

    @Test(
        .stubs { stubs in
            stubs.on(.post, "/users").answer(.json(#"{"id":1,"email":"user1@example.com","name":"user1"}"#))
            stubs.on(.post, "/login", headers: ["Authorization": "Basic dXNlcjFAZXhhbXBsZS5jb206cGFzc3dvcmQxMjM="])
                .answer(.json(#"{"string":"secret"}"#))
            stubs.on(.post, "/todos", headers: ["Authorization": "Bearer secret"], body: .json(["title": "Chained"]))
                .answer(.json(#"{"id":1,"title":"Chained","userID":1}"#))
        }
    )
    func `TodoDemo requests to create a user, log in and create a todo run as one Combine chain`() async throws {
        let chain = CreateUserRequest(Self.user).start()
            .flatMap { LoginRequest(email: $0.email, password: Self.user.password).start() }
            .flatMap { CreateTodoRequest(Todo(title: "Chained"), token: $0).start() }
        var titles: [String] = []
        for try await todo in chain.values { titles.append(todo.title) }
        #expect(titles == ["Chained"])
    }

    @Test(arguments: [400, 401, 403, 404])
    func `TodosRequest fails with httpFailure, which has the status and decodes the reason in the body`(status: Int)
        async throws
    {
        let stubs = Stubs()
        stubs.on(TodosRequest.self).answer(.json(#"{"error":true,"reason":"Because."}"#, status: status))
        try await stubs.run {
            do {
                _ = try await TodosRequest(token: Token("forged")).value()
                Issue.record("no error")
            } catch RequestError.httpFailure(let failure) {
                #expect(failure.statusCode == status)
                #expect(try failure.decode(Refusal.self).reason == "Because.")
            }
        }
    }

    @Test
    func `TodoDemo requests sign up, log in, and create, list and delete todos on the demo server`() async throws {
        let server = DemoAPIServer()
        let base = try server.start()
        defer { server.stop() }
        func value<Call: TodoDemoAPI & Request>(_ request: Call) async throws -> Call.ModelType {
            request.baseURL = base
            return try await request.value()
        }
        _ = try await value(CreateUserRequest(Self.user))
        let token = try await value(LoginRequest(email: Self.user.email, password: Self.user.password))
        let first = try await value(CreateTodoRequest(Todo(title: "First"), token: token))
        let second = try await value(CreateTodoRequest(Todo(title: "Second & last"), token: token))
        #expect(try await value(TodosRequest(token: token)) == [first, second])
        try await value(DeleteTodoRequest(id: try #require(first.id), token: token))
        #expect(try await value(TodosRequest(token: token)) == [second])
    }

    @Test func `Describing or dumping a TodoDemo Token does not reveal its value`() {
        #expect(!String(describing: Token("canary")).contains("canary"))
        var dumped = ""
        dump(Token("canary"), to: &dumped)
        #expect(!dumped.contains("canary"))
    }
}
