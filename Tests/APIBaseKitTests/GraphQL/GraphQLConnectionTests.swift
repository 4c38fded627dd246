import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import TestTiers
import Testing

/// Lists of a GraphQL API by cursors.
@Suite(.limited) struct GraphQLConnectionTests {
    private class BoardAPI: GraphQLAPI {
        override class var baseURL: URL? { URL(string: "https://board.example/graphql") }
    }

    private struct Tickets: Decodable {
        struct Node: Decodable { var id: Int }
        struct Connection: Decodable { var nodes: [Node?], pageInfo: PageInfo }
        var tickets: Connection
    }

    private final class TicketsQuery: BoardAPI, GraphQLConnectionRequest {
        typealias ModelType = Tickets
        static var pageInfo: KeyPath<Tickets, PageInfo> { \.tickets.pageInfo }
        static let query = "query Tickets($first: Int!, $after: String) { tickets { nodes { id } } }"
        init(_ after: String? = nil) {
            super.init(variables: ["first": 2 as JSONValue, "after": after.map(JSONValue.string) ?? .null])
        }

        let taken = Locked<[GraphQLErrors]>([])
        nonisolated(unsafe) var takesParts = false
        override func accept(_ errors: GraphQLErrors) throws {
            guard takesParts else { throw errors }
            taken.withLock { $0.append(errors) }
        }
    }

    /// A list whose cursor is named otherwise.
    private final class FromQuery: BoardAPI, GraphQLConnectionRequest {
        typealias ModelType = Tickets
        static var pageInfo: KeyPath<Tickets, PageInfo> { \.tickets.pageInfo }
        static let cursorVariable = "from"
        static let query = "query From($from: String) { tickets { nodes { id } } }"
        init() { super.init() }
    }

