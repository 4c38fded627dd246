// swift-format-ignore-file
// The samples of the article on GraphQL.

import APIBaseTesting
import TestTiers
import Testing

// sample x
class SpaceAPI: GraphQLAPI {
    override class var baseURL: URL? { URL(string: "https://space.example/graphql") }
}

final class ShipQuery: SpaceAPI, GraphQLRequest {
    struct ModelType: Decodable { var ship: Ship? }
    static let query = "query Ship($id: ID!) { ship(id: $id) { name } }"
    init(id: String) { super.init(variables: ["id": id]) }
}
// end

struct Ship: Decodable, Equatable { var name: String }

// sample x
final class FleetQuery: SpaceAPI, GraphQLRequest {
    struct Variables: Encodable { var port: String, first: Int }
    struct ModelType: Decodable { var ships: [Ship] }
    static let operationName: String? = "Fleet"
    static let query = """
        query Ports { ports { name } }
        query Fleet($port: String!, $first: Int) { ships(port: $port, first: $first) { name } }
        """
    init(port: String, first: Int) { super.init(variables: Variables(port: port, first: first)) }
}
// end

// sample x
final class CrewQuery: SpaceAPI, GraphQLConnectionRequest {
    struct ModelType: Decodable { var crew: Crew }
    struct Crew: Decodable { var nodes: [Member], pageInfo: PageInfo }
    struct Member: Decodable { var name: String }

    static var pageInfo: KeyPath<ModelType, PageInfo> { \.crew.pageInfo }
    static let query = """
        query Crew($first: Int!, $after: String) {
          crew(first: $first, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } }
        }
        """
    init() { super.init(variables: ["first": 50]) }
}

func namesOfCrew() async throws -> [String] {
    var names: [String] = []
    for try await member in CrewQuery().eachElement(\.crew.nodes) { names.append(member.name) }
    return names
}
// end

@Suite(.limited) struct CrewSampleTests {
    @Test(
        .stubs { stubs in
            stubs.on(operation: "Crew").answer { call in
                let isFirst = !String(decoding: call.body, as: UTF8.self).contains(#""after""#)
                let info = isFirst ? #"{"hasNextPage": true, "endCursor": "a"}"# : #"{"hasNextPage": false}"#
                return .json(#"{"data": {"crew": {"nodes": [{"name": "\#(isFirst ? "one" : "two")"}], "pageInfo": \#(info)}}}"#)
            }
        }
    )
    func `The sample with a connection reads the names of both pages`() async throws {
        #expect(try await namesOfCrew() == ["one", "two"])
    }
}

// sample x
final class AddPhotoMutation: SpaceAPI, GraphQLRequest {
    typealias ModelType = Void
    static let query = "mutation AddPhoto($photo: Upload!) { addPhoto(photo: $photo) { id } }"
    init(_ file: URL) { super.init(files: ["variables.photo": .file(file, type: "image/jpeg")]) }
}
// end

// sample x
func nameOfShip(id: String) async throws -> String? {
    do {
        return try await ShipQuery(id: id).value().ship?.name
    } catch let error as GraphQLErrors where error.errors.contains(where: { $0.code == "NOT_FOUND" }) {
        return nil
    } catch let error as GraphQLErrors where error.data != nil {
        return try error.decode(ShipQuery.ModelType.self).ship?.name
    }
}
// end

// sample x
class CachedSpaceAPI: SpaceAPI {
    override func configure() {
        super.configure()
        persistedQueries = .automatic
    }
}
// end

final class CachedShipQuery: CachedSpaceAPI, GraphQLRequest {
    typealias ModelType = JSONValue
    static let query = "query Ship { ship { name } }"
}

@Suite(.limited) struct GraphQLSampleTests {
    @Test func `The sample with two GraphQL operations sends the chosen operation and its variables`() async throws {
        let stubs = Stubs()
        let fleet = stubs.on(operation: "Fleet").answer(.json(#"{"data": {"ships": [{"name": "Ever Given"}]}}"#))
        let ships = try await stubs.run { try await FleetQuery(port: "Suez", first: 3).value().ships }
        #expect(ships == [Ship(name: "Ever Given")])
        let sent = try #require(try fleet.calls.first?.json(JSONValue.self))
        #expect(sent["variables"] == ["port": "Suez", "first": 3])
    }

// sample x
    @Test func `The GraphQL sample returns the name of a ship`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Ship").answer(.json(#"{"data": {"ship": {"name": "Ever Given"}}}"#))
        let name = try await stubs.run { try await nameOfShip(id: "7") }
        #expect(name == "Ever Given")
    }
// end

    @Test(arguments: [
        (#"{"errors": [{"message": "m", "extensions": {"code": "NOT_FOUND"}}]}"#, nil),
        (#"{"errors": [{"message": "m"}], "data": {"ship": {"name": "Half"}}}"#, "Half"),
    ])
    func `The GraphQL sample returns nil for NOT_FOUND and the partial data of another error`(body: String, name: String?) async throws {
        let stubs = Stubs()
        stubs.on(operation: "Ship").answer(.json(body))
        #expect(try await stubs.run { try await nameOfShip(id: "7") } == name)
    }

    @Test func `The GraphQL samples upload a photo by POST and send a persisted query by GET`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "AddPhoto").answer(.json(#"{"data": {"addPhoto": {"id": 1}}}"#))
        stubs.on(operation: "Ship").answer(.json(#"{"data": {}}"#))
        let file = URL(fileURLWithPath: #filePath)
        try await stubs.run {
            try await AddPhotoMutation(file).value()
            _ = try await CachedShipQuery().value()
        }
        #expect(stubs.calls.map(\.method) == [.post, .get])
    }
}
