import APIBaseKit
import APIBaseStubs
import Foundation
import Testing

/// A kind of call: a row of the table of pairs.
///
/// All of them are calls to one server, ``PairServer``, so that a feature can be set for any of them.
struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes a request object, with a setting, and what runs it and gives its result as a text.
    let make: @Sendable ((JSONAPI) -> Void) -> @Sendable () async throws -> String
    /// The result.
    let result: String
    /// The requests that it sends.
    let requests: [String]

    private init<Object: JSONAPI>(
        _ name: String,
        _ requests: [String],
        result: String,
        _ make: @escaping @Sendable () -> Object,
        _ run: @escaping @Sendable (Object) async throws -> String
    ) {
        testDescription = name
        (self.requests, self.result) = (requests, result)
        self.make = { change in
            let object = make()
            change(object)
            // Only the runner uses it from here on.
            nonisolated(unsafe) let own = object
            return { try await run(own) }
        }
    }

    static let leaf = Kind("leaf", ["GET /item"], result: "7", Item.init) { "\(try await $0.value())" }

    static let call = Kind("one-line call", ["GET /item"], result: "7", { PairAPI(.get("/item")) }) {
        "\(try await $0.call(Int.self).value())"
    }

    static let pages = Kind("pages", ["GET /items", "GET /items?after=1"], result: "1 2", Items.init) { list in
        var found: [String] = []
        for try await item in list.eachElement() { found.append("\(item)") }
        return found.joined(separator: " ")
    }

    static let poll = Kind("poll", ["POST /exports", "GET /exports/7"], result: "done", Export.init) {
        try await $0.result(within: .seconds(60)).state
    }

    static let events = Kind("events", ["POST /chat"], result: "1 2", Chat.init) { chat in
        var found: [String] = []
        for try await value in chat.eachValue() { found.append("\(value)") }
        return found.joined(separator: " ")
    }

    static let download = Kind("download", ["GET /file"], result: "bytes", File.init) { file in
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = try await file.downloaded(to: folder.appendingPathComponent("file"))
        return try String(contentsOf: url, encoding: .utf8)
    }

    static let graphQL = Kind("GraphQL", ["POST /graphql"], result: "3", Ship.init) { "\(try await $0.value().count)" }

    static let connection = Kind(
        "GraphQL list",
        ["POST /graphql", "POST /graphql"],
        result: "1 2",
        Crew.init
    ) { list in
        var found: [String] = []
        for try await member in list.eachElement(\.crew.nodes) { found.append("\(member)") }
        return found.joined(separator: " ")
    }

    static let update = Kind("update", ["GET /note", "PUT /note"], result: "2", Note.init) {
        "\(try await $0.update { $0 += 1 })"
    }

    static let all = [leaf, call, pages, poll, events, download, graphQL, connection, update]
}

// MARK: The leaves

private class PairAPI: JSONAPI {
    override class var baseURL: URL? { PairServer.url }
}

private final class Item: PairAPI, Request {
    typealias ModelType = Int
    override init() { super.init(.get("/item")) }
}

private final class Items: PairAPI, PagedRequest {
    typealias ModelType = [Int]
    override init() { super.init(.get("/items")) }
    func nextPage(after page: [Int], _ response: HTTPURLResponse) -> NextPage? {
        page == [1] ? .query(["after": "1"]) : nil
    }
}

private final class Export: PairAPI, PolledRequest {
    struct ModelType: Decodable { var state: String }
    override init() { super.init(.post("/exports")) }
}

private final class Chat: PairAPI, EventRequest {
    typealias EventType = Int
    override init() { super.init(.post("/chat")) }
}

private final class File: PairAPI, Request {
    typealias ModelType = Data
    override init() {
        super.init(.get("/file"))
        acceptedTypes = ["*/*"]
    }
}

private class PairGraphQLAPI: GraphQLAPI {
    override class var baseURL: URL? { PairServer.url?.appendingPathComponent("graphql") }
}

private final class Ship: PairGraphQLAPI, GraphQLRequest {
    struct ModelType: Decodable { var count: Int }
    static let query = "query Ship { count }"
    init() { super.init() }
}

private final class Crew: PairGraphQLAPI, GraphQLConnectionRequest {
    struct ModelType: Decodable { var crew: Connection }
    struct Connection: Decodable { var nodes: [Int], pageInfo: PageInfo }
    static var pageInfo: KeyPath<ModelType, PageInfo> { \.crew.pageInfo }
    static let query = "query Crew($after: String) { crew(after: $after) { nodes pageInfo { hasNextPage endCursor } } }"
    init() { super.init() }
}

private final class Note: PairAPI, Request {
    typealias ModelType = Int
    override init() { super.init(.get("/note")) }
}
