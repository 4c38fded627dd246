import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

@Suite(.limited) struct PersistedQueriesTests {
    private class ShopAPI: GraphQLAPI {
        override class var baseURL: URL? { URL(string: "https://shop.example/graphql?v=1") }
    }

    private final class Item: ShopAPI, GraphQLRequest {
        struct ModelType: Decodable, Equatable { var name: String }
        static let query = "query Item($id: ID!) { name }"
    }

    private final class Add: ShopAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "mutation Add { add }"
    }

    private static let notFound = StubAnswer.json(
        #"{"errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}"#
    )
    private static let found = StubAnswer.json(#"{"data": {"name": "n"}}"#)

    /// What `sha256sum` says of the query.
    private static let hash = "34374d43e5e3d71f9bce0ec65c184411c923be65ed0aed16204668b41043a073"

    /// The extension that names a query by its hash, as JSON.
    private func persisted(_ hash: String) -> JSONValue {
        ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]
    }

    private func json(_ text: String?) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(try #require(text).utf8))
    }

    @Test(arguments: [PersistedQueries.automatic, .registered])
    func `A persisted GraphQL query is first sent as a GET with its hash and without a body`(mode: PersistedQueries)
        async throws
    {
        let stubs = Stubs()
        stubs.on(operation: "Item").answer(Self.found)
        let call = Item(variables: ["id": "a b&c"])
        call.persistedQueries = mode
        #expect(try await stubs.run { try await call.value() } == .init(name: "n"))
        let sent = try #require(stubs.calls.first)
        #expect(sent.method == .get && sent.body.isEmpty && sent.headers["Content-Type"] == nil)
        #expect(sent.queryItems.map(\.name) == ["v", "extensions", "operationName", "variables"])
        #expect(try json(sent.queryItem("variables")) == ["id": "a b&c"])
        #expect(try json(sent.queryItem("extensions")) == persisted(Self.hash))
    }

    @Test
    func `A persisted GraphQL query is resent by POST with its text if the server does not know its hash`() async throws
    {
        let stubs = Stubs()
        stubs.on(operation: "Item").answer(inOrder: Self.notFound, Self.found)
        let call = Item(variables: ["id": "7"])
        call.persistedQueries = .automatic
        call.authorization = .bearer("t")
        #expect(try await stubs.run { try await call.value() } == .init(name: "n"))
        #expect(stubs.calls.map(\.method) == [.get, .post])
        #expect(stubs.calls.allSatisfy { $0.headers["Authorization"] == "Bearer t" })
        #expect(
            try stubs.calls[1].json(JSONValue.self) == [
                "query": .string(Item.query), "operationName": "Item", "variables": ["id": "7"],
                "extensions": persisted(Self.hash),
            ]
        )
        #expect(stubs.calls[1].url?.query == "v=1")
    }

    @Test
    func `A GraphQL query is resent without its hash if the server does not support persisted queries`() async throws {
        let stubs = Stubs()
        let answer = #"{"errors": [{"message": "PersistedQueryNotSupported"}]}"#
        let type: HTTPHeaders = ["Content-Type": "application/graphql-response+json"]
        stubs.on(operation: "Item").answer(inOrder: .json(answer, status: 400, headers: type), Self.found)
        let call = Item()
        call.persistedQueries = .automatic
        #expect(try await stubs.run { try await call.value() } == .init(name: "n"))
        #expect(
            try stubs.calls.last?.json(JSONValue.self) == ["query": .string(Item.query), "operationName": "Item"]
        )
    }

    @Test func `A GraphQL mutation with persisted queries on is sent by POST, never by GET`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Add").answer(inOrder: Self.notFound, Self.found)
        let call = Add()
        call.persistedQueries = .automatic
        call.idempotencyKey = .automatic
        _ = try await stubs.run { try await call.value() }
        #expect(stubs.calls.map(\.method) == [.post, .post])
        #expect(try stubs.calls.map { try $0.json(JSONValue.self)["query"] != nil } == [false, true])
        #expect(Set(stubs.calls.map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(stubs.calls[1].headers["Idempotency-Key"] != nil)
    }

    @Test(arguments: [(PersistedQueries.automatic, 2), (.registered, 1)])
    func `A persisted GraphQL query fails with GraphQLErrors when the server never knows its hash`(
        mode: PersistedQueries,
        count: Int
    ) async throws {
        let stubs = Stubs()
        stubs.on(operation: "Item").answer(Self.notFound)
        let call = Item()
        call.persistedQueries = mode
        let error = await #expect(throws: GraphQLErrors.self) { try await stubs.run { try await call.value() } }
        #expect(error?.errors.first?.code == "PERSISTED_QUERY_NOT_FOUND")
        #expect(stubs.calls.count == count)
    }

    @Test func `The POST with the text of a persisted GraphQL query is retried after a 503 and a 401`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Item").answer(
            inOrder: Self.notFound,
            .status(503),
            Self.notFound,
            .status(401),
            Self.found
        )
        let call = Item()
        call.persistedQueries = .automatic
        call.retry = RetryPolicy(attempts: 2)
        call.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
        #expect(try await stubs.run { try await call.value() } == .init(name: "n"))
        #expect(stubs.calls.map(\.method) == [.get, .post, .get, .post, .post])
        #expect(stubs.calls.last?.headers["Authorization"] == "Bearer new")
    }

    @Test func `A persisted GraphQL query is not sent again after an error other than an unknown hash`() async {
        let stubs = Stubs()
        stubs.on(operation: "Item").answer(.json(#"{"errors": [{"message": "m"}]}"#))
        let call = Item()
        call.persistedQueries = .automatic
        await #expect(throws: GraphQLErrors.self) { try await stubs.run { try await call.value() } }
        #expect(stubs.calls.count == 1)
    }
}
