import APIBaseStubs
import TestTiers
import Testing

/// Stubs for GraphQL operations.
@Suite(.limited) struct GraphQLOperationStubTests {
    private final class Hero: GraphQLAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "query Hero { hero }"
        override class var baseURL: URL? { URL(string: "https://api.example/graphql") }
    }

    private final class Anonymous: GraphQLAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "{ operationName }"
        override class var baseURL: URL? { URL(string: "https://api.example/graphql") }
    }

    @Test(arguments: ["POST", "GET", "form"])
    func `A stub for a GraphQL operation answers requests by POST, by GET and by multipart form`(form: String)
        async throws
    {
        let stubs = Stubs()
        stubs.on(operation: "Villain").optional().answer(.status(500))
        stubs.on(operation: "Hero").answer(.json(#"{"data": 1}"#))
        let call =
            form == "form"
            ? Hero(files: ["variables.operationName": .data(Data(#"{"operationName": "Villain"}"#.utf8))]) : Hero()
        if form == "GET" { call.persistedQueries = .registered }
        #expect(try await stubs.run { try await call.value() } == 1)
        #expect(stubs.calls.map(\.operationName) == ["Hero"])
    }

    @Test func `A stub with a GraphQL operation and a body pattern answers only when both match`() async throws {
        let stubs = Stubs()
        let seven = BodyPattern.json(containing: #"{"variables": {"id": 7}}"#)
        stubs.on(operation: "Hero", body: seven).answer(.json(#"{"data": 7}"#))
        stubs.on(operation: "Hero").answer(.json(#"{"data": 8}"#))
        let values = try await stubs.run {
            [try await Hero(variables: ["id": 8]).value(), try await Hero(variables: ["id": 7]).value()]
        }
        #expect(values == [8, 7])
    }

    @Test(arguments: [(true, "“Hero”"), (false, "missing")])
    func `The error for an unmatched GraphQL request names its operation and the operation of the stub`(
        isNamed: Bool,
        found: String
    )
        async throws
    {
        let stubs = Stubs()
        stubs.on(operation: "Villain").optional().answer(.status(500))
        await #expect {
            try await stubs.runUnchecked {
                _ = isNamed ? try await Hero().value() : try await Anonymous().value()
            }
        } throws: { error in
            guard case StubProblem.unmatched(_, let nearest) = error else { return false }
            return nearest.map(\.stub) == ["Villain"]
                && nearest.first?.mismatches.map(\.description) == ["operation is \(found), not “Villain”"]
        }
    }

    @Test func `The error for an unmatched GraphQL request suggests a stub for its operation`() async throws {
        await #expect {
            try await Stubs().runUnchecked { _ = try await Hero().value() }
        } throws: { error in
            error.localizedDescription == """
                No stub answers POST https://api.example/graphql (operation Hero). There are no stubs.
                To answer it: stubs.on(operation: "Hero").answer(…)
                """
        }
    }

    private final class Post: APIBase, Request {
        init(_ body: Data, type: String) {
            super.init()
            (baseURL, method, path) = (URL(string: "https://api.example"), .post, "/graphql")
            content = .data(body, type: type)
        }

        func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }
    }

    /// Requests that name no operation, or name it where it does not count.
    @Test(
        arguments: [
            ("", "application/json"), ("operationName", "application/json"), (#""operationName""#, "application/json"),
            (#"["operationName", "Hero"]"#, "application/json"), (#"{"operationName": 7}"#, "application/json"),
            (#"{"operationName": null}"#, "application/json"), (#"{"operationName": ["Hero"]}"#, "application/json"),
            (#"{"operationName": "hero"}"#, "application/json"), (#"{"operationName": "Hero "}"#, "application/json"),
            (#"{"operationName": "Hero""#, "application/json"),
            (#"{"a": {"operationName": "Hero"}}"#, "application/json"),
            ("operationName=Hero", "application/x-www-form-urlencoded"),
            (String(repeating: "[", count: 50_000) + "operationName", "application/json"),
            ("--a\r\nContent-Disposition: form-data; name=\"operations\"\r\n", "multipart/form-data; boundary=a"),
            ("name=\"operations\"operationName", "multipart/form-data; boundary=a"),
            ("name=\"operations\"\r\n\r\n\r\n--operationName", "multipart/form-data; boundary=a"),
        ]
    )
    func `A stub for a GraphQL operation ignores a request without a valid operationName`(body: String, type: String)
        async throws
    {
        let stubs = Stubs()
        stubs.on(operation: "Hero").optional().answer(.status(200))
        stubs.on(.post, "/graphql").answer(.status(204))
        let status = try await stubs.run { try await Post(Data(body.utf8), type: type).value() }
        #expect(status == 204)
    }

    /// A body that is no text, and a name among 4 MB.
    @Test func `A stub for a GraphQL operation finds the operation's name in a body of 4 MB`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Hero").answer(.status(200))
        stubs.on(.post, "/graphql").answer(.status(204))
        let large = #"{"variables": "\#(String(repeating: "x", count: 4_000_000))", "operationName": "Hero"}"#
        let statuses = try await stubs.run {
            [
                try await Post(Data(large.utf8), type: "application/json").value(),
                try await Post(Data([0xFF, 0xFE]) + Data("operationName".utf8), type: "application/json").value(),
            ]
        }
        #expect(statuses == [200, 204])
    }
}
