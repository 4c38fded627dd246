import APIBaseInspector
import APIBaseKit
import APIBaseStubs
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The attempts of calls that send further requests.
@Suite(.tags(.concurrent), .limited) struct CallTrackerTests {
    private let inspector: Inspector

    init() throws { inspector = try Inspector() }

    private static let text = "sixteen letters."
    private static let long = String(repeating: "x", count: 102)

    /// The sizes of the bodies of the responses, and the text of the last one.
    private func sizes(_ call: ShownCall) -> [Int?] { call.attempts.map { $0.entry?.response?.content?.size } }

    @Test func `The inspector shows the size of each response after a refreshed token`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let isNew = request["Authorization"] == "Bearer new"
            try connection.write(isNew ? reply(body: Self.text) : reply("401 Unauthorized", body: Self.long))
        }
        defer { server.stop() }
        let tokens = TokenSource(Token("old")) { _ in Token("new") }
        let book = Book(inspector) { ($0.baseURL, $0.authorization) = (server.url(""), .tokens(tokens)) }
        #expect(try await book.value() == Self.text)
        let call = try await Page(inspector).call()
        #expect(sizes(call) == [102, 16])
        #expect(call.attempts.map { $0.entry?.response?.content?.text } == [nil, Self.text])
        #expect(call.attempts.map { $0.entry?.comment } == ["Only the size of the body is known.", nil])
    }

    @Test func `The inspector shows the size of each response of a redirect with a body`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let isFirst = request.target == "/books/7"
            let redirect = reply("307 Temporary Redirect", ["Location: /books/8"], body: Self.long)
            try connection.write(isFirst ? redirect : reply(body: Self.text))
        }
        defer { server.stop() }
        #expect(try await Book(inspector) { $0.baseURL = server.url("") }.value() == Self.text)
        let call = try await Page(inspector).call()
        #expect(sizes(call) == [102, 16])
        #expect(call.attempts.map { $0.entry?.response?.content?.text } == [nil, Self.text])
    }

    @Test func `The inspector shows the size of a stream alone after a refreshed token`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            let isNew = request["Authorization"] == "Bearer new"
            try connection.write(isNew ? reply(body: Self.text) : reply("401 Unauthorized", body: Self.long))
        }
        defer { server.stop() }
        let tokens = TokenSource(Token("old")) { _ in Token("new") }
        let book = Book(inspector) { ($0.baseURL, $0.authorization) = (server.url(""), .tokens(tokens)) }
        for try await line in book.eachLine() { #expect(line == Self.text) }
        let call = try await Page(inspector).call()
        #expect(sizes(call) == [102, 16])
        #expect(call.last?.comment == "The body was read as a stream.")
    }

    private final class Ship: GraphQLAPI, GraphQLRequest {
        struct ModelType: Decodable, Sendable { var ship: String }
        static let query = "query Ship { ship }"
        private let inspector: Inspector

        init(_ inspector: Inspector) {
            self.inspector = inspector
            super.init()
            persistedQueries = .automatic
        }

        override func report(_ event: CallEvent) { inspector.report(event) }
    }

    @Test func `The inspector shows both requests of a persisted query whose hash the server does not know`()
        async throws
    {
        let unknown = #"{"errors": [{"message": "PersistedQueryNotFound"}]}"#
        let found = #"{"data": {"ship": "Sirius"}}"#
        let server = try ScriptedServer { request, connection, _ in
            let isHash = request.method == "GET"
            try connection.write(reply("200 OK", ["Content-Type: application/json"], body: isHash ? unknown : found))
        }
        defer { server.stop() }
        let ship = Ship(inspector)
        ship.baseURL = server.url("/graphql")
        #expect(try await ship.value().ship == "Sirius")
        let call = try await Page(inspector).call()
        #expect(call.attempts.map { $0.entry?.request.method } == ["GET", "POST"])
        #expect(call.attempts.map(\.reason) == ["200, sent again", nil])
        #expect(call.attempts.map(\.number) == [1, 1])
        #expect(sizes(call) == [unknown.utf8.count, found.utf8.count])
        #expect(call.attempts.last?.entry?.response?.content?.text == found)
    }

    @Test func `The inspector shows an error to its end when its URL has a secret`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.fault(.connectionLost))
        let book = Book(inspector) { $0.queryItems = [URLQueryItem(name: "api_key", value: "k-123456789")] }
        _ = try? await stubs.run { try await book.value() }
        let call = try await Page(inspector).call()
        #expect(call.error == "The connection was lost (http://books.example/v2/books/7?api_key=redacted)")
    }
}
