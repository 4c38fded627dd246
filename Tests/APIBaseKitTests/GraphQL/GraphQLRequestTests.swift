import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// What a call sends.
@Suite(.limited) struct GraphQLRequestTests {
    private class ShopAPI: GraphQLAPI {
        override class var baseURL: URL? { URL(string: "https://shop.example/graphql") }
    }

    private final class AddToCart: ShopAPI, GraphQLRequest {
        struct Variables: Encodable {
            var itemID = 7
            var at = Date(timeIntervalSince1970: 0)
            var note: String?
        }
        typealias ModelType = JSONValue
        static let query = "mutation AddToCart($itemID: ID!) { add(itemID: $itemID) { count } }"
    }

    private final class Anonymous: ShopAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "{ items { name } }"
    }

    private final class Second: ShopAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "query A { a } mutation B { b }"
        static let operationName: String? = "B"
    }

    private final class NoQuery: ShopAPI, Request { typealias ModelType = JSONValue }

    private func sent(_ call: ShopAPI) async throws -> StubbedCall {
        let stubs = Stubs()
        stubs.on().answer(.json(#"{"data": {}}"#))
        call.session = stubs
        _ = try await call.decoded(JSONValue.self).values.first { _ in true }
        return try #require(stubs.calls.last)
    }

    @Test func `A GraphQL request has the query, the operation name and the variables in its body`() async throws {
        let call = AddToCart(variables: AddToCart.Variables())
        call.encoder.dateEncodingStrategy = .iso8601
        call.encoder.keyEncodingStrategy = .convertToSnakeCase
        let sent = try await sent(call)
        #expect(sent.method == .post && sent.url?.absoluteString == "https://shop.example/graphql")
        #expect(sent.headers["Content-Type"] == "application/json")
        #expect(sent.headers["Accept"] == "application/graphql-response+json, application/json")
        #expect(
            try sent.json(JSONValue.self, decoder: JSONDecoder()) == [
                "query": .string(AddToCart.query), "operationName": "AddToCart",
                "variables": ["item_id": 7, "at": "1970-01-01T00:00:00Z"],
            ]
        )
    }

    @Test func `A GraphQL request omits the operation name and the variables when it has neither`() async throws {
        #expect(String(decoding: try await sent(Anonymous()).body, as: UTF8.self) == #"{"query":"{ items { name } }"}"#)
        let second = try await sent(Second(variables: ["x": 1])).json(JSONValue.self)
        #expect(second == ["query": .string(Second.query), "operationName": "B", "variables": ["x": 1]])
    }

    @Test func `A GraphQL call without a query fails with invalidRequest`() async {
        await #expect(throws: RequestError.invalidRequest(.init(.body, .missing))) { try await NoQuery().value() }
    }

    @Test func `A GraphQL call fails with EncodingError when its variables cannot be encoded`() async {
        await #expect(throws: EncodingError.self) { try await AddToCart(variables: ["x": Double.nan]).value() }
        let upload = AddToCart(variables: ["x": Double.nan], files: ["variables.file": .data(Data())])
        await #expect(throws: EncodingError.self) { try await upload.value() }
    }

    @Test
    func `Files of a GraphQL call are uploaded in a multipart form after its operations and map fields`() async throws {
        let call = AddToCart(
            variables: ["title": JSONValue.string("T"), "photos": [nil]],
            files: [
                "variables.photos.0": .data(Data("one".utf8), type: "image/png"),
                "variables.photos.1": .data(Data("two".utf8)), "variables.input.cover": .data(Data("three".utf8)),
            ]
        )
        let sent = try await sent(call)
        let parts = try MultipartParser.parse(sent.body, type: sent.headers["Content-Type"])
        #expect(parts.map(\.name) == ["operations", "map", "0", "1", "2"])
        #expect(
            try JSONDecoder().decode(JSONValue.self, from: parts[0].content) == [
                "query": .string(AddToCart.query), "operationName": "AddToCart",
                "variables": ["title": "T", "photos": [nil, nil], "input": ["cover": nil]],
            ]
        )
        #expect(
            try JSONDecoder().decode(JSONValue.self, from: parts[1].content) == [
                "0": ["variables.input.cover"], "1": ["variables.photos.0"], "2": ["variables.photos.1"],
            ]
        )
        #expect(parts.dropFirst(2).map { String(decoding: $0.content, as: UTF8.self) } == ["three", "one", "two"])
        #expect(parts.dropFirst(2).map(\.fileName) == ["cover", "0", "1"])
        #expect(parts[3].type == "image/png")
        #expect(sent.operationName == "AddToCart")
    }
}
