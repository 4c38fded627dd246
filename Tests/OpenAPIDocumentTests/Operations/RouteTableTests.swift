import Foundation
import Testing

@testable import OpenAPIDocument

@Suite struct RouteTableTests {
    private static let paths = """
        {
            "/": {"get": {}}, "/books": {"get": {}, "post": {}}, "/books/{id}": {"get": {}, "delete": {}},
            "/books/latest": {"get": {}}, "/books/{id}.{format}": {"get": {}}, "/books/{id}/pages/{page}": {"get": {}},
            "/compare/{base}...{head}": {"get": {}}, "/shelves/": {"get": {}}, "/search?kind=book": {"get": {}},
            "/search?kind=author": {"get": {}}, "/search": {"post": {}}, "/a%20b/{x}": {"get": {}}, "/list#old": {"get": {}},
            "/jobs/{name}:cancel": {"get": {}}, "/ü-{id}": {"get": {}}
        }
        """

    @Test(arguments: [
        ("GET /", "GET /"), ("GET /books", "GET /books"), ("HEAD /books", "GET /books"),
        ("GET /books/7", "GET /books/{id}"),
        ("GET /books/latest", "GET /books/latest"), ("DELETE /books/latest", "DELETE /books/{id}"),
        ("GET /books/7.json", "GET /books/{id}.{format}"), ("GET /books/7/pages/2", "GET /books/{id}/pages/{page}"),
        ("GET /books/a%2Fb", "GET /books/{id}"), ("GET /compare/main...next", "GET /compare/{base}...{head}"),
        ("GET /shelves/", "GET /shelves/"), ("GET /search?kind=author", "GET /search?kind=author"),
        ("GET /search?kind=book&q=1", "GET /search?kind=book"), ("POST /search", "POST /search"),
        ("GET /a%20b/1", "GET /a%20b/{x}"), ("GET /list", "GET /list#old"),
        ("GET /jobs/x:cancel", "GET /jobs/{name}:cancel"), ("GET /jobs/x%3Acancel", "GET /jobs/{name}:cancel"),
        ("GET /%C3%BC-7", "GET /ü-{id}"),
        ("GET http://localhost:8080/v1/books", "GET /books"), ("GET http://localhost:8080/books", "GET /books"),
    ])
    func `A request is of the operation with the most concrete template`(line: String, route: String) throws {
        let contract = try Contract.of(paths: Self.paths)
        #expect(try contract.operation(of: SentRequest(line))?.route == route)
    }

