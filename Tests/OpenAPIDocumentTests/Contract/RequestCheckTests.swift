import Foundation
import Testing

@testable import OpenAPIDocument

@Suite struct RequestCheckTests {
    private static func contract(parameters: String = "[]", more: String = "", path: String = "/x") throws -> Contract {
        let paths = "{\"\(path)\": {\"post\": {\"parameters\": \(parameters)\(more)}}}"
        return try Contract.of(paths: paths, others: #", "securitySchemes": {"k": {"in": "query", "name": "key"}}"#)
    }

    private static func parameter(_ location: String, _ schema: String, _ more: String = "") -> String {
        #"[{"name": "p", "in": "\#(location)", "schema": \#(schema)\#(more)}]"#
    }

    private static let integers = #"{"type": "array", "items": {"type": "integer"}}"#
    private static let object =
        #"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}"#

    // MARK: Parameters

    @Test(
        arguments: [
            ("query", #"{"type": "integer"}"#, "", "?p=5", "?p=five"),
            ("query", #"{"type": "boolean"}"#, "", "?p=true", "?p=1"),
            ("query", #"{"enum": ["a", "b"]}"#, "", "?p=b", "?p=c"), ("query", integers, "", "?p=1&p=2", "?p=1&p=b"),
            ("query", integers, #", "explode": false"#, "?p=1,2", "?p=1,b"),
            ("query", integers, #", "style": "pipeDelimited", "explode": false"#, "?p=1%7C2", "?p=1%7Cb"),
            ("query", integers, #", "style": "spaceDelimited", "explode": false"#, "?p=1%202", "?p=1,2"),
            ("query", integers, #", "style": "deepObject""#, "?p[]=1&p[]=2", "?p[]=b"),
            ("query", integers, #", "style": "deepObject""#, "?p[0]=1&p[1]=2", "?p[0]=1&p[1]=b"),
            ("query", object, #", "style": "deepObject""#, "?p[a]=1&p[b]=x", "?p[a]=x"),
            ("query", integers, #", "explode": false"#, "?p=1%2C2", "?p=1%2Cb"),
            ("query", #"{"type": "array", "maxItems": 1}"#, #", "explode": false"#, "?p=a%2Cb", "?p=a,b"),
            ("query", integers, #", "explode": false"#, "?p=1", "?p=1&p=b"),
            ("query", #"{"properties": {"a": {"type": "integer"}}}"#, "", "?a=1", "?a=x"),
            ("query", object, #", "required": true"#, "", "?b=x&a=y"),
            ("query", #"{"enum": ["a"]}"#, "", "?p=a", "?p=c"),
            ("query", object, "", "?a=1&b=x", "?a=x"),
            ("query", object, #", "explode": false"#, "?p=a,1,b,x", "?p=a,x"),
            ("query", #"{"type": ["integer", "null"]}"#, "", "?p=null", "?p=none"),
            ("query", #"{"type": "string", "format": "date"}"#, "", "?p=2026-01-02", "?p=2026-1-2"),
            ("query", #"{"type": "string", "minLength": 1}"#, #", "allowEmptyValue": true"#, "?p=", nil),
            (
                "query", #"{"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}"#, "",
                "?p=1", "?p=x"
            ),
        ] as [(String, String, String, String, String?)]
    )
    func `The value of a query parameter is read by its style and compared with its schema`(
        location: String,
        schema: String,
        more: String,
        good: String,
        bad: String?
    ) throws {
        let contract = try Self.contract(parameters: Self.parameter(location, schema, more))
        #expect(try contract.findings("POST /x\(good)") == [])
        guard let bad else { return }
        #expect(try contract.findings("POST /x\(bad)").map(\.deviation) == [.parameter("p")])
    }

    @Test(arguments: [
        (integers, "", "/1,2", "/1,b"), (#"{"type": "integer"}"#, "", "/5", "/five"),
        (integers, #", "style": "label""#, "/.1,2", "/.b"),
        (integers, #", "style": "label", "explode": true"#, "/.1.2", "/.b"),
        (integers, #", "style": "matrix""#, "/;p=1,2", "/;p=b"),
        (integers, #", "style": "matrix", "explode": true"#, "/;p=1;p=2", "/;p=b"),
        (object, "", "/a,1,b,x", "/a,x"), (object, #", "explode": true"#, "/a=1,b=x", "/a=x"),
        (#"{"type": "string", "maxLength": 3}"#, "", "/a%2Fb", "/abcd"),
    ])
    func `The value of a path parameter is read by its style`(
        schema: String,
        more: String,
        good: String,
        bad: String
    ) throws {
        let contract = try Self.contract(parameters: Self.parameter("path", schema, more), path: "/x/{p}")
        #expect(try contract.findings("POST /x\(good)") == [])
        #expect(try contract.findings("POST /x\(bad)").map(\.deviation) == [.parameter("p")])
    }

    @Test(arguments: ["header", "cookie"])
    func `Headers and cookies are compared, by names in any case`(location: String) throws {
        let schema = #"{"type": "integer"}"#
        let contract = try Self.contract(parameters: Self.parameter(location, schema, #", "required": true"#))
        func findings(_ value: String) throws -> [Deviation] {
            let headers = location == "header" ? ["P": value] : ["Cookie": "other=1; p=\(value)"]
            return try contract.findings("POST /x", headers: headers).map(\.deviation)
        }
        #expect(try findings("5") == [])
        #expect(try findings("five") == [.parameter("p")])
        #expect(try contract.findings("POST /x").map(\.deviation) == [.missingParameter("p")])
    }

    @Test func `Missing and unknown query items are findings with the place in the document`() throws {
        let contract = try Self.contract(parameters: Self.parameter("query", "{}", #", "required": true"#))
        let findings = try contract.findings("POST /x?q=1&key=secret")
        #expect(findings.map(\.deviation) == [.missingParameter("p"), .undocumentedParameter("q")])
        #expect(findings.map(\.pointer) == ["#/paths/~1x/post/parameters/0", "#/paths/~1x/post/parameters"])
        let text = "POST /x, request: query item “p” is missing. See api.json #/paths/~1x/post/parameters/0"
        #expect(findings.first?.description == text)
        #expect(try Self.contract().findings("POST /x?q=1").first?.reason.contains("the operation has none") == true)
    }

    @Test func `A parameter of the operation replaces that of the path, and one with JSON is read as JSON`() throws {
        let json = #"{"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}"#
        let paths = """
            {"/x": {"parameters": [{"name": "p", "in": "query", "schema": {"type": "integer"}}],
            "get": {"parameters": [{"name": "p", "in": "query", "schema": {"type": "string"}}, \(json)]}}}
            """
        let contract = try Contract.of(paths: paths)
        #expect(try contract.findings("GET /x?p=a&f=%7B%22a%22%3A1%7D") == [])
        #expect(try contract.findings("GET /x?f=5").map(\.deviation) == [.parameter("f")])
    }

    @Test func `Items of two objects go to the one that names them, and others are not documented`() throws {
        let parameters = """
            [{"name": "page", "in": "query", "required": true, "schema": {"type": "object", "properties": {
            "size": {"type": "integer"}}}}, {"name": "filter", "in": "query", "schema": {"type": "object",
            "properties": {"author": {"type": "string"}}}}]
            """
        let contract = try Self.contract(parameters: parameters)
        #expect(try contract.findings("POST /x?size=5&author=a&key=secret") == [])
        #expect(try contract.findings("POST /x") == [])
        #expect(try contract.findings("POST /x?other=1").map(\.deviation) == [.undocumentedParameter("other")])
        #expect(try contract.findings("POST /x?size=a").map(\.deviation) == [.parameter("page")])
    }

    @Test(arguments: ["User-Agent", "Content-Length", "Authorization", "password"])
    func `Headers of the transport and of credentials are not required`(name: String) throws {
        let parameter = #"[{"name": "\#(name)", "in": "header", "required": true, "schema": {"type": "string"}}]"#
        #expect(try Self.contract(parameters: parameter).findings("POST /x") == [])
    }

    @Test func `A path parameter without a place in the path is left out`() throws {
        let contract = try Self.contract(parameters: Self.parameter("path", #"{"type": "integer"}"#))
        #expect(try contract.findings("POST /x") == [])
    }

    // MARK: Bodies

    private static func body(_ type: String, _ schema: String, _ more: String = "") -> String {
        #", "requestBody": {"required": true, "content": {"\#(type)": {"schema": \#(schema)\#(more)}}}"#
    }

    @Test(
        arguments: [
            ("application/json", #"{"a": 1}"#, []), ("application/json; charset=utf-8", #"{"a": 1}"#, []),
            ("application/json", #"{"a": "1"}"#, [.body("#/a")]),
            ("application/json", #"{"c": 1}"#, [.unknownMember("#/c")]),
            ("application/json", #"{"a": }"#, [.body("#")]), ("application/json", "", [.missingBody]),
            ("text/plain", "a", [.undocumentedMediaType("text/plain")]), (nil, "{}", [.undocumentedMediaType("")]),
        ] as [(String?, String, [Deviation])]
    )
    func `A JSON body is compared with its media type and its schema`(
        type: String?,
        body: String,
        deviations: [Deviation]
    ) throws {
        let contract = try Self.contract(more: Self.body("application/json", Self.object))
        #expect(try contract.findings("POST /x", type: type, body: body).map(\.deviation) == deviations)
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("application/*", "application/json"), ("*/*", "application/json"),
        ("application/vnd.api+json", "application/vnd.api+json"), ("Application/JSON", "application/json"),
        ("application/*+json", "application/vnd.api+json"),
    ])
    func `Ranges of media types include others`(documented: String, sent: String) throws {
        let contract = try Self.contract(more: Self.body(documented, Self.object))
        #expect(try contract.findings("POST /x", type: sent, body: #"{"a": 1}"#) == [])
        #expect(try contract.findings("POST /x", type: sent, body: #"{"a": true}"#).map(\.deviation) == [.body("#/a")])
    }

    @Test func `A body where none is documented is a finding`() throws {
        let contract = try Self.contract()
        let deviations = try contract.findings("POST /x", type: "application/json", body: "{}").map(\.deviation)
        #expect(deviations == [.undocumentedBody])
        #expect(try contract.findings("POST /x") == [])
    }

    @Test(
        arguments: [
            ("a=1&b=x", []), ("a=x", [.body("#/a")]), ("c=1", [.unknownMember("#/c")]), ("t=1&t=2", []),
            ("t[]=1&t[]=2", []), ("t[0]=1&t[1]=x", [.body("#/t/1")]), ("t=1", []), ("o[n][m]=5", []),
            ("o[n][m]=x", [.body("#/o/n/m")]),
            ("l=1,2", []), ("l=1,x", [.body("#/l/1")]),
        ] as [(String, [Deviation])]
    )
    func `A form is read with its brackets and the styles of its encoding`(body: String, deviations: [Deviation]) throws
    {
        let schema = """
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, "t": \(Self.integers),
            "l": \(Self.integers), "o": {"type": "object", "properties": {"n": {"type": "object", "properties": {
            "m": {"type": "integer"}}}}}}}
            """
        let encoding = #", "encoding": {"l": {"explode": false}}"#
        let type = "application/x-www-form-urlencoded"
        let contract = try Self.contract(more: Self.body(type, schema, encoding))
        #expect(try contract.findings("POST /x", type: type, body: body).map(\.deviation) == deviations)
    }

    @Test func `The parts of a form with files are compared by their names and texts`() throws {
        let schema = """
            {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"},
            "n": {"type": "integer"}, "o": {"type": "object", "properties": {"a": {"type": "integer"}}}}}
            """
        let contract = try Self.contract(more: Self.body("multipart/form-data", schema))
        func deviations(_ parts: [(String, String)]) throws -> [Deviation] {
            let lines = parts.map { "--B\r\nContent-Disposition: form-data; \($0)\r\n\r\n\($1)\r\n" }
            let body = lines.joined() + "--B--\r\n"
            return try contract.findings("POST /x", type: "multipart/form-data; boundary=\"B\"", body: body).map(
                \.deviation
            )
        }
        let file = (#"name="file"; filename="a.png""#, "\u{1}")
        #expect(try deviations([file, (#"name="n""#, "5"), (#"name="o""#, #"{"a": 1}"#)]) == [])
        #expect(try deviations([file, (#"name="n""#, "x")]) == [.body("#/n")])
        #expect(
            try deviations([(#"name="n""#, "5"), (#"name="other""#, "")]) == [
                .body("#/file"), .unknownMember("#/other"),
            ]
        )
    }

    @Test(arguments: [
        ("--B\r\n\(head)\r\n\r\nx --B y\r\n--Bc\r\n--B--\r\n", "x --B y\r\n--Bc"), ("--B\r\n\(head)\r\n\r\nx", "x"),
        ("before\r\n--B \r\nX-Y: 1\r\n\(head)\r\n\r\nx\r\n--B--after", "x"), ("--B\r\n\(head)\r\n\r\n\r\n--B", ""),
        ("--B\r\n--B\r\n\(head); filename=\"a; name=b\"\r\n\r\nx\r\n--B--", "file 1"),
    ])
    func `A part ends at a line that is the boundary, or with the body`(body: String, text: String) throws {
        let type = "multipart/form-data; boundary=B"
        let schema = try #require(String(data: JSONEncoder().encode(["const": text]), encoding: .utf8))
        let properties = #"{"required": ["a"], "properties": {"a": \#(schema)}}"#
        let contract = try Self.contract(more: Self.body("multipart/form-data", properties))
        #expect(try contract.findings("POST /x", type: type, body: body).map(\.reason) == [])
    }

    @Test func `The text of a file is not compared`() throws {
        let file = #"{"type": "string", "format": "binary", "minLength": 5}"#
        let schema = #"{"required": ["a"], "properties": {"a": \#(file)}}"#
        let body = "--B\r\nContent-Disposition: form-data; name=a; filename=f\r\n\r\n\u{1}\r\n--B--\r\n"
        let contract = try Self.contract(more: Self.body("multipart/form-data", schema))
        #expect(try contract.findings("POST /x", type: "multipart/form-data; boundary=B", body: body) == [])
    }

    @Test(arguments: ["pageToken", "code", "session"])
    func `A query item of a secret name is undocumented like any other`(name: String) throws {
        let document = #"{"openapi": "3.1.0", "paths": {"/x": {"get": {"responses": {"200": {}}}}}}"#
        let contract = try Contract(Document(Data(document.utf8), name: "api.json"), isSecret: { _ in true })
        let found = try contract.findings("GET https://h/x?\(name)=1")
        #expect(found.map(\.deviation) == [.undocumentedParameter(name)])
    }

    @Test func `Cookies may be in several headers, and their names are no form`() throws {
        let cookies = ["a", "b+c"].map { #"{"name": "\#($0)", "in": "cookie", "required": true}"# }
        let url = try #require(URLComponents(string: "https://api.example.com/v1/x"))
        let headers = ["a=1", "b+c=2"].map { (name: "Cookie", value: $0) }
        let request = SentRequest(method: "POST", url: url, message: Message(headers: headers, body: Data()))
        #expect(try Self.contract(parameters: "[\(cookies.joined(separator: ","))]").findings(in: request) == [])
    }

    @Test(arguments: [
        ("[true]", "t"), ("[false]", "f"), (#"["a", null]"#, "n"), ("[[]]", "[]"), (#"[{"a": 1}, "a"]"#, "null"),
    ])
    func `A text such as t, f, n or [] does not fit constants of other types`(values: String, text: String)
        throws
    {
        let parameter = #"[{"name": "q", "in": "query", "schema": {"enum": \#(values)}}]"#
        #expect(try Self.contract(parameters: parameter).findings("POST /x?q=\(text)").count == 1)
    }

    private static let withoutName: [(String, String, String, String)] = [
        ("", #"{"type": "object"}"#, #""canary""#, "body # is a string, expected an object"),
        ("", #"{"enum": [{"a": 1}]}"#, #"{"password": "canary"}"#, "body # does not fit, expected one of {a: 1}"),
        ("", #"{"enum": ["a"]}"#, #""canary""#, "body # does not fit, expected one of “a”"),
        ("?k=canary", #"{"maxLength": 2}"#, "", "query item “k” has 6 characters, expected at most 2"),
        ("?k=canary", #"{"enum": ["a"]}"#, "", "query item “k” does not fit, expected one of “a”"),
        ("?j=canary", #"{"type": "object"}"#, "", "query item “j” is a string, expected an object"),
    ]

    @Test(arguments: withoutName)
    func `A value that has no name, or is a credential, is not shown`(
        query: String,
        schema: String,
        body: String,
        reason: String
    ) throws {
        let parameters = """
            [{"name": "k", "in": "query", "schema": \(schema)}, {"name": "j", "in": "query", "content":
            {"application/json": {"schema": \(schema)}}}]
            """
        let media = body.isEmpty ? "" : Self.body("application/json", schema)
        let schemes = #", "securitySchemes": {"k": {"type": "apiKey", "in": "query", "name": "k"}}"#
        let contract = try Contract.of(
            paths: #"{"/x": {"post": {"parameters": \#(parameters)\#(media)}}}"#,
            others: schemes
        )
        let found = try contract.findings("POST /x\(query)", type: "application/json", body: body)
        #expect(found.map(\.reason) == [reason])
    }

    private static let head = "Content-Disposition: form-data; name=\"a\""

    @Test(.timeLimit(.minutes(1))) func `A form of very many parts, or with a very long head, is read at once`() throws
    {
        let type = "multipart/form-data; boundary=B"
        let contract = try Self.contract(more: Self.body("multipart/form-data", #"{"properties": {"b": {}}}"#))
        let head = String(repeating: "content-disposition:", count: 5_000)
        let parts = Self.items(2_000, "") { "--B\r\nContent-Disposition: form-data; name=a\($0)\r\n\r\nx\r\n" }
        let many = Self.items(50_000, "") { _ in "--B\r\nContent-Disposition: form-data; name=b\r\n\r\nx\r\n" }
        #expect(try contract.findings("POST /x", type: type, body: "\(many)--B--") == [])
        for (body, count) in [("--B\r\n\(head)\r\n\r\nx\r\n--B--", 0), ("\(parts)--B--", 1_000)] {
            #expect(try contract.findings("POST /x", type: type, body: body).count == count)
        }
    }

    @Test func `A parameter or a body whose reference leads nowhere is a finding`() throws {
        let parameters = ##"[{"$ref": "#/components/parameters/limit"}]"##
        let found = try Self.contract(parameters: parameters).findings("POST /x?limit=1")
        #expect(found.map(\.deviation) == [.parameter("limit")])
        #expect(found.first?.pointer == "#/paths/~1x/post/parameters/0")
        let body = try Self.contract(more: ##", "requestBody": {"$ref": "#/none"}"##).findings("POST /x", body: "{}")
        #expect(body.map(\.deviation) == [.body("#")] && body[0].pointer == "#/paths/~1x/post/requestBody")
    }

    @Test func `A part of JSON is what it says, also as a file, and each of several`() throws {
        let element = #"{"type": "object", "properties": {"a": {"type": "integer"}}}"#
        let schema =
            #"{"type": "object", "properties": {"o": \#(element), "l": {"type": "array", "items": \#(element)}}}"#
        let contract = try Self.contract(more: Self.body("multipart/form-data", schema))
        func deviations(_ parts: (String, String)...) throws -> [Deviation] {
            let lines = parts.map { "--B\r\nContent-Disposition: form-data; \($0)\r\n\r\n\($1)\r\n" }
            let type = "multipart/form-data; boundary=B"
            return try contract.findings("POST /x", type: type, body: lines.joined() + "--B--\r\n").map(\.deviation)
        }
        let blob = "name=\"o\"; filename=\"blob\"\r\nContent-Type: application/json"
        #expect(try deviations(("name=o", #"{"a": 1}"#), ("name=l", #"{"a": 1}"#)) == [])
        #expect(try deviations((blob, #"{"a": 1}"#), ("name=l", #"{"a": 1}"#), ("name=l", #"{"a": 2}"#)) == [])
        #expect(
            try deviations((blob, #"{"a": true}"#), ("name=l", #"{"b": 1}"#)) == [
                .body("#/o/a"), .unknownMember("#/l/0/b"),
            ]
        )
    }

    @Test func `Of media types that differ in parameters, the one that is sent counts`() throws {
        let types = [1, 2].map { #""application/json; v=\#($0)": {"schema": {"const": \#($0)}}"# }.joined(
            separator: ","
        )
        let contract = try Self.contract(more: #", "requestBody": {"content": {\#(types)}}"#)
        #expect(try contract.findings("POST /x", type: "application/json; v=2", body: "2") == [])
        #expect(try contract.findings("POST /x", type: "application/json; v=2", body: "1").count == 1)
    }

    @Test(arguments: [
        ("application/json; v=2; charset=utf-8", "2"), ("application/json; charset=utf-8;v=2", "2"),
        ("application/json; v=\"2\"", "2"), ("application/json;\tv=2", "2"), ("Application/JSON ; V=2", "2"),
        ("application/json; v=1", "1"), ("application/json", "1"), ("application/json; charset=utf-8", "1"),
    ])
    func `A media type is found with its parameters in any form`(type: String, body: String) throws {
        let types = [1, 2].map { #""application/json; v=\#($0)": {"schema": {"const": \#($0)}}"# }
        let contract = try Self.contract(more: #", "requestBody": {"content": {\#(types.joined(separator: ","))}}"#)
        #expect(try contract.findings("POST /x", type: type, body: body) == [])
    }

    @Test(arguments: [
        (#"{"anyOf": [{"type": "integer"}, {"type": "object"}]}"#, #"{"a":1}"#, ""),
        (#"{"anyOf": [{"type": "integer"}, {"type": "array"}]}"#, "5", ""), (integers, "1|2", "pipeDelimited"),
        (integers, "1 2", "spaceDelimited"),
    ])
    func `A field of a form has the style of its encoding, or is JSON`(schema: String, text: String, style: String)
        throws
    {
        let encoding = style.isEmpty ? "" : #", "encoding": {"p": {"style": "\#(style)"}}"#
        let type = "application/x-www-form-urlencoded"
        let contract = try Self.contract(more: Self.body(type, #"{"properties": {"p": \#(schema)}}"#, encoding))
        #expect(try contract.findings("POST /x", type: type, body: "p=\(text.replacing(" ", with: "+"))") == [])
    }

    @Test func `A finding is one line, whatever the value is`() throws {
        let query = "?a%0Ab=1&p=x%0A%1B%22y"
        let found = try Self.contract(parameters: Self.parameter("query", Self.integers)).findings("POST /x\(query)")
        #expect(found.count == 2 && !found.contains { "\($0)".contains { $0.isNewline || $0 == "\u{1B}" } }, "\(found)")
        #expect(found[0].reason.contains(#"x\n\u001b"y"#), "\(found)")
        let path = try Self.contract().findings("POST /y%0A")
        #expect(path.map(\.deviation) == [.undocumentedOperation("POST /v1/y%0A")])
    }

    @Test(arguments: [#"{"password": ["canary"]}"#, #"{"password": {"value": "canary"}}"#])
    func `The values within a secret are not in a finding`(body: String) throws {
        let schema =
            #"{"properties": {"password": {"items": {"maxLength": 3}, "properties": {"value": {"maxLength": 3}}}}}"#
        let contract = try Self.contract(more: Self.body("application/json", schema))
        let findings = try contract.findings("POST /x", type: "application/json", body: body)
        #expect(findings.count == 1 && !"\(findings)".contains("canary"))
    }

    @Test func `A body of very many brackets is read on a deep stack`() throws {
        let contract = try Self.contract(more: Self.body("application/json", "{}"))
        let body = String(repeating: "[", count: 990) + String(repeating: "]", count: 990)
        let findings = try contract.findings("POST /x", type: "application/json", body: body)
        #expect(findings == [])
    }

    @Test func `A query item that is called like a secret may be missing only if it is one of a security scheme`()
        throws
    {
        let names = ["password", "key"].map { #"{"name": "\#($0)", "in": "query", "required": true}"# }
        let header = #"{"name": "password", "in": "header", "required": true}"#
        let list = (names + [header]).joined(separator: ",")
        let findings = try Self.contract(parameters: "[\(list)]").findings("POST /x")
        #expect(findings.map(\.deviation) == [.missingParameter("password")])
        #expect(findings.first?.reason.contains("query item") == true)
    }

    @Test func `A finding within a secret says what is wrong without the value`() throws {
        let schema = #"{"properties": {"password": {"required": ["b"], "properties": {"a": {"type": "integer"}}}}}"#
        let media = #", "requestBody": {"content": {"application/json": {"schema": \#(schema)}}}"#
        let body = #"{"password": {"a": "x", "c": 1}}"#
        let reasons = try Self.contract(more: media).findings("POST /x", type: "application/json", body: body).map(
            \.reason
        )
        #expect(
            reasons == [
                "body #/password/b is missing", "body #/password/a is a string, expected an integer",
                "body #/password/c is not in the schema",
            ]
        )
    }

    @Test(arguments: [
        #"{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}"#,
        #"{"type": ["array", "null"], "items": {"type": "string"}}"#,
    ])
    func `One text of a list in a form that may be null is a list`(schema: String) throws {
        let type = "application/x-www-form-urlencoded"
        let contract = try Self.contract(more: Self.body(type, #"{"type": "object", "properties": {"l": \#(schema)}}"#))
        #expect(try contract.findings("POST /x", type: type, body: "l=a") == [])
    }

    @Test(.timeLimit(.minutes(1))) func `Many headers of one name are joined in a short time`() throws {
        let headers = (0..<200_000).map { _ in (name: "p", value: "1") }
        let url = try #require(URLComponents(string: "https://api.example.com/v1/x"))
        let request = SentRequest(method: "POST", url: url, message: Message(headers: headers, body: Data()))
        #expect(try Self.contract(parameters: Self.parameter("header", Self.integers)).findings(in: request) == [])
    }

    private static func items(_ count: Int, _ separator: String, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: separator)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (#""in": "query", "schema": {"type": "string"}"#, 1_000),
            (#""in": "query", "style": "deepObject", "schema": {"type": "object"}"#, 1_000), (#""in": "cookie""#, 0),
        ]
    )
    func `Very many parameters and items are compared at once`(place: String, count: Int) throws {
        let parameters = Self.items(500, ",") { #"{"name": "p\#($0)", \#(place)}"# }
        let contract = try Self.contract(parameters: "[\(parameters)]")
        let line = "POST /x?" + (count == 0 ? "" : Self.items(5_000, "&") { "q\($0)=1" })
        let cookies = Self.items(5_000, "; ") { "k\($0)=1" }
        #expect(try contract.findings(line, headers: ["Cookie": cookies]).count == count)
    }

    @Test(.timeLimit(.minutes(1))) func `Very many fields of a form are compared at once`() throws {
        let variants = Self.items(15, ",") { #"{"type": "object", "properties": {"p\#($0)": {}}}"# }
        let schema =
            #"{"type": "object", "properties": {"a": {"type": "array", "items": {"oneOf": [\#(variants)]}}}}"#
        let type = "application/x-www-form-urlencoded"
        let contract = try Self.contract(more: Self.body(type, schema))
        let body = Self.items(1_100, "&") { "a[]=\($0)" }
        #expect(try contract.findings("POST /x", type: type, body: body).count == 1_000)
    }

    @Test func `The value of a secret is not in a finding`() throws {
        let schema = #"{"type": "object", "properties": {"password": {"type": "string", "enum": ["long"]}}}"#
        let contract = try Self.contract(more: Self.body("application/json", schema))
        let findings = try contract.findings("POST /x", type: "application/json", body: #"{"password": "canary"}"#)
        #expect(findings.count == 1 && !"\(findings)".contains("canary"))
    }
}
