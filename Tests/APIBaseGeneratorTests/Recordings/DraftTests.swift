import Foundation
import Testing

@testable import APIBaseGenerator

@Suite struct DraftTests {
    /// An entry of a recording.
    private static func entry(
        _ method: String,
        _ url: String,
        _ status: Int,
        _ reply: String,
        headers: String = "",
        body: String = ""
    ) -> String {
        let text = JSON.string(reply).line
        let post =
            body.isEmpty ? "" : #", "postData": {"mimeType": "application/json", "text": \#(JSON.string(body).line)}"#
        return #"""
            {"request": {"method": "\#(method)", "url": "\#(url)", "headers": [\#(headers)]\#(post)},
            "response": {"status": \#(status), "content": {"mimeType": "application/json; charset=utf-8", "text": \#(text)}}}
            """#
    }

    private static let entries = [
        entry(
            "GET",
            "https://api.example.com/v1/users/7?fields=name&api_key=SECRET1",
            200,
            #"{"id": 7, "name": "A", "at": "2026-01-02T03:04:05Z", "note": null}"#,
            headers: #"{"name": "Authorization", "value": "Bearer SECRET2"}, {"name": "X-Trace", "value": "SECRET3"}"#
        ),
        entry(
            "GET",
            "https://api.example.com/v1/users/8",
            200,
            #"{"id": 8.5, "name": "B", "at": "2026-01-02T03:04:05.5+02:00", "note": "n", "tags": [1, "x"]}"#
        ),
        entry(
            "POST",
            "https://api.example.com/v1/users",
            201,
            #"{"id": 9, "name": "C"}"#,
            body: #"{"name": "C", "password": "SECRET4"}"#
        ),
        entry("GET", "https://api.example.com/v1/reset/eyJhbGciOiJIUzI1NiIsInR5cCI6", 404, "{}"),
        entry("GET", "https://api.example.com/v1/users/8", 304, ""),
        entry("GET", "https://elsewhere.example/x", 200, "{}"),
    ]

    static func recording(_ entries: [String]) -> Data {
        Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8)
    }

    private func draft() throws -> String {
        try Draft(Self.recording(Self.entries), name: "a.har", base: "https://api.example.com/v1").document
    }

    @Test func `An OpenAPI draft from a recording has path templates and schemas that fit all responses`() throws {
        let json = try JSONReader.read(Data(try draft().utf8))
        #expect(json["paths"]?.object?.names == ["/users/{userId}", "/users", "/reset/{resetId}"])
        let get = json["paths"]?["/users/{userId}"]?["get"]
        #expect(get?["responses"]?.object?.names == ["200"])
        let schema = get?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["required"]?.line == #"["id", "name", "at", "note"]"#)
        #expect(schema?["properties"]?["id"]?.line == #"{"type": "number"}"#)
        #expect(schema?["properties"]?["at"]?.line == #"{"type": "string", "format": "date-time"}"#)
        #expect(schema?["properties"]?["note"]?.line == #"{"type": ["string", "null"]}"#)
        #expect(schema?["properties"]?["tags"]?["items"]?["oneOf"]?.array?.count == 2)
        #expect(get?["parameters"]?.array?.map { $0["name"]?.string } == ["userId", "fields", "x-trace"])
    }

    @Test func `An OpenAPI draft from a recording declares the security schemes and contains no secret`() throws {
        let text = try draft()
        #expect(!text.contains("SECRET"))
        #expect(!text.contains("eyJ"))
        #expect(text.contains(#""bearer""#) && text.contains(#""apiKey""#))
    }

    @Test func `An OpenAPI draft from a recording is turned into request classes without a warning`() throws {
        let code = try Generated(try draft())
        #expect(code.requests.contains("class GetUsersByUserIDRequest"))
        #expect(code.warnings.isEmpty)
    }

    @Test func `Drafting OpenAPI throws a Refusal with the recorded hosts if the base URL matches no entry`() {
        let refusal = #expect(throws: Refusal.self) {
            try Draft(Self.recording(Self.entries), name: "a.har", base: "https://no.example")
        }
        #expect(refusal?.errorDescription?.contains("api.example.com") == true)
    }

    @Test(arguments: ["{}", "[]", "{\"log\": {}}", "no"])
    func `Drafting OpenAPI throws a Refusal if the file is not a recording`(text: String) {
        #expect(throws: Refusal.self) { try Draft(Data(text.utf8), name: "a.har", base: nil) }
    }

    @Test func `Verifying a document against a recording lists the recorded values that do not fit it`() throws {
        let document = ##"""
            {"openapi": "3.0.0", "servers": [{"url": "https://api.example.com/v1"}], "paths": {"/users/{id}": {"get": {"operationId": "user",
            "responses": {"200": {"content": {"application/json": {"schema": {"required": ["id", "city"],
            "properties": {"id": {"type": "integer"}, "city": {"type": "string"}, "name": {"type": "string"}, "note": {"type": "string"}}}}}}}}}}}
            """##
        let generator = try Generator(
            try Document(Data(document.utf8), name: "a.json"),
            try Settings(name: "Shop", document: "a.json")
        )
        let verification = Verification(try HARFile(Self.recording(Self.entries), name: "a.har"), generator.model())
        #expect(verification.summary == "2 of \(Self.entries.count) replies compared; 3 values do not fit.")
        #expect(
            verification.failures == [
                "GET /v1/users/7: #/city: missing", "GET /v1/users/8: #/id: a number, expected Int",
                "GET /v1/users/8: #/city: missing",
            ]
        )
        #expect(verification.extras.contains("GET /v1/users/8: #/tags: not in the document"))
    }
}

@Suite struct PathTemplatesTests {
    @Test func `Drafting treats numbers, UUIDs, dates and tokens in a path as parameter values, words as names`() {
        for value in [
            "7", "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "0123456789abcdef", "a@b.example", "2026-01-02",
            "eyJhbGciOiJIUzI1NiIsInR5",
        ] {
            #expect(PathTemplates.isValue(value))
        }
        for name in ["users", "v1", "me", "two-words", "cafe", "list-of-all-the-things-2026"] {
            #expect(!PathTemplates.isValue(name))
        }
    }

    @Test func `A varying segment of recorded paths becomes a parameter only if the responses are alike`() {
        let users = ["ann", "bob", "cyd"].map { (parts: ["users", $0], reply: "GET name") }
        let lists = ["books", "films", "songs"].map { (parts: ["all", $0], reply: "GET \($0)") }
        let templates = PathTemplates(users + lists)
        #expect(templates.template(of: ["users", "ann"]) == "/users/{userId}")
        #expect(templates.template(of: ["all", "books"]) == "/all/books")
    }
}
