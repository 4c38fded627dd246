import APIBaseStubs
import Testing

/// Stubs for GraphQL operations.
@Suite struct OperationTests {
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

    @Test(arguments: ["POST", "GET", "form"]) func anOperationIsFoundInEveryForm(form: String) async throws {
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

    @Test func theBodyHasToFitToo() async throws {
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
    func aMismatchNamesTheOperations(isNamed: Bool, found: String) async throws {
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
}
