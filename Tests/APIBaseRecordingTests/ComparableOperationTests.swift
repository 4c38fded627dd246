import APIBaseRecording
import Basics
import Foundation
import TestTiers
import Testing

/// Recordings of GraphQL, whose operations have one method and one URL.
@Suite(.limited) struct ComparableOperationTests {
    private class SpaceAPI: GraphQLAPI {
        override class var baseURL: URL? { URL(string: "http://space.example/graphql") }
    }

    private final class Ship: SpaceAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "query Ship($id: ID!, $key: String) { ship(id: $id) { name } }"
        init(_ id: String, key: String? = nil) { super.init(variables: ["id": id, "apiKey": key]) }
    }

    private final class Port: SpaceAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "query Port { port { name } }"
    }

    private final class Unnamed: SpaceAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "{ moon { name } }"
    }

    private final class AddPhoto: SpaceAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "mutation AddPhoto($ship: ID!, $photo: Upload!) { addPhoto(ship: $ship, photo: $photo) }"
        init(_ ship: String) {
            super.init(
                variables: ["ship": ship],
                files: ["variables.photo": .data(Data("photo".utf8), type: "image/png")]
            )
        }
    }

    private let folder = TemporaryFolder()

    /// A server that answers each call with its number.
    private static func network() -> FakeNetwork {
        let count = Counter()
        return FakeNetwork { _ throws(TransportError) in
            .init(#"{"data": \#(count.next())}"#, headers: ["Content-Type": "application/json"])
        }
    }

    /// Records these calls, and gives a replay of them.
    private func replay(
        matching criteria: Set<Recording.Criterion> = .default,
        _ record: () async throws -> Void
    ) async throws -> Recording {
        try await Recording(file: folder.file(), over: Self.network()).run(record)
        return try Recording(file: folder.file(), mode: .replay, matching: criteria)
    }

    @Test func `A replay answers a GraphQL call with the entry of its operation and its variables`() async throws {
        let replay = try await replay {
            for id in ["7", "8"] { _ = try await Ship(id).value() }
            _ = try await Port().value()
            _ = try await Unnamed().value()
            for id in ["7", "8"] { _ = try await AddPhoto(id).value() }
        }
        let values = try await replay.run {
            try await [
                AddPhoto("8").value(), Unnamed().value(), Port().value(), Ship("8").value(), AddPhoto("7").value(),
                Ship("7").value(),
            ]
        }
        #expect(values == [6, 4, 3, 2, 5, 1])
    }

    @Test func `A replay answers a GraphQL call whose variables differ in a secret only`() async throws {
        let replay = try await replay { _ = try await Ship("7", key: "old-secret").value() }
        #expect(try await replay.run { try await Ship("7", key: "another").value() } == 1)
    }

    @Test func `A replay's error for an unmatched GraphQL call names its operation and variables`() async throws {
        let replay = try await replay {
            _ = try await Ship("7").value()
            _ = try await Port().value()
        }
        let error = await #expect(throws: RecordingError.self) { try await replay.run { try await Ship("8").value() } }
        #expect(
            error?.localizedDescription == """
                No entry of test.har answers POST http://space.example/graphql. What it has:
                  entry 1, POST http://space.example/graphql: variables.id is “8”, not “7”
                  entry 2, POST http://space.example/graphql: operation is “Ship”, not “Port”; variables.apiKey is \
                another, not the secret that the stub wants
                """
        )
    }

    @Test func `A replay without the criterion of operations answers GraphQL calls in their order`() async throws {
        let replay = try await replay(matching: [.method, .origin, .path, .query]) {
            for id in ["7", "8"] { _ = try await Ship(id).value() }
        }
        #expect(try await replay.run { try await Ship("8").value() } == 1)
    }

    @Test func `A recorded entry without a request body answers GraphQL calls of any operation`() async throws {
        func entry(_ number: Int, _ body: String = "") -> String {
            #"""
            {"request": {"method": "POST", "url": "http://space.example/graphql"\#(body)}, "response": {"status": 200,
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "content": {"mimeType": "application/json", "text": "{\"data\": \#(number)}"}}}
            """#
        }
        let ship = #", "postData": {"mimeType": "application/json", "text": "{\"operationName\": \"Ship\"}"}"#
        let file = try folder.write(#"{"log": {"entries": [\#(entry(1)), \#(entry(2, ship)), \#(entry(3))]}}"#)
        let replay = try Recording(file: file, mode: .replay)
        #expect(try await replay.run { try await [Ship("7").value(), Port().value()] } == [1, 3])
        let error = await #expect(throws: RecordingError.self) { try await replay.run { try await Port().value() } }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("entry 1, POST http://space.example/graphql: has answered before"), "\(text)")
        #expect(text.contains("entry 2, POST http://space.example/graphql: operation is “Port”, not “Ship”"), "\(text)")
    }

    @Test func `A replay compares no operation of a JSON body that is no GraphQL call`() async throws {
        let replay = try await replay {
            _ = try await Fetch("/search", .post, body: #"{"query": "ships", "variables": 1}"#).value()
        }
        let search = Fetch("/search", .post, body: #"{"query": "ports", "variables": 2}"#)
        #expect(try await replay.run { try await search.value() } == #"{"data": 1}"#)
    }
}

private final class Counter: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
