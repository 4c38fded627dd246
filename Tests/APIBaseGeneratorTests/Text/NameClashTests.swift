import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// Names of a document that would clash with each other, with the kit, or with names in the generated code.
@Suite struct NameClashTests {
    /// A schema called Thing, and a line of its code.
    @Test(
        arguments: [
            (
                #"{"properties": {"decoder": {"type": "string"}}, "additionalProperties": {"type": "string"}}"#,
                "self.decoder = try container.decodeIfPresent(String.self, forKey: .decoder)"
            ),
            (
                #"{"properties": {"container": {"type": "string"}}, "additionalProperties": {"type": "string"}}"#,
                "try container.encodeIfPresent(self.container, forKey: .container)"
            ),
            (
                ##"{"required": ["x"], "properties": {"x": {"$ref": "#/components/schemas/Thing"}}, "additionalProperties": true}"##,
                "self._x = try container.decode(Indirect<Thing>.self, forKey: .x)"
            ),
            (
                #"{"oneOf": [{"title": "日本", "properties": {"a": {"type": "string"}}}, {"type": "string"}]}"#,
                "case 日本ValueCase(日本Value)"
            ),
            (#"{"properties": {"json": {"properties": {"a": {"type": "string"}}}}}"#, "struct JSONValue2"),
            (#"{"properties": {"error": {"properties": {"a": {"type": "string"}}}}}"#, "struct ErrorValue"),
        ]
    )
    func `Property and type names that clash with generated code are qualified or renamed`(schema: String, line: String)
        throws
    {
        let code = try Generated(schemas: #"{"Thing": \#(schema), "JSON": {"type": "string", "enum": ["a"]}}"#).models
        #expect(code.contains(line), "\(code)")
    }

    /// An operation `POST /thing`, and a line of its code.
    @Test(
        arguments: [
            (#""operationId": "request""#, "final class Request2: ShopAPI"),
            (#""operationId": "paged""#, "final class PagedRequest2: ShopAPI"),
            (
                #""parameters": [{"name": "authorization", "in": "query", "schema": {"type": "string"}}], "security": [{"key": []}]"#,
                "self.authorization = self.key.map { .header(\"X-Key\", $0) }"
            ),
            (
                #""parameters": [{"name": "headers", "in": "query", "schema": {"type": "string"}}], "security": [{"cookie": []}, {"usual": []}]"#,
                "query[\"headers\"] = headers"
            ),
            (
                #""security": [{"cookie": [], "other": []}]"#,
                #"headers["Cookie"] = ([cookie.map { "a=\($0)" }, other.map { "b=\($0)" }] as [String?])"#
            ),
            (#""security": []"#, #"query["api key"] = nil"#),
            (
                #""requestBody": {"content": {"multipart/form-data": {"schema": {"properties": {"parts": {"type": "string"}}}}}}"#,
                #"if let partParts { parts.append(MultipartPart(name: "parts", value: partParts)) }"#
            ),
            (
                #""requestBody": {"content": {"multipart/form-data": {"schema": {"properties": {"a": {"type": "string", "format": "byte"}}}}}}"#,
                #"MultipartPart(name: "a", value: a.base64EncodedString())"#
            ),
        ]
    )
    func `Class and parameter names that clash with names of APIBaseKit are qualified or renamed`(
        members: String,
        line: String
    )
        throws
    {
        let operation = #"{\#(members), "responses": {"204": {"description": ""}}}"#
        let schemes = ##"""
            , "securitySchemes": {"usual": {"type": "apiKey", "in": "query", "name": "api key"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "cookie": {"type": "apiKey", "in": "cookie", "name": "a"},
            "other": {"type": "apiKey", "in": "cookie", "name": "b"}}
            """##
        let parameter = #""parameters": [{"name": "key", "in": "header", "schema": {"type": "string"}}], "#
        let code = try Generated(
            paths: #"{"/thing": {\#(parameter)"post": \#(operation)}}"#,
            components: schemes,
            other: #""security": [{"usual": []}],"#
        )
        #expect(code.requests.contains(line), "\(code.requests)")
    }

    /// Schemes called as members of the class above.
    @Test(arguments: ["secretHeaders", "usesStrictJSON", "encodeBody", "retryDelay", "hash"])
    func `A security scheme named like a member of APIBase gets the suffix Credentials`(name: String) throws {
        let code = try Generated(
            components: #", "securitySchemes": {"\#(name)": {"type": "apiKey", "in": "header", "name": "X"}}"#
        )
        #expect(code.document.contains("var \(name)Credentials: String? { nil }"))
    }

    @Test func `Three operations with the same ID get generated tests with three different names`() throws {
        let operation = #"{"operationId": "list", "responses": {"200": {"content": {"text/json": {"example": 1}}}}}"#
        let code = try Generated(paths: #"{"/a": {"get": \#(operation), "put": \#(operation), "post": \#(operation)}}"#)
        let tests = try #require(code.files["ShopExamplesTests.swift"])
        #expect(["list()", "listRequest2()", "listRequest3()"].allSatisfy { tests.contains("func \($0)") })
    }

    /// Choosing fewer operations changes no name.
    @Test func `The file of a generated error type keeps its name when only its operation is selected`() throws {
        func operation(_ member: String) -> String {
            #"{"responses": {"400": {"content": {"application/json": {"schema": {"properties": {"\#(member)": {"type": "string"}}}}}}}}"#
        }
        let paths = #"{"/a": {"get": \#(operation("a"))}, "/b": {"get": \#(operation("b"))}}"#
        let names = try [[], ["GET /b"]].map { only in
            let code = try Generated(paths: paths) { $0.only = only }
            return code.files.filter { $0.value.contains("public var b: String?") }.map(\.key)
        }
        #expect(names[0] == names[1])
        #expect(names[0].count == 1)
    }

    /// A second run would take the files of one for files of the other that have gone.
    @Test(arguments: [".", "Models", "../Code"])
    func `A generator job throws a Refusal if the tests and the code share a folder`(path: String) throws {
        let folder = try TemporaryFolder()
        let document = folder.url.appendingPathComponent("a.json")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(#"{"openapi": "3.1.0", "paths": {}}"#.utf8).write(to: document)
        let code = folder.url.appendingPathComponent("Code", isDirectory: true)
        var options = GenerateRun.Options()
        options.tests = code.appendingPathComponent(path).path
        #expect(throws: Refusal.self) {
            try GenerateJob(document: document, out: code, applying: options, folder: folder.url)
        }
    }
}
