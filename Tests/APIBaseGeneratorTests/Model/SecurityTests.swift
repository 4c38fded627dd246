import Foundation
import Testing

@testable import APIBaseGenerator

@Suite struct SecurityTests {
    private func generated(_ security: String, _ operations: [String]) throws -> Generated {
        let paths = operations.enumerated().map { index, security in
            #""/p\#(index)": {"get": {"operationId": "op\#(index)", \#(security) "responses": {}}}"#
        }
        return try Generated(
            paths: "{\(paths.joined(separator: ","))}",
            components: #"""
                , "securitySchemes": {"bearer": {"type": "http", "scheme": "Bearer"}, "basic": {"type": "http", "scheme": "basic"},
                "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "inQuery": {"type": "apiKey", "in": "query", "name": "k"},
                "inCookie": {"type": "apiKey", "in": "cookie", "name": "sid"}, "oauth": {"type": "oauth2"}, "tls": {"type": "mutualTLS"}}
                """#,
            other: security
        )
    }

    @Test
    func `The base class sets the document's security; a request class sets its operation's own security`() throws {
        let code = try generated(
            #""security": [{"bearer": []}],"#,
            ["", #""security": [],"#, #""security": [{"key": []}],"#, #""security": [{"bearer": []}, {}],"#]
        )
        #expect(code.document.contains("open var bearer: Authorization? { nil }"))
        #expect(code.document.contains("        authorization = bearer\n"))
        #expect(code.requests.components(separatedBy: "authorization").count == 3)
        #expect(code.requests.contains("authorization = nil"))
        #expect(code.requests.contains(#"authorization = key.map { .header("X-Key", $0) }"#))
        #expect(code.warnings.contains { $0.hasPrefix("#/components/securitySchemes/tls") })
    }

    @Test func `Of several alternatives, the first that is set is shown, in the class and in a leaf`() throws {
        let code = try generated(
            #""security": [{"bearer": []}, {"key": []}, {"oauth": []}],"#,
            [
                "", #""security": [{"oauth": []}],"#, #""security": [{"bearer": []}, {"key": []}, {"oauth": []}, {}],"#,
                #""security": [{"basic": []}, {"inQuery": []}],"#,
            ]
        )
        #expect(code.document.contains(#"authorization = bearer ?? key.map { .header("X-Key", $0) } ?? oauth"#))
        #expect(code.requests.components(separatedBy: "authorization = ").count == 3)
        #expect(code.requests.contains("authorization = oauth\n"))
        #expect(code.requests.contains("authorization = basic\n"))
        #expect(code.warnings.contains { $0.contains("/paths/~1p3/get/security") && $0.contains("inQuery") })
    }

    @Test func `A document that declares schemes and says nowhere what calls need shows the first that is set`() throws
    {
        let code = try Generated(
            components: #"""
                , "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "header", "name": "K"}}
                """#
        )
        #expect(code.document.contains(#"authorization = bearer ?? key.map { .header("K", $0) }"#))
    }

    /// The credentials of an operation, and what its leaf says beside those of the document, which are a key.
    @Test(arguments: [
        (#"[{"key": []}]"#, nil), (#"[{"bearer": []}, {"key": []}]"#, #"authorization = bearer ?? key.map"#),
        (#"[{"key": []}, {"bearer": []}]"#, "?? bearer"), ("[]", "authorization = nil"),
    ])
    func `A leaf whose operation takes more than the usual credentials offers all of them`(
        security: String,
        line: String?
    )
        throws
    {
        let code = try generated(#""security": [{"key": []}],"#, [#""security": \#(security),"#]).requests
        if let line { #expect(code.contains(line)) }
        #expect(code.contains("authorization") == (line != nil))
    }

    @Test
    func `A key that goes with a token is a header of its own, and parameters come after what undoes credentials`()
        throws
    {
        let both = try generated(#""security": [{"key": [], "bearer": []}],"#, [""])
        #expect(
            both.document.contains(#"headers["X-Key"] = key"#) && both.document.contains("authorization = bearer\n")
        )
        let parameter = #""security": [], "parameters": [{"name": "k", "in": "query", "schema": {"type": "string"}}],"#
        let code = try generated(#""security": [{"inQuery": []}],"#, [parameter]).requests
        let (undone, own) = (code.range(of: #"query["k"] = nil"#), code.range(of: #"query["k"] = k"#))
        #expect(try #require(undone).lowerBound < #require(own).lowerBound)
    }

    @Test func `Without document security, the base class sets the security scheme that most operations use`() throws {
        let code = try generated(
            "",
            [
                #""security": [{"key": [], "basic": []}],"#, #""security": [{"inQuery": []}],"#,
                #""security": [{"inQuery": []}],"#,
            ]
        )
        #expect(code.document.contains(#"query["k"] = inQuery"#))
        #expect(code.requests.contains(#"query["k"] = nil"#))
        #expect(code.requests.contains(#"headers["X-Key"] = key"#) && code.requests.contains("authorization = basic"))
    }

    @Test(arguments: [
        (
            #"{"url": "https://{r}.example.com:{p}/v", "variables": {"r": {"default": "eu"}, "p": {"default": "443"}}}"#,
            "https://eu.example.com:443/v"
        ),
        (#"{"url": "/v1"}, {"url": "http://a.example"}"#, "http://a.example"), (#"{"url": "/v1"}"#, nil),
        (#"{"url": "ftp://a.example"}"#, nil), (#"{"url": "https://user:pw@a.example"}"#, nil), ("", nil),
    ])
    func `The generated baseURL is the first absolute HTTP server URL without credentials, else left out`(
        list: String,
        url: String?
    )
        throws
    {
        let code = try Generated(#"{"openapi": "3.0.0", "servers": [\#(list)], "paths": {}}"#)
        #expect(code.document.contains("baseURL") == (url != nil))
        if let url { #expect(code.document.contains("URL(string: \"\(url)\")")) }
        #expect(code.files["ShopAPI.swift"]?.contains("names no server") == (url == nil))
    }

    @Test func `The schema of a default response becomes an Error struct that a failed call can decode`() throws {
        let code = try Generated(
            paths:
                ##"{"/a": {"get": {"responses": {"200": {}, "default": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}}}}}"##,
            schemas: #"{"Error": {"properties": {"code": {"type": "integer"}}}}"#
        )
        #expect(code.document.contains("public var shopError: ShopError? { try? decode(ShopError.self) }"))
        #expect(code.models.contains("public nonisolated struct ShopError: Error, Codable, Hashable, Sendable"))
    }
}
