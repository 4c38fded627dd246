import APIBaseKit
import DemoServer
import Testing
import TodoDemo

/// Every call of the library, on a real socket.
@Suite(.timeLimit(.minutes(1))) struct RequestsTests {
    private let server: DemoAPIServer
    private let base: URL

    init() throws {
        server = DemoAPIServer()
        base = try server.start()
    }

    private func value<Call: TodoDemoAPI & Request>(_ request: Call) async throws -> Call.ModelType {
        request.baseURL = base
        return try await request.value()
    }

    private func token(_ name: String) async throws -> Token {
        let user = NewUser(name: name, email: "\(name)@example.com", password: "password123")
        _ = try await value(CreateUserRequest(user))
        return try await value(LoginRequest(email: user.email, password: user.password))
    }

    @Test func aUserLogsInAndKeepsTodos() async throws {
        defer { server.stop() }
        let token = try await token("user1")
        #expect(try await value(TodosRequest(token: token)).isEmpty)
        let first = try await value(CreateTodoRequest(Todo(title: "First"), token: token))
        let second = try await value(CreateTodoRequest(Todo(title: "Second & last"), token: token))
        #expect(try await value(TodosRequest(token: token)) == [first, second])
        try await value(DeleteTodoRequest(id: try #require(first.id), token: token))
        #expect(try await value(TodosRequest(token: token)) == [second])
    }

    @Test func theCallsRunAsOneChain() async throws {
        defer { server.stop() }
        let base = base
        func at<Call: TodoDemoAPI>(_ request: Call) -> Call {
            request.baseURL = base
            return request
        }
        let user = NewUser(name: "user1", email: "user1@example.com", password: "password123")
        let chain = at(CreateUserRequest(user)).start()
            .flatMap { at(LoginRequest(email: $0.email, password: user.password)).start() }
            .flatMap { at(CreateTodoRequest(Todo(title: "Chained"), token: $0)).start() }
        for try await todo in chain.values {
            #expect(todo.title == "Chained")
        }
    }

    @Test func refusalsHaveTheirStatusAndReason() async throws {
        defer { server.stop() }
        let mine = try await token("user1")
        let theirs = try await token("user2")
        let todo = try await value(CreateTodoRequest(Todo(title: "Mine"), token: mine))
        let id = try #require(todo.id)

        var mismatch = NewUser(name: "user3", email: "user3@example.com", password: "password123")
        mismatch.verifyPassword = "password124"
        await expectRefusal(400) { try await value(CreateUserRequest(mismatch)) }
        await expectRefusal(401) { try await value(LoginRequest(email: "user1@example.com", password: "wrong")) }
        await expectRefusal(401) { try await value(LoginRequest(email: "nobody@example.com", password: "x")) }
        await expectRefusal(401) { try await value(TodosRequest(token: Token(string: "forged"))) }
        await expectRefusal(403) { try await value(DeleteTodoRequest(id: id, token: theirs)) }
        await expectRefusal(404) { try await value(DeleteTodoRequest(id: id + 1_000, token: mine)) }
        #expect(try await value(TodosRequest(token: mine)) == [todo])
    }

    @Test func aTokenIsNotPrinted() {
        defer { server.stop() }
        #expect(!String(describing: Token(string: "canary")).contains("canary"))
        #expect(!"\(Token(string: "canary"))".contains("canary"))
    }

    private func expectRefusal<Value>(_ statusCode: Int, _ call: () async throws -> Value) async {
        await #expect {
            _ = try await call()
        } throws: { error in
            guard case RequestError.httpFailure(let failure) = error else { return false }
            let reason = try failure.decode(Refusal.self).reason
            return failure.statusCode == statusCode && !reason.isEmpty
        }
    }
}