    private static func page(_ nodes: String, _ cursor: String?, next: Bool? = nil, errors: String? = nil) -> StubAnswer
    {
        let end = cursor.map { #""endCursor": "\#($0)", "# } ?? ""
        let errors = errors.map { #", "errors": [{"message": "\#($0)"}]"# } ?? ""
        let info = #"{\#(end)"hasNextPage": \#(next ?? (cursor != nil))}"#
        return .json(#"{"data": {"tickets": {"nodes": [\#(nodes)], "pageInfo": \#(info)}}\#(errors)}"#)
    }

    private static func variables(_ call: StubbedCall) throws -> JSONValue {
        let body = try JSONDecoder().decode(JSONValue.self, from: call.body)
        return try #require(body["variables"])
    }

    private func ids(_ list: some GraphQLConnectionRequest<Tickets, any Error>) async throws -> [Int] {
        var ids: [Int] = []
        for try await node in list.eachElement(\.tickets.nodes) { ids.append(node?.id ?? 0) }
        return ids
    }

    @Test func `A connection is read to its end, each page after the cursor of the one before`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Tickets").answer(
            inOrder: Self.page(#"{"id": 1}, {"id": 2}"#, "b"),
            Self.page("", "c"),
            Self.page(#"{"id": 3}"#, nil)
        )
        let found = try await stubs.run { try await ids(TicketsQuery("a")) }
        #expect(found == [1, 2, 3])
        #expect(
            try stubs.calls.map(Self.variables) == [
                ["first": 2, "after": "a"], ["first": 2, "after": "b"], ["first": 2, "after": "c"],
            ]
        )
        #expect(Set(stubs.calls.map { $0.url?.absoluteString }) == ["https://board.example/graphql"])
    }

    @Test func `The variable of the cursor can have another name`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "From").answer(inOrder: Self.page(#"{"id": 1}"#, "b"), Self.page(#"{"id": 2}"#, nil))
        let found = try await stubs.run { try await ids(FromQuery()) }
        #expect(found == [1, 2])
        #expect(try Self.variables(#require(stubs.calls.last)) == ["from": "b"])
    }

    @Test(arguments: [PersistedQueries.automatic, .registered])
    func `A connection with persisted queries has the cursor in each form of its calls`(form: PersistedQueries)
        async throws
    {
        let stubs = Stubs()
        let unknown = StubAnswer.json(
            #"{"errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}"#
        )
        stubs.on(.post).answer(Self.page(#"{"id": 2}"#, nil)).optional()
        if form == .automatic {
            stubs.on(.get).answer(inOrder: Self.page(#"{"id": 1}"#, "b"), unknown)
        } else {
            stubs.on(.get).answer(inOrder: Self.page(#"{"id": 1}"#, "b"), Self.page(#"{"id": 2}"#, nil))
        }
        let found = try await stubs.run {
            let query = TicketsQuery()
            query.persistedQueries = form
            return try await ids(query)
        }
        #expect(found == [1, 2])
        for call in stubs.calls.dropFirst() {
            let text =
                call.method == .get ? call.queryItem("variables") ?? "" : String(decoding: call.body, as: UTF8.self)
            #expect(text.contains(#""after":"b""#), "\(text)")
        }
    }

    @Test func `A connection with another page but no cursor fails with unreadablePage`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Tickets").answer(Self.page(#"{"id": 1}"#, nil, next: true))
        await #expect(throws: RequestError.unreadablePage("The server names no cursor for it.")) {
            try await stubs.run { try await ids(TicketsQuery()) }
        }
    }

    @Test func `A connection whose server gives the same cursor again fails with unreadablePage`() async throws {
        let stubs = Stubs()
        stubs.on(operation: "Tickets").answer(Self.page(#"{"id": 1}"#, "a"))
        await #expect(throws: RequestError.unreadablePage("A page before it has named the same one.")) {
            try await stubs.run { try await ids(TicketsQuery()) }
        }
        #expect(stubs.calls.count == 2)
    }

    @Test func `A page of a GraphQL list that is named by query items is refused and not sent`() async throws {
        final class Wrong: BoardAPI, GraphQLRequest, PagedRequest {
            typealias ModelType = Tickets
            static let query = "query Wrong { tickets { nodes { id } } }"
            init() { super.init() }
            func nextPage(after page: Tickets, _ response: HTTPURLResponse) -> NextPage? { .query(["after": "x"]) }
        }
        let stubs = Stubs()
        stubs.on().answer(Self.page(#"{"id": 1}"#, "a"))
        await #expect {
            try await stubs.run { for try await _ in Wrong().eachPage() {} }
        } throws: { error in
            guard case RequestError.unreadablePage(let reason) = error else { return false }
            return reason.contains("NextPage.variables(_:)")
        }
        #expect(stubs.calls.count == 1)
    }

    // MARK: Errors beside data

    @Test func `Errors of a page end the list, unless the class takes the rest of the data`() async throws {
        let answers = [
            Self.page(#"{"id": 1}"#, "b"), Self.page(#"null, {"id": 2}"#, "c", errors: "one is broken"),
            Self.page(#"{"id": 3}"#, nil),
        ]
        let strict = Stubs()
        strict.on().answer(inOrder: answers[0], answers[1])
        await #expect(throws: GraphQLErrors.self) { try await strict.run { try await ids(TicketsQuery()) } }

        let lenient = Stubs()
        lenient.on().answer(inOrder: answers[0], answers[1], answers[2])
        let query = TicketsQuery()
        query.takesParts = true
        let found = try await lenient.run { try await ids(query) }
        #expect(found == [1, 0, 2, 3])
        #expect(query.taken.withLock { $0 }.flatMap(\.errors).map(\.message) == ["one is broken"])
    }

    @Test(arguments: [
        #"{"data": null, "errors": [{"message": "no"}]}"#, #"{"errors": [{"message": "no"}]}"#,
        #"{"data": {"tickets": null}, "errors": [{"message": "no"}]}"#,
    ])
    func `A response with errors and too little data fails with them, also if the class takes parts`(body: String)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.json(body))
        let query = TicketsQuery()
        query.takesParts = true
        let error = await #expect(throws: GraphQLErrors.self) { try await stubs.run { try await ids(query) } }
        #expect(error?.errors.map(\.message) == ["no"])
    }
}
