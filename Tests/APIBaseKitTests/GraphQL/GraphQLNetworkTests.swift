import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Calls to a real server.
@Suite(.everySession, .limited) struct GraphQLNetworkTests {
    private class API: GraphQLAPI {
        init(_ server: ScriptedServer) {
            super.init(variables: ["id": 7])
            baseURL = server.url("/graphql")
            session = EverySession.current
        }
    }

    private final class Ship: API, GraphQLRequest {
        struct ModelType: Decodable, Equatable { var name: String }
        static let query = "query Ship($id: ID!) { name }"
    }

    private final class Build: API, GraphQLRequest {
        struct ModelType: Decodable, Equatable { var name: String }
        static let query = "mutation Build($id: ID!) { name }"
    }

    private static let type = "Content-Type: application/graphql-response+json"
    private static let found = reply("200 OK", [type], body: #"{"data": {"name": "n"}}"#)

    /// A server with these answers, the last of which it repeats.
    private func server(_ answers: String...) throws -> ScriptedServer {
        try ScriptedServer { _, connection, index in
            try connection.write(answers[min(index, answers.count - 1)])
        }
    }

    @Test func `A GraphQL query is sent by POST with its variables, and its data is decoded`() async throws {
        let server = try server(Self.found)
        defer { server.stop() }
        #expect(try await Ship(server).value() == .init(name: "n"))
        let request = try #require(server.requests.first)
        #expect(request.requestLine == "POST /graphql HTTP/1.1")
        let body = try JSONDecoder().decode(JSONValue.self, from: Data(request.body))
        #expect(body == ["query": .string(Ship.query), "operationName": "Ship", "variables": ["id": 7]])
    }

    @Test(arguments: ["200 OK", "422 Unprocessable Content"])
    func `A response with GraphQL errors fails the call with GraphQLErrors`(status: String) async throws {
        let server = try server(reply(status, [Self.type], body: #"{"errors": [{"message": "m"}], "data": null}"#))
        defer { server.stop() }
        let error = await #expect(throws: GraphQLErrors.self) { try await Ship(server).value() }
        #expect(error?.errors.map(\.message) == ["m"])
    }

    @Test func `A GraphQL query is retried after a 503, but a mutation only with an idempotency key`() async throws {
        func count(_ call: (ScriptedServer) async throws -> Void) async throws -> Int {
            let server = try server(reply("503 Service Unavailable"), Self.found)
            defer { server.stop() }
            try? await call(server)
            return server.requests.count
        }
        func retried<Call: API>(_ call: Call) -> Call {
            call.retry = RetryPolicy(backoff: .constant(.milliseconds(1)))
            return call
        }
        #expect(try await count { _ = try await retried(Ship($0)).value() } == 2)
        #expect(try await count { _ = try await retried(Build($0)).value() } == 1)
        #expect(
            try await count { server in
                let call = retried(Build(server))
                call.idempotencyKey = .automatic
                _ = try await call.value()
            } == 2
        )
    }

    @Test func `A GraphQL query is not retried after a 404`() async throws {
        let server = try server(reply("404 Not Found"))
        defer { server.stop() }
        let call = Ship(server)
        call.retry = RetryPolicy(backoff: .constant(.milliseconds(1)))
        await #expect(throws: RequestError.self) { try await call.value() }
        #expect(server.requests.count == 1)
    }

    @Test func `A GraphQL query that gets a 401 is sent again with a renewed token`() async throws {
        let server = try server(reply("401 Unauthorized"), Self.found)
        defer { server.stop() }
        let call = Ship(server)
        call.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
        #expect(try await call.value() == .init(name: "n"))
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    @Test func `A GraphQL response that is cut off fails the call with TransportError`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(String(Self.found.dropLast(3)))
            connection.close()
        }
        defer { server.stop() }
        await #expect(throws: TransportError.self) { try await Ship(server).value() }
    }

    @Test func `A GraphQL call canceled before the response throws CancellationError`() async throws {
        let arrived = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            arrived.set()
            connection.waitForTheEnd()
        }
        defer { server.stop() }
        let session = EverySession.current
        let task = Task {
            try await EverySession.$current.withValue(session) { try await Ship(server).value() }
        }
        try await arrived.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// A file is read while it is sent, by every engine.
    @Test func `A file in a GraphQL call is uploaded unchanged as a part of a multipart form`() async throws {
        final class Upload: GraphQLAPI, GraphQLRequest {
            typealias ModelType = Void
            static let query = "mutation Add($file: Upload!) { add(file: $file) { id } }"
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try ScriptedServer(
            always: reply("200 OK", ["Content-Type: application/json"], body: #"{"data": {}}"#)
        )
        defer { server.stop() }
        let call = Upload(files: ["variables.file": .file(file, type: "image/png")])
        (call.baseURL, call.session) = (server.url(""), EverySession.current)
        try await call.value()
        let sent = try #require(server.requests.first)
        let parts = try MultipartParser.parse(Data(sent.body), type: sent["Content-Type"])
        #expect(parts.last?.content == bytes && parts.last?.fileName == file.lastPathComponent)
    }
}
