import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// Operations, and the leaves that they become.
@Suite struct OperationTests {
    private func leaf(_ operation: String, path: String = "/x", method: String = "get", other: String = "") throws
        -> String
    {
        try Generated(paths: #"{"\#(path)": {"\#(method)": {"operationId": "x", \#(operation)}}}"#, other: other)
            .requests
    }

    private static func query(_ schema: String, _ more: String = "") -> String {
        #""parameters": [{"name": "a-b", "in": "query", \#(more) "schema": \#(schema)}], "responses": {}"#
    }

    @Test(arguments: [
        (query(#"{"type": "integer"}"#), "aB: Int? = nil", #"query["a-b"] = aB"#),
        (query(#"{"type": "integer"}"#, #""required": true,"#), "aB: Int)", #"query["a-b"] = aB"#),
        (query(#"{"type": "array", "items": {"type": "string"}}"#), "aB: [String]? = nil", #"query["a-b"] = aB"#),
        (
            query(#"{"type": "array", "items": {"type": "string"}}"#, #""explode": false,"#), "aB: [String]?",
            #"query["a-b"] = aB?.queryTexts.joined(separator: ",")"#
        ),
        (
            query(#"{"type": "array", "items": {}}"#, #""style": "pipeDelimited","#), "aB: [String]?",
            #"query["a-b"] = aB?.queryTexts.joined(separator: "|")"#
        ),
        (
            query(#"{"type": "object"}"#, #""style": "deepObject","#), "aB: [String: String]?",
            #"for (key, value) in (aB ?? [:]).sorted(by: <) { query["a-b[\(key)]"] = value }"#
        ),
        (
            query(#"{"type": "object", "properties": {"c": {"type": "string"}}}"#, #""style": "deepObject","#),
            "aB: AB?",
            #"query["a-b[c]"] = aB?.c"#
        ),
        (query(#"{"type": "string", "enum": ["v"]}"#), "aB: AB? = nil", #"query["a-b"] = aB"#),
        (query(#"{"type": "string", "format": "date-time"}"#), "aB: Date? = nil", #"query["a-b"] = aB"#),
        (query("{}"), "aB: String? = nil", #"query["a-b"] = aB"#),
    ])
    func `A query parameter gets the Swift type of its schema and is encoded by its OpenAPI style`(
        operation: String,
        parameter: String,
        statement: String
    ) throws {
        let code = try leaf(operation)
        #expect(code.contains(parameter))
        #expect(code.contains(statement))
    }

    private static let range = #"{"type": "object", "title": "Span", "properties": {"gt": {"type": "integer"}}}"#

    /// A choice of a parameter, where it is, its style, and what is said of it; the last is whether there is a warning.
    @Test(arguments: [
        (#"{"oneOf": [{"type": "integer"}, {"type": "string"}]}"#, "query", "", #"query["a-b"] = aB"#, false),
        (#"{"oneOf": [{"type": "integer"}, {"type": "string"}]}"#, "path", "", #"\(segment: aB.queryTexts"#, false),
        (#"{"oneOf": [{"type": "integer"}, {"type": "string"}]}"#, "header", "", "= aB?.queryTexts", false),
        (
            #"{"anyOf": [\#(range), {"type": "integer"}]}"#, "query", #""style": "deepObject","#,
            #"case .span(let value)?: query["a-b[gt]"] = value.gt"#, false
        ),
        (
            #"{"anyOf": [\#(range), {"type": "integer"}]}"#, "query", #""style": "deepObject","#,
            #"case .integer(let value)?: query["a-b"] = value"#, false
        ),
        (#"{"anyOf": [\#(range), {"type": "integer"}]}"#, "header", "", "aB: String? = nil", true),
        (#"{"anyOf": [\#(range), {"type": "array", "items": {}}]}"#, "query", "", "aB: String? = nil", true),
        (
            #"{"type": "object", "properties": {"c": {"type": "array", "items": {"type": "object"}}, "d": {"type": "string"}}}"#,
            "query", #""style": "deepObject","#, #"query["a-b[d]"] = aB?.d"#, true
        ),
    ])
    func `A parameter that is a choice is sent as its value, or there is a warning`(
        schema: String,
        location: String,
        style: String,
        line: String,
        hasWarning: Bool
    ) throws {
        let required = location == "path" ? #""required": true,"# : ""
        let parameter = #"{"name": "a-b", "in": "\#(location)", \#(style) \#(required) "schema": \#(schema)}"#
        let path = location == "path" ? "/x/{a-b}" : "/x"
        let operation = #"{"operationId": "x", "parameters": [\#(parameter)], "responses": {}}"#
        let code = try Generated(paths: #"{"\#(path)": {"get": \#(operation)}}"#)
        #expect(code.requests.contains(line))
        #expect(
            code.models.contains("QueryValue {") == (location != "query" && !hasWarning || style.isEmpty && !hasWarning)
        )
        #expect(code.warnings.isEmpty != hasWarning)
    }

    /// The encoding of a list in a form, and of another one.
    @Test(arguments: [
        (
            #""a": {"style": "deepObject"}, "b": {"style": "deepObject"}"#, ", style: QueryStyle(arrays: .brackets)",
            false
        ),
        (#""a": {"explode": false}, "b": {"explode": false}"#, ", style: QueryStyle(arrays: .commas)", false),
        (#""a": {"style": "deepObject"}"#, ", style: QueryStyle(arrays: .brackets)", true), ("", "", false),
        (#""a": {"style": "pipeDelimited"}"#, "", true), (#""a": {"contentType": "application/json"}"#, "", true),
        (#""a": {"headers": {}}"#, "", true),
    ])
    func `The lists of a form are written as its encoding says`(encoding: String, style: String, hasWarning: Bool)
        throws
    {
        let lists = ["a", "b"].map { #""\#($0)": {"type": "array", "items": {"type": "string"}}"# }.joined(
            separator: ","
        )
        let media = #"{"schema": {"type": "object", "properties": {\#(lists)}}, "encoding": {\#(encoding)}}"#
        let body = #""requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": \#(media)}}"#
        let code = try Generated(paths: #"{"/x": {"post": {"operationId": "x", \#(body), "responses": {}}}}"#)
        #expect(code.requests.contains("content: .form(body\(style))"))
        #expect(code.warnings.isEmpty != hasWarning)
    }

    /// A key and a parameter of the same name: names of headers have no case.
    @Test(arguments: [("query", "key", "key"), ("header", "X-Key", "x-key")])
    func `A parameter that credentials show is left out, unless the operation needs none`(
        place: String,
        scheme: String,
        name: String
    ) throws {
        let key = #", "securitySchemes": {"k": {"type": "apiKey", "in": "\#(place)", "name": "\#(scheme)"}}"#
        let parameter = #"{"name": "\#(name)", "in": "\#(place)", "schema": {"type": "string"}}"#
        let operation = #""parameters": [\#(parameter)], "responses": {}"#
        let paths =
            #"{"/a": {"get": {"operationId": "a", \#(operation)}}, "/b": {"get": {"operationId": "b", "security": [], \#(operation)}}}"#
        let code = try Generated(paths: paths, components: key, other: #""security": [{"k": []}],"#).requests
        let owner = place == "query" ? "query" : "headers"
        #expect(code.components(separatedBy: "\(owner)[\"\(name)\"] = ").count - 1 == (place == "query" ? 2 : 1))
        #expect(
            code.contains("class ARequest")
                && !code.components(separatedBy: "class BRequest")[0].contains("\"\(name)\"")
        )
    }

    /// A variant that no query can have, and lists in a choice.
    @Test(arguments: [
        (#"{"oneOf": [{"type": "string"}, {"title": "O", "properties": {"a": {}}}]}"#, "case .o?: break"),
        (
            #"{"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}"#,
            #"case .integers(let value)?: query["a-b"] = value.queryTexts.joined(separator: ",")"#
        ),
    ])
    func `Each variant of a choice in a query has a statement`(schema: String, line: String) throws {
        let style = schema.contains("array") ? #""explode": false,"# : #""style": "deepObject","#
        let operation = #"{"operationId": "x", \#(Self.query(schema, style))}"#
        #expect(try Generated(paths: #"{"/x": {"get": \#(operation)}}"#).requests.contains(line))
    }

    @Test func `A list of choices of objects in a form has indices, also if one stands before it`() throws {
        let choice = #"{"oneOf": [{"title": "A", "properties": {"a": {"type": "string"}}}, {"type": "string"}]}"#
        let form =
            ##"{"type": "object", "properties": {"b": {"$ref": "#/components/schemas/C"}, "l": {"type": "array", "items": {"$ref": "#/components/schemas/C"}}}}"##
        let body =
            #""requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": \#(form)}}}"#
        let paths = #"{"/x": {"post": {"operationId": "x", \#(body), "responses": {}}}}"#
        let code = try Generated(paths: paths, schemas: #"{"C": \#(choice)}"#)
        #expect(code.requests.contains("style: QueryStyle(arrays: .indices)"))
    }

    @Test func `A list of a query in the style of deepObject has brackets`() throws {
        let code = try leaf(Self.query(#"{"type": "array", "items": {"type": "string"}}"#, #""style": "deepObject","#))
        #expect(code.contains(#"query["a-b[]"] = aB"#))
    }

    @Test(arguments: [
        (#"{"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}"#, true),
        (#"{"type": "array", "items": {"type": "string"}}"#, false), (#"{"type": "string"}"#, false),
    ])
    func `A list of objects in a form has indices`(schema: String, isIndexed: Bool) throws {
        let form = #"{"type": "object", "properties": {"items": \#(schema)}}"#
        let body = #"{"content": {"application/x-www-form-urlencoded": {"schema": \#(form)}}}"#
        let code = try Generated(
            paths: #"{"/a": {"post": {"operationId": "a", "requestBody": \#(body), "responses": {}}}}"#
        )
        #expect(code.requests.contains("style: QueryStyle(arrays: .indices)") == isIndexed)
    }

    @Test func `Operations without tags are in files by the part of the path after its version`() throws {
        let reply = #"{"get": {"responses": {}}}"#
        let paths = (0..<40).map { "\"/api/v1/\($0 % 2 == 0 ? "books" : "authors")/p\($0)\": \(reply)" }
        let files = try Generated(paths: "{\(paths.joined(separator: ", "))}").files.keys
        #expect(files.contains("BooksRequests.swift") && files.contains("AuthorsRequests.swift"))
    }

    @Test func `The path in a comment is not cut`() throws {
        let path =
            "/organizations/{organization_id}/networks/{network_identifier}/interfaces/{interface_identifier}/<upload>/x"
        let code = try Generated(paths: #"{"\#(path)": {"get": {"operationId": "a", "responses": {}}}}"#)
        #expect(code.requests.contains("\(path)`"))
    }

    /// Media types of a reply: the result, and what the leaf asks for.
    @Test(arguments: [
        (["application/octet-stream", "text/event-stream"], "Data", ["application/octet-stream"]),
        (["application/pdf", "text/csv"], "Data", ["application/pdf", "text/csv"]),
        (["text/csv", "text/plain"], "String", []), (["text/plain", "text/event-stream"], "String", []),
        (["application/vnd.api+json"], "String", ["application/vnd.api+json", "application/json"]),
        (["application/hal+json", "application/json"], "String", []),
    ])
    func `The types of a reply give its result and the header Accept`(
        types: [String],
        result: String,
        accepts: [String]
    )
        throws
    {
        let content = types.map { "\"\($0)\": {\"schema\": {\"type\": \"string\"}}" }.joined(separator: ", ")
        let code = try Generated(
            paths: #"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {\#(content)}}}}}}"#
        ).requests
        #expect(code.contains("typealias ModelType = \(result)\n"))
        let list = accepts.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(code.contains("acceptedTypes = [\(list)]") == !accepts.isEmpty)
        #expect(code.contains("EventRequest") == types.contains("text/event-stream"))
    }

    @Test(arguments: [("Ends with [DONE].", true), ("Ends.", false)])
    func `Streams of events have an end mark if the document names it anywhere`(text: String, isThere: Bool) throws {
        let content = #"{"text/event-stream": {"schema": {"type": "string"}}}"#
        let code = try Generated(
            paths: #"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": \#(content)}}}}}"#,
            schemas: #"{"Other": {"description": "\#(text)"}}"#
        )
        #expect(code.requests.contains(#"let endMark = "[DONE]""#) == isThere)
    }

    /// A schema of a required header, and its parameter.
    @Test(arguments: [
        (#"{"type": "string", "default": "2025-09-03"}"#, #"v: String = "2025-09-03""#),
        (#"{"type": "integer", "default": 3}"#, "v: Int = 3"),
        (#"{"type": "boolean", "default": true}"#, "v: Bool = true"),
        (#"{"type": "number", "default": 1.5}"#, "v: Double = 1.5"),
        (#"{"type": "string", "enum": ["app"]}"#, "v: V = .app"),
        (#"{"type": "string", "enum": ["a", "b"], "default": "b"}"#, "v: V = .b"),
        (#"{"type": "string"}"#, "v: String"),
        (#"{"type": "string", "enum": ["a", "b"], "default": "c"}"#, "v: V"),
        (#"{"type": "integer", "default": "x"}"#, "v: Int"),
    ])
    func `A required parameter has the default of the document, or its only value`(schema: String, parameter: String)
        throws
    {
        let list = #"{"name": "v", "in": "header", "required": true, "schema": \#(schema)}"#
        let query = #"{"name": "q", "in": "query", "required": true, "schema": {"type": "string"}}"#
        let code = try Generated(
            paths: #"{"/a": {"get": {"operationId": "a", "parameters": [\#(list), \#(query)], "responses": {}}}}"#
        )
        #expect(
            code.requests.contains(parameter.contains("=") ? "(q: String, \(parameter))" : "(\(parameter), q: String)")
        )
    }

    @Test(arguments: [
        ("get", #"{"type": "object", "properties": {}}"#, false),
        ("delete", #"{"type": "object", "properties": {}}"#, false),
        ("delete", #"{"type": "object", "additionalProperties": true}"#, true),
        ("post", #"{"type": "object", "properties": {}}"#, true),
    ])
    func `A body without members is left out where a call has no body`(method: String, schema: String, hasBody: Bool)
        throws
    {
        let body = #"{"content": {"application/json": {"schema": \#(schema)}}}"#
        let code = try Generated(
            paths: #"{"/a": {"\#(method)": {"operationId": "a", "requestBody": \#(body), "responses": {}}}}"#
        )
        #expect(code.requests.contains("json:") == hasBody)
        #expect(code.warnings.isEmpty)
    }

    @Test(arguments: [
        ("/a/{id}", "simple", #"/a/\(segment: id, named: "id")"#),
        ("/a/{id}.json", "simple", #"/a/\(segment: id, named: "id").json"#),
        ("/a/{id}", "label", #"/a/.\(segment: id, named: "id")"#),
        ("/a/{id}", "matrix", #"/a/;id=\(segment: id, named: "id")"#),
        ("/a/{id}#part", "simple", #"/a/\(segment: id, named: "id")""#),
        ("/{id}/{id}", "simple", #"/\(segment: id, named: "id")/\(segment: id, named: "id")"#),
    ])
    func `A path parameter is inserted into the path in its style (simple, label or matrix)`(
        path: String,
        style: String,
        text: String
    ) throws {
        let parameters =
            #""parameters": [{"name": "id", "in": "path", "style": "\#(style)", "schema": {"type": "integer"}}]"#
        let code = try leaf("\(parameters), \"responses\": {}", path: path)
        #expect(code.contains("public init(id: Int)"))
        #expect(code.contains(text))
    }

    @Test func `A query string in a path of the document becomes a query item of the generated request`() throws {
        #expect(try leaf(#""responses": {}"#, path: "/a?action=go").contains(#"query["action"] = "go""#))
    }

    @Test func `Header and cookie parameters become headers of the request, except Host and Accept`() throws {
        let code = try leaf(
            #"""
            "parameters": [{"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
            {"name": "X-N", "in": "header", "required": true, "schema": {"type": "integer"}},
            {"name": "sid", "in": "cookie", "schema": {"type": "string"}},
            {"name": "Host", "in": "header", "schema": {"type": "string"}},
            {"name": "Accept", "in": "header", "schema": {"type": "string"}}], "responses": {}
            """#
        )
        #expect(code.contains("public init(xN: Int, xTrace: String? = nil, sid: String? = nil)"))
        #expect(code.contains(#"headers["X-Trace"] = xTrace"#))
        #expect(code.contains(#"headers["X-N"] = xN.queryTexts.joined(separator: ",")"#))
        #expect(code.contains(#"headers["Cookie"] = sid.map { "sid=\($0)" }"#))
    }

    @Test func `A query parameter named query, self or in does not clash with the request's own names`() throws {
        let names = ["query", "self", "init", "path", "in"]
        let list = names.map { #"{"name": "\#($0)", "in": "query", "schema": {"type": "string"}}"# }.joined(
            separator: ","
        )
        let code = try leaf(#""parameters": [\#(list)], "responses": {}"#)
        #expect(code.contains(#"self.query["query"] = query"#))
        #expect(code.contains(#"self.query["self"] = selfValue"#))
        #expect(code.contains(#"self.query["in"] = `in`"#))
    }

    private static func body(_ type: String, _ schema: String, _ more: String = #""required": true,"#) -> String {
        #""requestBody": {\#(more) "content": {"\#(type)": {"schema": \#(schema)}}}, "responses": {}"#
    }

    @Test(arguments: [
        (body("application/json", #"{"type": "string"}"#), "_ body: String)", "json: body)"),
        (body("application/json", #"{"type": "string"}"#, ""), "_ body: String? = nil)", "json: body)"),
        (
            body("application/merge-patch+json", "{}"), "_ body: JSONValue)",
            #"contentType = "application/merge-patch+json""#
        ),
        (
            body("application/x-www-form-urlencoded", #"{"properties": {"a": {"type": "string"}}}"#), "_ body: Body)",
            "content: .form(body))"
        ),
        (body("application/octet-stream", "{}"), "_ body: HTTPBody)", #"contentType = "application/octet-stream""#),
        (body("image/png", "{}", ""), "_ body: HTTPBody? = nil)", "content: body)"),
        (body("text/plain", "{}"), "_ text: String)", #"content: .data(Data(text.utf8), type: "text/plain"))"#),
        (body("multipart/form-data", "{}"), "_ parts: [MultipartPart])", "content: .multipart(parts))"),
        (
            body("multipart/form-data", #"{"properties": {"f": {"type": "string", "format": "binary"}}}"#),
            "f: HTTPBody? = nil)", #"if let f { parts.append(MultipartPart(name: "f", content: f)) }"#
        ),
    ])
    func `The media type of a request body decides its Swift parameter type and its encoding`(
        operation: String,
        parameter: String,
        statement: String
    ) throws {
        let code = try leaf(operation, method: "post")
        #expect(code.contains(parameter))
        #expect(code.contains(statement))
    }

    private static func reply(_ status: String, _ content: String) -> String {
        #""responses": {"\#(status)": {"content": {\#(content)}}}"#
    }

    @Test(arguments: [
        (reply("200", #""application/json": {"schema": {"type": "string"}}"#), "ModelType = String"),
        (reply("2XX", #""application/json": {"schema": {"type": "integer"}}"#), "ModelType = Int"),
        (reply("default", #""application/json": {"schema": {"type": "integer"}}"#), "ModelType = Int"),
        (reply("200", #""text/plain": {}"#), "ModelType = String"),
        (reply("200", #""application/json": {}"#), "ModelType = JSONValue"),
        (reply("200", #""image/png": {}"#), #"acceptedTypes = ["image/png"]"#), (reply("200", ""), "ModelType = Void"),
        (reply("404", #""application/json": {}"#), "ModelType = Void"), (#""responses": {}"#, "ModelType = Void"),
        (
            reply("200", #""text/event-stream": {"schema": {"type": "integer"}}"#),
            "ShopAPI, EventRequest {\n    public typealias EventType = Int"
        ),
        (
            #""responses": {"200": {"content": {"application/json": {"schema": {"type": "integer"}}}}, "204": {}}"#,
            "ModelType = Int?"
        ),
    ])
    func `The status code and media type of a response decide the result type of the request class`(
        operation: String,
        text: String
    ) throws {
        #expect(try leaf(operation).contains(text))
    }

    @Test func `A deprecated operation gives a request class marked as deprecated`() throws {
        #expect(try leaf(#""deprecated": true, "responses": {}"#).contains("@available(*, deprecated"))
    }

    @Test(arguments: [
        ("options", "super.init(.init(.options, \"/x\"))"),
        ("trace", "super.init(.init(HTTPMethod(rawValue: \"TRACE\"), \"/x\"))"),
        ("head", "super.init(.head(\"/x\"))"), ("delete", "super.init(.delete(\"/x\"))"),
        ("query", "super.init(.query(\"/x\"))"),
    ])
    func `An OPTIONS, TRACE, HEAD, DELETE or QUERY operation gives a request with that method`(
        method: String,
        statement: String
    ) throws {
        #expect(try leaf(#""responses": {}"#, method: method).contains(statement))
    }

    /// OpenAPI 3.2. A method has no other place for text that could become code.
    @Test func `The methods in additionalOperations of a path give requests, if they are tokens`() throws {
        let body = Self.body("application/json", #"{"type": "string"}"#)
        let code = try Generated(
            paths: #"""
                {"/a": {"additionalOperations": {"COPY": {"responses": {}}, "QUERY": {\#(body)},
                "\") + evil(\"": {"responses": {}}}}}
                """#
        )
        #expect(code.requests.contains(#"super.init(.init(HTTPMethod(rawValue: "COPY"), "/a"))"#))
        #expect(code.requests.contains("class CopyARequest"))
        #expect(code.requests.contains(#"super.init(.query("/a", json: body))"#))
        #expect(!code.requests.contains("evil"))
        #expect(code.warnings.contains { $0.hasSuffix("a method is a token") })
    }

    @Test func `Keys that are no HTTP methods, and paths without a leading slash, give no request class`() throws {
        let code = try Generated(
            paths: #"{"/a": {"copy": {}, "x-get": {}, "summary": "s"}, "x-b": {}, "c": {"get": {}}}"#
        )
        #expect(code.requests.isEmpty)
        #expect(code.warnings.contains { $0.hasPrefix("#/paths/c:") })
    }
}