    @Test(
        arguments: [
            ("GET /bookz", "the document has no such path; the nearest path is /books", "#/paths/~1books"),
            ("GET /books/7/page/2", "the document has no such path; the nearest path is /books/{id}/pages/{page}", nil),
            ("PUT /books/7", "/books/{id} has DELETE and GET, not PUT", "#/paths/~1books~1{id}"),
            ("GET /shelves", nil, nil), ("GET /books/", nil, nil), ("GET /search", nil, nil),
            ("GET /v2/books", nil, nil),
        ] as [(String, String?, String?)]
    )
    func `A request of no operation has one finding, with the nearest path or the methods`(
        line: String,
        reason: String?,
        pointer: String?
    ) throws {
        let findings = try Contract.of(paths: Self.paths).findings(line)
        try #require(findings.count == 1)
        guard case .undocumentedOperation = findings[0].deviation else { return #expect(Bool(false), "\(findings)") }
        if let reason { #expect(findings[0].reason == reason) }
        if let pointer { #expect(findings[0].pointer == pointer) }
    }

    @Test func `A server that is nothing but a variable takes nothing off a path`() throws {
        let text =
            #"{"/books": {"get": {}}, "/search/books": {"get": {}}, "/x": {"get": {"servers": [{"url": "{origin}"}]}}}"#
        let contract = try Contract.of(paths: text)
        #expect(try contract.operation(of: SentRequest("GET http://h/search/books"))?.path == "/search/books")
        #expect(try contract.operation(of: SentRequest("GET http://h/find/books")) == nil)
    }

    @Test func `The whole path comes before one that is below a variable of a server`() throws {
        let text =
            #"{"/books": {"get": {}}, "/search/books": {"get": {}}, "/x": {"get": {"servers": [{"url": "/{region}"}]}}}"#
        let contract = try Contract.of(paths: text)
        #expect(try contract.operation(of: SentRequest("GET http://h/search/books"))?.path == "/search/books")
        #expect(try contract.operation(of: SentRequest("GET http://h/eu/books"))?.path == "/books")
    }

    @Test func `The paths of all servers may stand before a path, with any value of a variable`() throws {
        let text =
            #"{"/x": {"servers": [{"url": "/up/{region}"}], "get": {"servers": [{"url": "https://h.example/o/"}]}}}"#
        let contract = try Contract.of(paths: text)
        for path in ["http://h/x", "http://h/v1/x", "http://h/up/eu/x", "http://h/o/x"] {
            #expect(try contract.operation(of: SentRequest("GET \(path)")) != nil, "\(path)")
        }
        #expect(try contract.operation(of: SentRequest("GET http://h/up/x")) == nil)
    }

    @Test(arguments: [
        ("https://h.example/graphql", "/", "http://h/graphql"),
        ("https://h.example/{base}", "/books", "http://h/v1/api/books"),
        ("https://h.example/{base}", "/books", "http://h/other/books"),
    ])
    func `The path of a server may be all of the path, or a variable of several segments`(
        server: String,
        path: String,
        url: String
    ) throws {
        let servers = #"[{"url": "\#(server)", "variables": {"base": {"default": "v1/api"}}}]"#
        let contract = try Contract.of(paths: #"{"\#(path)": {"servers": \#(servers), "get": {}}}"#)
        #expect(try contract.operation(of: SentRequest("GET \(url)")) != nil)
    }

    @Test func `The text of a very long route is shortened, and its deviation is whole`() throws {
        let route = "GET /v1/\(String(repeating: "a", count: 10_000))"
        let found = try Contract.of(paths: Self.paths).findings(in: SentRequest("GET https://h\(route.dropFirst(4))"))
        #expect(found.map(\.deviation) == [.undocumentedOperation(route)] && found[0].description.count < 500)
    }

    @Test func `The default of a server's variable is no further variable`() {
        let variables = (0..<40).map { #""v\#($0)": {"default": "{v\#($0 + 1)}{v\#($0 + 1)}"}"# }.joined(separator: ",")
        let text = #"{"url": "https://{v0}.example/{other}", "variables": {\#(variables)}}"#
        let server = (try? JSONReader.read(Data(text.utf8))).map { Node(json: $0, pointer: "#") }
        #expect(server?.serverURL == "https://{v1}{v1}.example/{other}")
    }

    @Test(arguments: [
        ("/{a}-{b}.{c}", "/1-2-3.4.json", true), ("/{a}{b}.z", "/12.z", true), ("/{a}{b}.z", "/1.z", false),
        ("/x{a}y", "/xy", false), ("/x{a}y", "/x1y", true), ("/{a}.json", "/a.json.json", true),
        ("/" + (0..<20).map { "{a\($0)}-" }.joined() + "z", "/" + String(repeating: "-", count: 4_000), false),
    ])
    func `A segment of several parameters is matched in time`(template: String, path: String, fits: Bool) throws {
        let contract = try Contract.of(paths: #"{"\#(template)": {"get": {}}}"#)
        #expect(try (contract.operation(of: SentRequest("GET \(path)")) != nil) == fits)
    }

    @Test(arguments: [
        #"{"/x": {"$ref": "paths.json#/x"}}"#, #"{"/x": {"get": {"parameters": [{"$ref": "common.json#/p"}]}}}"#,
        #"{"/x": {"get": {"responses": {"200": {"$ref": "common.json#/r"}}}}}"#,
    ])
    func `A document that needs another one is refused with the command that joins them`(paths: String) {
        let error = #expect(throws: DocumentError.self) { try Contract.of(paths: paths) }
        #expect(error?.localizedDescription.contains("npx @redocly/cli bundle") == true)
    }

    @Test func `A schema of another document cannot be compared, and the rest of the value is`() throws {
        let schema = #"{"allOf": [{"$ref": "common.json#/Base"}, {"properties": {"a": {"type": "integer"}}}]}"#
        let body = #"{"requestBody": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let contract = try Contract.of(paths: #"{"/x": {"post": \#(body)}}"#)
        func deviations(_ text: String) throws -> [Deviation] {
            try contract.findings("POST /x", type: "application/json", body: text).map(\.deviation)
        }
        #expect(try deviations(#"{"a": 1, "b": 2}"#) == [.body("#")])
        #expect(try deviations(#"{"a": "1", "b": 2}"#) == [.body("#"), .body("#/a")])
    }

    @Test func `The path below the base URL of the class counts where no server has it`() throws {
        var request = try SentRequest("GET http://h/stage/books")
        let contract = try Contract.of(paths: Self.paths)
        #expect(contract.operation(of: request) == nil)
        request.pathBelowBase = "/books"
        #expect(contract.operation(of: request)?.route == "GET /books")
    }
}
