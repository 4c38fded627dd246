import Foundation
import Testing

@testable import OpenAPIDocument

@Suite struct ReplyCheckTests {
    private static func contract(_ replies: String) throws -> Contract {
        let schemas = """
            {"Book": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"},
            "title": {"type": "string"}, "secret": {"type": "string", "writeOnly": true}}}}
            """
        return try Contract.of(paths: "{\"/x\": {\"get\": {\"responses\": \(replies)}}}", schemas: schemas)
    }

    private static let book = ##"{"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}}"##

    @Test(
        arguments: [
            (200, #"{"id": 1}"#, []), (200, #"{"id": "1"}"#, [.body("#/id")]), (200, "{}", [.body("#/id")]),
            (200, #"{"id": null}"#, [.body("#/id")]), (200, #"{"id": 1, "titel": "a"}"#, [.unknownMember("#/titel")]),
            (200, "", [.missingBody]), (200, "no", [.body("#")]), (204, "", []), (204, "{}", [.undocumentedBody]),
            (404, "", []), (404, #"{"id": true}"#, [.body("#/id")]), (503, "", [.undocumentedStatus(503)]),
            (429, #"{"id": 1}"#, []),
        ] as [(Int, String, [Deviation])]
    )
    func `Status and body of a reply are compared`(status: Int, body: String, deviations: [Deviation]) throws {
        let contract = try Self.contract(#"{"200": \#(Self.book), "204": {}, "4XX": \#(Self.book)}"#)
        #expect(try contract.findings("GET /x", status: status, body: body).map(\.deviation) == deviations)
    }

    @Test func `A finding has the operation, the status, the place in the body and that in the document`() throws {
        let contract = try Self.contract(#"{"200": \#(Self.book)}"#)
        let finding = try #require(try contract.findings("GET /x", status: 200, body: #"{"id": "1"}"#).first)
        let place = "See api.json #/components/schemas/Book/properties/id/type"
        #expect(finding.description == "GET /x, reply 200: body #/id is the string “1”, expected an integer. \(place)")
        let undocumented = try #require(try contract.findings("GET /x", status: 503).first)
        #expect(undocumented.reason == "the status 503 is not documented, expected 200")
        #expect(undocumented.pointer == "#/paths/~1x/get/responses")
    }

    @Test(
        arguments: [
            (##"{"200": {"$ref": "#/components/responses/None"}}"##, .body("#"), "#/paths/~1x/get/responses/200"),
            (##"{"200": {"$ref": "#/paths/~1x/get/responses/200"}}"##, .body("#"), "#/paths/~1x/get/responses/200"),
            (
                ##"{"200": {"headers": {"X-A": {"$ref": "#/none"}}}}"##, .header("X-A"),
                "#/paths/~1x/get/responses/200/headers/X-A"
            ),
        ] as [(String, Deviation, String)]
    )
    func `A reply or a header whose reference leads nowhere is a finding`(
        replies: String,
        deviation: Deviation,
        pointer: String
    ) throws {
        let found = try Self.contract(replies).findings("GET /x", status: 200)
        #expect(found.map(\.deviation) == [deviation] && found[0].pointer == pointer, "\(found)")
        #expect(found[0].reason.contains("cannot be compared"))
    }

    @Test func `A body that is not UTF-8 is no JSON`() throws {
        let reply = Message(
            headers: [(name: "Content-Type", value: "application/json")],
            body: Data([0x22, 0xFF, 0x22])
        )
        let found = try Self.contract(#"{"200": \#(Self.book)}"#).findings(
            in: reply,
            status: 200,
            to: SentRequest("GET /x")
        )
        #expect(found.map(\.reason) == ["body is not JSON: it is not UTF-8 (line 1, column 1)"])
    }

    @Test(arguments: [
        (#"{"200": {"content": {"application/json": {"schema": {"type": "strng"}}}}}"#, "“strng” is no type"),
        (
            #"{"200": {"content": {"application/json": {"schema": {"pattern": "(["}}}}}"#,
            "the pattern ([ cannot be read"
        ),
        (#"{"200": {"content": {"application/json": {"schema": "Book"}}}}"#, "is no object and cannot be compared"),
        (#"{"200": {"content": []}}"#, "is no object and cannot be compared"),
        ("[]", "is no object and cannot be compared"), (#"{"200": \#(Self.book)}"#, nil),
    ])
    func `What cannot be compared has a warning`(replies: String, warning: String?) throws {
        let contract = try Self.contract(replies)
        _ = try contract.findings("GET /x", status: 200, body: #"{"id": 1}"#)
        #expect(contract.warnings.map(\.text) == [warning].compactMap(\.self))
    }

    @Test func `An operation without replies is a finding`() throws {
        let contract = try Contract.of(paths: #"{"/x": {"get": {}}}"#)
        let found = try contract.findings("GET /x", status: 200, body: "{}")
        #expect(found.map(\.deviation) == [.undocumentedStatus(200)] && found[0].pointer == "#/paths/~1x/get")
    }

    @Test(arguments: ["application/json;v=2", "application/json; v=2", "Application/JSON ; v=2"])
    func `A space before the parameter of a media type makes no difference`(type: String) throws {
        let contract = try Contract.of(
            paths: #"""
                {"/x": {"get": {"responses": {"200": {"content": {"application/json; v=1": {"schema": {"const": 1}},
                "application/json; v=2": {"schema": {"const": 2}}}}}}}}
                """#
        )
        #expect(try contract.findings("GET /x", status: 200, type: type, body: "2").isEmpty)
        #expect(try contract.findings("GET /x", status: 200, type: type, body: "1").count == 1)
    }

    @Test func `The default reply stands for each other status`() throws {
        let contract = try Self.contract(#"{"200": {}, "default": \#(Self.book)}"#)
        #expect(try contract.findings("GET /x", status: 503, body: #"{"id": 1}"#) == [])
        #expect(try contract.findings("GET /x", status: 503, body: "[]").map(\.deviation) == [.body("#")])
    }

    @Test func `Another media type is a finding that names those of the document`() throws {
        let contract = try Self.contract(#"{"200": \#(Self.book)}"#)
        let finding = try #require(try contract.findings("GET /x", status: 200, type: "text/html", body: "<a>").first)
        #expect(finding.deviation == .undocumentedMediaType("text/html"))
        #expect(finding.reason == "the body is “text/html”, expected “application/json”")
    }

    @Test func `Headers that a reply declares are compared`() throws {
        let contract = try Self.contract(
            #"""
            {"200": {"headers": {"X-Count": {"required": true, "schema": {"type": "integer"}},
            "X-Note": {"schema": {"type": "string"}}}}}
            """#
        )
        func deviations(_ headers: [String: String]) throws -> [Deviation] {
            try contract.findings("GET /x", status: 200, headers: headers).map(\.deviation)
        }
        #expect(try deviations(["x-count": "5", "X-Other": "1"]) == [])
        #expect(try deviations([:]) == [.missingHeader("X-Count")])
        #expect(try deviations(["X-Count": "many"]) == [.header("X-Count")])
    }

    @Test(arguments: [204, 205, 302, 304, 404])
    func `A reply that has no body may lack the documented one`(status: Int) throws {
        let contract = try Self.contract(#"{"200": \#(Self.book), "204": \#(Self.book), "default": \#(Self.book)}"#)
        #expect(try contract.findings("GET /x", status: status) == [])
        #expect(try Self.contract(#"{"200": {}}"#).findings("GET /x", status: 304) == [])
    }

    @Test func `Of a body that is not known, the media type is compared`() throws {
        let contract = try Self.contract(#"{"200": \#(Self.book)}"#)
        func deviations(_ type: String) throws -> [Deviation] {
            let reply = Message(headers: [(name: "Content-Type", value: type)], body: nil)
            return contract.findings(in: reply, status: 200, to: try SentRequest("GET /x")).map(\.deviation)
        }
        #expect(try deviations("application/json") == [])
        #expect(try deviations("text/html") == [.undocumentedMediaType("text/html")])
    }

    @Test func `A reply to HEAD, and one to no operation, has no findings in its body`() throws {
        let contract = try Self.contract(#"{"200": \#(Self.book)}"#)
        #expect(try contract.findings("HEAD /x", status: 200) == [])
        #expect(try contract.findings("GET /y", status: 200, body: "[]") == [])
    }

    @Test(arguments: [
        (Deviation.body("#/*/price"), Deviation.body("#/0/price"), true), (.body("#/price"), .body("#/0/price"), false),
        (.unknownMember("#/a/*"), .unknownMember("#/a/b"), true), (.unknownMember("#/a"), .body("#/a"), false),
        (.undocumentedOperation("GET /users/*"), .undocumentedOperation("GET /users/7"), true),
        (.header("X-Count"), .header("x-count"), true), (.undocumentedStatus(503), .undocumentedStatus(503), true),
        (.undocumentedStatus(503), .undocumentedStatus(500), false),
    ])
    func `A deviation includes others by the pattern of its pointer`(one: Deviation, other: Deviation, includes: Bool) {
        #expect(one.includes(other) == includes)
    }

    @Test(arguments: [true, false])
    func `Secrets are compared in a test, and not in a recording, which has none`(comparesSecrets: Bool) throws {
        let schema = #"{"properties": {"password": {"type": "object"}, "name": {"type": "object"}}}"#
        let reply = """
            {"headers": {"password": {"required": true}}, "content": {"application/json": {"schema": \(schema)}}}
            """
        let text = #"{"openapi": "3.1.0", "paths": {"/v1/x": {"get": {"responses": {"200": \#(reply)}}}}}"#
        let document = try Document(Data(text.utf8), name: "api.json")
        let contract = try Contract(document, isSecret: { $0 == "password" }, comparesSecrets: comparesSecrets)
        let findings = try contract.findings("GET /x", status: 200, body: #"{"password": "****", "name": "a"}"#)
        let ofSecrets = ["header “password” is missing", "body #/password is a string, expected an object"]
        let others = ["body #/name is the string “a”, expected an object"]
        #expect(findings.map(\.reason) == (comparesSecrets ? ofSecrets : []) + others)
        let type = [(name: "Content-Type", value: "application/json")]
        let recorded = Message(headers: type, body: Data(#"{"password": "****", "name": "a"}"#.utf8))
        let call = ContractCall(try SentRequest("GET /x"), in: contract)
        #expect(call.findings(in: recorded, status: 200, isRecorded: true).map(\.reason) == others)
    }
}
