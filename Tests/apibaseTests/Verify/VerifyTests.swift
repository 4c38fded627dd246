import APIBaseKit
import DemoServer
import TestTiers
import Testing

@testable import apibase

/// `verify`.
@Suite(.limited) struct VerifyTests {
    private static let document = #"""
        {"openapi": "3.1.0", "servers": [{"url": "https://api.example.com/v1"}],
        "paths": {"/books": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],
        "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}}}},
        "post": {"responses": {"201": {}}}}, "/books/{id}": {"get": {"responses": {"200": {}}}}}}
        """#

    private let lab: Lab
    private let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init() throws { lab = try Lab() }

    /// Verifies a recording with these calls, each a method, a URL, a status and the text of a JSON reply.
    private func verify(
        _ calls: [(String, Int, String)],
        document: String = Self.document,
        _ arguments: String...
    ) async throws -> Outcome {
        let entries = calls.map { line, status, body in
            let halves = line.split(separator: " ")
            let text = body.replacing("\"", with: "\\\"")
            return """
                {"request": {"method": "\(halves[0])", "url": "\(halves[1])"}, "response": {"status": \(status),
                "headers": [{"name": "Content-Type", "value": "application/json"}],
                "content": {"size": \(body.utf8.count), "mimeType": "application/json", "text": "\(text)"}}}
                """
        }
        let har = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
        try Data(har.utf8).write(to: URL(fileURLWithPath: lab.path("session.har")))
        try Data(document.utf8).write(to: URL(fileURLWithPath: lab.path("api.json")))
        return await run(["verify", lab.path("api.json"), lab.path("session.har")] + arguments)
    }

    @Test func `A recording that fits gives a table of the operations and exit code 0`() async throws {
        let base = "https://api.example.com/v1"
        let calls = [
            ("GET \(base)/books?q=a", 200, "[1]"), ("GET \(base)/books", 200, "[]"), ("POST \(base)/books", 201, ""),
            ("GET https://cdn.example.com/a.js", 200, "1"),
        ]
        let outcome = try await verify(calls)
        #expect(
            outcome.lines == [
                "GET /books       200 × 2", "POST /books      201 × 1", "GET /books/{id}  never called", "",
                "3 calls compared, 1 to other URLs left out, 2 of 3 operations called; 0 findings.",
            ]
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
    }

    @Test func `Each finding is printed once with its number and the place in the document, and the exit code is 1`()
        async throws
    {
        let base = "https://api.example.com/v1"
        let bad = ("GET \(base)/books?p=1", 200, #"["a"]"#)
        let outcome = try await verify([bad, bad, ("PUT \(base)/books", 200, ""), ("GET \(base)/books/7", 503, "")])
        let place = "See api.json #/paths/~1books/get"
        #expect(
            outcome.lines.prefix(5) == [
                "GET /books, request: query item “p” is not documented; the operation has “q”. \(place)/parameters (2 times)",
                "GET /books, reply 200: body #/0 is the string “a”, expected an integer. "
                    + "\(place)/responses/200/content/application~1json/schema/items/type (2 times)",
                "PUT /v1/books, request: /books has GET and POST, not PUT. See api.json #/paths/~1books",
                "GET /books/{id}, reply 503: the status 503 is not documented, expected 200. "
                    + "See api.json #/paths/~1books~1{id}/get/responses",
                "",
            ]
        )
        #expect(outcome.code == 1)
        let allowed = try await verify([("GET \(base)/books/7", 503, "")], "--allow-status", "503")
        #expect(allowed.code == 0)
    }

    @Test func `What the document says and cannot be compared is a warning`() async throws {
        let document = Self.document.replacing(#""type": "integer""#, with: #""type": "int""#)
        let outcome = try await verify([("GET https://api.example.com/v1/books", 200, "[1]")], document: document)
        #expect(outcome.code == 0 && outcome.errors.contains("items/type: “int” is no type"), "\(outcome)")
    }

    @Test func `Calls below another base are compared`() async throws {
        let calls = [
            ("GET http://localhost:8080/stage/books", 200, "[1]"), ("GET http://localhost:8080/other", 200, ""),
            ("GET http://[", 200, ""),
        ]
        let outcome = try await verify(calls, "--base", "http://localhost:8080/stage")
        #expect(
            outcome.code == 0
                && outcome.lines.last?.hasPrefix("1 call compared, 2 to other URLs left out, 1 of 3") == true,
            "\(outcome)"
        )
        #expect(try await verify(calls, "--base", "http://localhost:9").code == 2)
    }

    @Test(arguments: ["https://h/books", "HTTPS://H:443/books", "https://h:443/books/", "https://h/books?q=a"])
    func `A server is known by any spelling of its URL`(url: String) async throws {
        let document = """
            {"openapi": "3.1.0", "servers": [{"url": "https://h/books"}], "paths": {"/": {"get": {
            "parameters": [{"name": "q", "in": "query"}], "responses": {"200": {}}}}}}
            """
        let calls = [("GET \(url)", 200, ""), ("GET https://other/a.js", 200, "")]
        let outcome = try await verify(calls, document: document)
        #expect(outcome.code == 0 && outcome.lines.last?.hasPrefix("1 call compared, 1 to other") == true, "\(outcome)")
    }

    @Test(arguments: ["q=a%20b&w[]=%5B", "q=a+b&w[]=[", "q=a%20b&w%5B%5D=%5B"])
    func `A URL may have characters that belong escaped`(query: String) async throws {
        let parameters = #"[{"name": "q", "in": "query", "schema": {"const": "a b"}}, {"name": "w[]", "in": "query"}]"#
        let document = """
            {"openapi": "3.1.0", "servers": [{"url": "https://h"}], "paths": {"/ü": {"servers": [{"url": "https://g"}],
            "get": {"parameters": \(parameters), "responses": {"200": {}}}}}}
            """
        let outcome = try await verify([("GET https://g/ü?\(query)", 200, "")], document: document)
        #expect(outcome.code == 0 && outcome.lines.last?.hasPrefix("1 call compared, 1 of 1") == true, "\(outcome)")
    }

    @Test func `A media type may stand at the body alone`() async throws {
        let har = """
            {"log": {"entries": [{"request": {"method": "POST", "url": "https://h/a", "postData": {"text": "", "params":
            [{"name": "p", "value": "1"}], "mimeType": "application/x-www-form-urlencoded"}}, "response": {"status": 200,
            "content": {"size": 1, "mimeType": "application/json", "text": "1"}}}]}}
            """
        let body = #"{"application/x-www-form-urlencoded": {"schema": {"required": ["p"]}}}"#
        let reply = #"{"200": {"content": {"application/json": {"schema": {"const": 1}}}}}"#
        let document = """
            {"openapi": "3.1.0", "paths": {"/a": {"post": {"requestBody": {"content": \(body)}, "responses": \(reply)}}}}
            """
        try Data(har.utf8).write(to: URL(fileURLWithPath: lab.path("session.har")))
        try Data(document.utf8).write(to: URL(fileURLWithPath: lab.path("api.json")))
        let outcome = await run(["verify", lab.path("api.json"), lab.path("session.har")])
        #expect(outcome.code == 0, "\(outcome)")
    }

    @Test func `A recording of the demo server fits the document of JSONPlaceholder`() async throws {
        let recording = lab.path("users.har")
        #expect(await run("record", "--out", recording, "users", "3").code == 0)
        let text = try String(decoding: lab.data("users.har"), as: UTF8.self).replacing("\\/", with: "/")
        let base = try #require(text.firstMatch(of: /(http:\/\/[^"\/]*\/jsonplaceholder)\/users\/3/)?.1)
        let document = documents.appendingPathComponent("JSONPlaceholderTests/openapi.json").path
        let outcome = await run("verify", document, recording, "--base", String(base))
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.lines.contains { $0.hasPrefix("GET /users/{id} ") && $0.hasSuffix("200 × 1") })
    }

    @Test func `Live, the safe operations that need nothing are sent, and only those`() async throws {
        let document = documents.appendingPathComponent("JSONPlaceholderTests/openapi.json").path
        let outcome = await run("verify", document, "--live", "--base", "\(lab.url)/jsonplaceholder")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.lines.contains { $0.hasPrefix("GET /users ") && $0.hasSuffix("200 × 1") })
        #expect(
            outcome.lines.contains {
                $0.hasPrefix("POST /users ") && $0.hasSuffix("not sent, since it may change something")
            }
        )
    }

    @Test(arguments: [
        [], ["api.json"], ["api.json", "a.har", "--live"], ["api.json", "a.har", "--base", "no"],
        ["api.json", "a.har", "--allow-status", "x"],
    ])
    func `Wrong arguments are said`(arguments: [String]) async {
        #expect(await run(["verify"] + arguments).code == 2)
    }

    @Test func `Live, a server that does not answer is exit code 1`() async throws {
        let document = documents.appendingPathComponent("JSONPlaceholderTests/openapi.json").path
        let outcome = await run("verify", document, "--live", "--base", "http://127.0.0.1:9")
        #expect(outcome.code == 1)
        #expect(outcome.lines.contains { $0.hasPrefix("GET /users ") && $0.contains("no reply: ") }, "\(outcome)")
        #expect(outcome.lines.last?.contains("without a reply") == true)
    }

    @Test func `Nothing to compare is exit code 1`() async throws {
        let outcome = try await verify([])
        #expect(outcome.code == 1 && outcome.lines.last?.hasPrefix("0 calls compared") == true, "\(outcome)")
    }

    @Test func `Several recordings are compared together, and one that is not there is named`() async throws {
        let base = "https://api.example.com/v1"
        let outcome = try await verify([("GET \(base)/books", 200, "[]")], lab.path("session.har"))
        #expect(outcome.lines.last?.hasPrefix("2 calls compared, 1 of 3") == true, "\(outcome)")
        let missing = try await verify([], lab.path("none.har"))
        #expect(missing.code == 2 && missing.errors.contains("none.har"), "\(missing)")
    }

    @Test func `A file that is not an OpenAPI document is refused with the reason`() async throws {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: lab.path("none.json")))
        let outcome = await run("verify", lab.path("none.json"), "--live")
        #expect(outcome.code == 2 && outcome.errors.contains("is no OpenAPI document"))
    }
}
