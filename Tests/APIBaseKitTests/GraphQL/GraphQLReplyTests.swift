import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// What comes of a response.
@Suite(.limited) struct GraphQLReplyTests {
    private final class Hero: GraphQLAPI, GraphQLRequest {
        struct ModelType: Decodable, Equatable {
            struct Character: Decodable, Equatable { var name: String }
            var hero: Character?
        }
        static let query = "query Hero { hero { name } }"
    }

    private final class Bytes: GraphQLAPI, GraphQLRequest {
        typealias ModelType = Data
        static let query = "query Bytes { a }"
    }

    private final class Nothing: GraphQLAPI, GraphQLRequest {
        typealias ModelType = Void
        static let query = "mutation Nothing { a }"
    }

    private static let ownType: HTTPHeaders = ["Content-Type": "application/graphql-response+json; charset=utf-8"]

    private func value<Call: GraphQLRequest>(
        _ call: Call,
        _ body: String,
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) async throws -> Call.ModelType {
        let stubs = Stubs()
        stubs.on(operation: Call.operationName ?? "").answer(.json(body, status: status, headers: headers))
        call.baseURL = URL(string: "https://api.example/graphql")
        call.session = stubs
        return try await call.value()
    }

    @Test(arguments: [
        (#"{"data": {"hero": {"name": "R2-D2"}}}"#, "R2-D2"),
        (#"{"errors": [], "data": {"hero": {"name": "R2-D2"}}}"#, "R2-D2"),
        (#"{"errors": null, "data": {"hero": null}, "extensions": {"cost": 1}}"#, nil),
        (#" { "d\u0061ta" : { "hero": null } } "#, nil),
    ])
    func `The data of a GraphQL response without errors is decoded as the value of the call`(
        body: String,
        name: String?
    ) async throws {
        #expect(try await value(Hero(), body).hero?.name == name)
        #expect(try await value(Hero(), body, headers: Self.ownType).hero?.name == name)
        let foundation = Hero()
        foundation.usesStrictJSON = false
        #expect(try await value(foundation, body).hero?.name == name)
    }

    @Test(arguments: [
        (#"{"errors": [{"message": "m"}]}"#, nil),
        (#"{"errors": [{"message": "m"}], "data": null}"#, nil),
        (#"{"data": {"hero": null}, "errors": [{"message": "m"}]}"#, #"{"hero": null}"#),
        (
            #"{"x": {"data": 1}, "y": "\",\"data\":2}", "data" : [ "}", {"z": "]"} ] , "errors":[{"message":"m"}]}"#,
            #"[ "}", {"z": "]"} ]"#
        ),
        (#"{"data": 7, "errors": [{"message": "m"}]}"#, "7"),
        (#"{"errors": [{"message": "m"}],"data": "a\\"}"#, #""a\\""#),
    ])
    func `A GraphQL response with errors throws GraphQLErrors, which keep its data as raw bytes`(
        body: String,
        data: String?
    )
        async throws
    {
        for (status, headers) in [(200, [:]), (200, Self.ownType), (400, Self.ownType), (500, Self.ownType)] {
            let error = await #expect(throws: GraphQLErrors.self) {
                try await value(Hero(), body, status: status, headers: headers)
            }
            #expect(error?.errors.map(\.message) == ["m"])
            #expect(error?.data.map { String(decoding: $0, as: UTF8.self) } == data)
        }
        await #expect(throws: GraphQLErrors.self) { try await value(Nothing(), body) }
        await #expect(throws: GraphQLErrors.self) { try await value(Bytes(), body) }
    }

    @Test func `GraphQLErrors has the message, locations, path and extensions of each error`() async throws {
        let body = #"""
            {"errors": [{"message": "Not found", "locations": [{"line": 6, "column": 7}], "path": ["hero", 1, "name"],
            "extensions": {"code": "NOT_FOUND", "n": 1}}, {"message": 5, "path": "x", "locations": null,
            "extensions": []}], "data": {"hero": {"name": "a"}}}
            """#
        let error = try #require(
            await #expect(throws: GraphQLErrors.self) { try await value(Hero(), body) }
        )
        #expect(error.errors[0].message == "Not found" && error.errors[0].code == "NOT_FOUND")
        #expect(error.errors[0].locations.map(\.line) == [6] && error.errors[0].locations.map(\.column) == [7])
        #expect(error.errors[0].path == ["hero", 1, "name"])
        #expect(error.errors[0].extensions == ["code": "NOT_FOUND", "n": 1])
        let other = error.errors[1]
        #expect(other.message.isEmpty && other.path.isEmpty && other.locations.isEmpty && other.extensions.isEmpty)
        #expect(try error.decode(Hero.ModelType.self) == .init(hero: .init(name: "a")))
        #expect(error.localizedDescription == "The response has errors: “Not found” (NOT_FOUND), “”.")
    }

    @Test func `Partial data of GraphQLErrors is decoded with the decoder of the API`() async throws {
        let call = Hero()
        call.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let error = await #expect(throws: GraphQLErrors.self) {
            try await value(call, #"{"data": {"is_new": true}, "errors": [{"message": "m"}]}"#)
        }
        struct New: Decodable { var isNew: Bool }
        #expect(try error?.decode(New.self).isNew == true)
        let none = await #expect(throws: GraphQLErrors.self) { try await value(Hero(), #"{"errors": [{}]}"#) }
        #expect(throws: DecodingError.self) { try none?.decode(New.self) }
    }

    @Test func `The description of GraphQLErrors is short and contains no secrets`() async throws {
        let text = "bad\\n token=abcdef0123456789 " + String(repeating: "x", count: 1_000)
        let errors = Array(repeating: #"{"message": "\#(text)"}"#, count: 5).joined(separator: ",")
        let error = try #require(
            await #expect(throws: GraphQLErrors.self) { try await value(Hero(), #"{"errors": [\#(errors)]}"#) }
        )
        let description = error.description
        #expect(!description.contains("abcdef") && !description.contains("\n"))
        #expect(description.count < 1_100 && description.contains("and 2 more"))
    }

    @Test(arguments: [
        (#"{}"#, "", "the key “data”"), (#"{"data": null}"#, "data", "an object"), ("[]", "", "an object"),
        (#"{"data": {"hero": {"name": 7}}}"#, "data.hero.name", "String"),
        (#"{"data": {"hero": {}}}"#, "data.hero", "the key “name”"),
        (#"{"data": 1, "errors": {}}"#, "errors", "an array"),
        (#"{"data": {}, "errors": ["m"]}"#, "errors[0]", "an object"), (#"{"data": {"hero": {"#, "", "JSON"),
        ("", "", "JSON"), ("<html>", "", "JSON"),
        (String(repeating: #"{"data":"#, count: 100_000), "", "JSON"),
    ])
    func `A body that is no GraphQL response fails with undecodable, which names the faulty place`(
        body: String,
        place: String,
        expected: String
    ) async throws {
        let error = await #expect(throws: RequestError.self) { try await value(Hero(), body) }
        guard case .undecodable(let reply) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reply.place == place)
        #expect(reply.expected.contains(expected), "\(reply)")
    }

    @Test(
        arguments: [
            (400, #"{"errors": [{"message": "m"}]}"#, [:]), (502, "<html>", ["Content-Type": "text/html"]),
            (500, "{}", Self.ownType), (500, "cut o", Self.ownType), (500, #"{"errors": []}"#, Self.ownType),
        ] as [(Int, String, HTTPHeaders)]
    )
    func `A failure status without a GraphQL response fails with httpFailure`(
        status: Int,
        body: String,
        headers: HTTPHeaders
    ) async throws {
        let error = await #expect(throws: RequestError.self) {
            try await value(Hero(), body, status: status, headers: headers)
        }
        guard case .httpFailure(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.statusCode == status)
    }

    @Test func `A GraphQL response whose Content-Type is HTML fails with contentTypeMismatch`() async {
        await #expect {
            try await value(Hero(), #"{"data": {}}"#, headers: ["Content-Type": "text/html"])
        } throws: { error in
            if case RequestError.contentTypeMismatch = error { true } else { false }
        }
    }

    @Test func `A GraphQL call returns the raw data for the model type Data and nothing for Void`() async throws {
        let body = #"{"data": {"a" : 1.0}, "extensions": {}}"#
        #expect(try await value(Bytes(), body) == Data(#"{"a" : 1.0}"#.utf8))
        try await value(Nothing(), body)
        await #expect(throws: RequestError.self) { try await value(Nothing(), "{}") }
        await #expect(throws: RequestError.self) { try await value(Bytes(), #"{"data": null}"#) }
    }

    @Test func `GraphQLErrors keeps the data of a response of several megabytes`() async throws {
        let text = String(repeating: "abc\\\"}", count: 1 << 20)
        let error = await #expect(throws: GraphQLErrors.self) {
            try await value(Hero(), #"{"errors": [{"message": "m"}], "data": {"text": "\#(text)"}}"#)
        }
        #expect(error?.data?.count == text.utf8.count + 12)
    }
}
