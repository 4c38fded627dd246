import Foundation
import Testing

@testable import OpenAPIDocument

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct SampleTests {
    @Test(arguments: [
        #"{"type": "integer", "minimum": 7}"#, #"{"type": "integer", "exclusiveMinimum": 7, "multipleOf": 5}"#,
        #"{"type": "number", "maximum": -2.5}"#, #"{"type": "string", "minLength": 5, "maxLength": 6}"#,
        #"{"type": "string", "format": "date-time"}"#, #"{"type": "string", "format": "uuid"}"#,
        #"{"type": "string", "pattern": "^[A-Z]+$"}"#, #"{"type": "string", "pattern": "^[0-9]{3}$"}"#,
        #"{"type": "string", "pattern": "^[A-Z]{3}$"}"#, #"{"type": "string", "pattern": "^[0-9a-f]{40}$"}"#,
        #"{"enum": ["a", "b"]}"#, #"{"const": 5}"#, #"{"type": ["null", "boolean"]}"#,
        #"{"type": "array", "minItems": 2, "items": {"type": "string"}}"#,
        #"{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}}}"#,
        ##"{"allOf": [{"$ref": "#/components/schemas/Node"}, {"type": "object", "required": ["z"], "properties": {"z": {"type": "integer"}}}]}"##,
        ##"{"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Node"}]}"##,
        ##"{"$ref": "#/components/schemas/Node"}"##,
        #"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": {"a": {"type": "string"}, "b": {}}}"#,
        ##"{"$ref": "#/components/schemas/Pet"}"##,
        #"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}"#, #"{"type": "integer", "minimum": 1.5}"#,
        #"{"type": "number", "multipleOf": 0}"#, #"{"type": "number", "maximum": 1e400}"#,
        #"{"type": "string", "minLength": -9223372036854775808}"#,
        #"{"type": "array", "minItems": 2, "items": {"type": "integer", "example": 9223372036854775807}}"#,
        #"{"allOf": [{"type": "string"}, {"maxLength": 2}]}"#, #"{"type": "string", "pattern": "^user_[a-z]+$"}"#,
        #"{"type": "string", "pattern": "^\\+[1-9]\\d{1,14}$"}"#,
        #"{"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"description": "A number"}}}]}"#,
        ##"{"allOf": [{"$ref": "#/components/schemas/Node"}], "oneOf": [{"required": ["b"], "properties": {"b": {}}}]}"##,
    ])
    func `A value made of a schema fits it`(schema: String) throws {
        let contract = try Contract.of(
            paths:
                #"{"/x": {"get": {"responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}}}}"#,
            schemas: """
                {"Node": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"},
                "next": {"$ref": "#/components/schemas/Node"}, "all": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}},
                "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}], "discriminator": {"propertyName": "kind",
                "mapping": {"cat": "#/components/schemas/Cat"}}}, "Cat": {"type": "object", "required": ["kind"],
                "properties": {"kind": {"type": "string"}}}}
                """
        )
        let request = try SentRequest("GET /x")
        let reply = try #require(contract.sampleReply(to: request, echoes: false))
        #expect(reply.status == 200)
        let message = Message(headers: reply.headers, body: reply.body)
        #expect(contract.findings(in: message, status: 200, to: request) == [])
        #expect(contract.sampleReply(to: request, echoes: false)?.body == reply.body)
    }

    @Test func `A request has the items of the path, the values that the document shows, and all cookies`() throws {
        let contract = try Contract.of(
            paths: #"""
                {"/x?kind=a": {"get": {"security": [{"key": []}], "parameters": [
                {"in": "query", "name": "since", "required": true, "example": "10:00+02:00"},
                {"in": "cookie", "name": "a", "required": true, "example": "1"}]}}}
                """#,
            others: #", "securitySchemes": {"key": {"type": "apiKey", "in": "cookie", "name": "key"}}"#
        )
        let base = try #require(URL(string: "https://api.example.com/v1/"))
        let request = try contract.sampleRequest(of: contract.operations[0], base: base) { ($0, "2") }
        #expect(
            request.url?.absoluteString == "https://api.example.com/v1/x?kind=a&since=10%3A00%2B02%3A00"
        )
        #expect(request.value(forHTTPHeaderField: "Cookie") == "a=1; key=2")
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            #"{"type": "string", "pattern": "^(([a-z])+.)+[A-Z]([a-z])+$"}"#, #"{"type": "number", "minimum": 1e400}"#,
            #"{"type": "array", "minItems": 2, "uniqueItems": true, "items": {"example": 9223372036854775807}}"#,
            ##"{"$ref": "#/components/schemas/T"}"##,
            ##"{"properties": {"a": {"minItems": 20, "type": "array", "items": {"$ref": "#/components/schemas/T"}}}}"##,
        ]
    )
    func `A value is made of any schema, even if it does not fit`(schema: String) throws {
        let media = #"{"application/json": {"schema": \#(schema)}}"#
        let contract = try Contract.of(
            paths: #"{"/x": {"get": {"responses": {"200": {"content": \#(media)}}}}}"#,
            schemas: ##"{"T": {"type": "array", "minItems": 2, "items": {"$ref": "#/components/schemas/T"}}}"##
        )
        let reply = try #require(contract.sampleReply(to: SentRequest("GET /x"), echoes: false))
        #expect(reply.body.count < 100_000)
        _ = try JSONReader.read(reply.body)
    }

    @Test(arguments: [
        ("/b/{id}", String?.none), ("/b/{id", "/b/%7Bid"), ("/a b", "/a%20b"), ("/ü", "/%C3%BC"), ("/x?f={y}", nil),
        ("/x?a=[1]", "/x?a=%5B1%5D"), ("/100%", "/100%25"), ("/%zz", "/%25zz"),
    ])
    func `A path that is not valid in a URL is escaped, or no request is made`(path: String, sent: String?) throws {
        let contract = try Contract.of(paths: #"{"\#(path)": {"get": {}}}"#)
        let base = try #require(URL(string: "https://api.example.com/v1?x#y"))
        let request = try? contract.sampleRequest(of: contract.operations[0], base: base) { ($0, nil) }
        #expect(request?.url?.absoluteString == sent.map { "https://api.example.com/v1\($0)" })
    }

    @Test func `An example that fits comes before a made value, and one that does not fit is passed over`() throws {
        let media = """
            {"schema": {"type": "object", "properties": {"id": {"type": "integer"}}}, "examples":
            {"old": {"value": {"id": "7"}}, "new": {"value": {"id": 7}}}}
            """
        let paths = #"{"/x": {"get": {"responses": {"201": {"content": {"application/json": \#(media)}}}}}}"#
        let reply = try #require(try Contract.of(paths: paths).sampleReply(to: SentRequest("GET /x"), echoes: false))
        #expect(reply.status == 201 && String(decoding: reply.body, as: UTF8.self) == #"{"id": 7}"#)
    }

    @Test func `An echo has the members of the request that the reply has too, where they fit`() throws {
        let schema = """
            {"type": "object", "properties": {"id": {"type": "integer"}, "title": {"type": "string"},
            "password": {"writeOnly": true}}}
            """
        let paths =
            #"{"/x": {"post": {"responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}}}}"#
        let request = try SentRequest(
            "POST /x",
            type: "application/json",
            body: #"{"title": "Swift", "id": "no", "x": 1, "password": "a"}"#
        )
        let reply = try #require(try Contract.of(paths: paths).sampleReply(to: request, echoes: true))
        #expect(String(decoding: reply.body, as: UTF8.self) == #"{"id": 1, "title": "Swift"}"#)
    }
}
