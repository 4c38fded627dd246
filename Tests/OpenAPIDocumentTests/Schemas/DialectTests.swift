import Foundation
import Testing

@testable import OpenAPIDocument

@Suite struct DialectTests {
    private static let keywords: [(String, String, Dialect, Bool)] = [
        (#"{"type": "string", "nullable": true}"#, "null", Dialect.openAPI30, true),
        (#"{"type": "string", "nullable": true}"#, "null", .openAPI31, true),
        (#"{"type": "string", "nullable": true}"#, "null", .jsonSchema, false),
        (#"{"type": "string", "enum": ["a"], "nullable": true}"#, "null", .openAPI30, true),
        (##"{"allOf": [{"$ref": "#/x"}], "nullable": true, "x": {"type": "object"}}"##, "null", .openAPI30, true),
        (##"{"allOf": [{"$ref": "#/x"}, {"nullable": true}], "x": {"type": "object"}}"##, "null", .openAPI30, true),
        (##"{"allOf": [{"$ref": "#/x"}], "x": {"type": "object"}}"##, "null", .openAPI30, false),
        (##"{"$ref": "#/x", "nullable": true, "x": {"type": "object"}}"##, "null", .openAPI30, false),
        (##"{"$ref": "#/x", "nullable": true, "x": {"type": "object"}}"##, "null", .openAPI31, true),
        (##"{"$ref": "#/x", "maximum": 1, "x": {}}"##, "2", .openAPI30, true),
        (##"{"$ref": "#/x", "maximum": 1, "x": {}}"##, "2", .openAPI31, false),
        (#"{"minimum": 1, "exclusiveMinimum": true}"#, "1", .openAPI30, false),
        (#"{"minimum": 1, "exclusiveMinimum": false}"#, "1", .openAPI30, true),
        (#"{"maximum": 1, "exclusiveMaximum": true}"#, "1", .openAPI30, false),
        (#"{"const": 1, "prefixItems": [false], "if": true, "then": false}"#, "[2]", .openAPI30, true),
        (#"{"patternProperties": {"a": false}, "propertyNames": false}"#, #"{"a": 1}"#, .openAPI30, true),
    ]

    @Test(arguments: keywords)
    func `Dialects differ in keywords`(schema: String, value: String, dialect: Dialect, isFitting: Bool) throws {
        #expect(try SchemaCase(schema, dialect).lines(value).isEmpty == isFitting)
    }

    @Test(arguments: ["3.0", "3.0.3", "'3.0'", "3.1"])
    func `The version may be a number of YAML`(version: String) throws {
        let schemas = "{A: {$ref: '#/components/schemas/B', maximum: 0}, B: {}}"
        let text = "openapi: \(version)\ncomponents: {schemas: \(schemas)}"
        let document = try Document(Data(text.utf8), name: "openapi.yaml")
        let schema = try #require(document.root.target(of: "#/components/schemas/A"))
        let findings = Schemas(of: document).findings(in: .number("1"), schema: schema, direction: nil)
        // In 3.0, what stands beside a reference is not read.
        #expect(findings.isEmpty == (version != "3.1"))
    }

    private static let directions: [(Direction?, [String])] = [
        (Direction?.none, ["#/id is missing", "#/key is missing", "#/tag is missing", "#/name is missing"]),
        (.request, ["#/key is missing", "#/name is missing"]),
        (.reply, ["#/id is missing", "#/tag is missing", "#/name is missing"]),
    ]

    @Test(arguments: directions)
    func `readOnly members are not required in requests, writeOnly ones not in replies`(
        direction: Direction?,
        lines: [String]
    ) throws {
        let test = try SchemaCase(
            components: #"""
                {"A": {"allOf": [{"$ref": "#/components/schemas/B"}, {"required": ["id", "key", "tag", "name"]}]},
                "B": {"properties": {"id": {"type": "string", "readOnly": true}, "key": {"writeOnly": true},
                "tag": {"$ref": "#/components/schemas/C"}, "name": {}}}, "C": {"readOnly": true, "type": "string"}}
                """#
        )
        #expect(try test.lines("{}", direction) == lines)
        #expect(try test.lines(#"{"id": "", "key": 1, "tag": "", "name": 1}"#, direction) == [])
    }

    private static let texts: [(String, String, Bool)] = [
        ("integer", "1", true), ("integer", "1.5", false), ("integer", "a", false), ("number", "-1.5e3", true),
        ("number", "01", false), ("boolean", "true", true), ("boolean", "yes", false), ("null", "null", true),
        ("array", "[]", false), ("string", "1", true),
    ]

    @Test(arguments: texts)
    func `A text counts as the type that it reads as`(type: String, text: String, isFitting: Bool) throws {
        let schema = try SchemaCase("{\"type\": \"\(type)\"}", .openAPI31)
        #expect(try schema.lines("\"\(text)\"", isText: true).isEmpty == isFitting)
        #expect(try schema.lines("\"\(text)\"").isEmpty == (type == "string"))
    }

    @Test func `Constants and limits apply to texts`() throws {
        let schema = try SchemaCase(
            #"{"properties": {"a": {"enum": [1, true, null, "x"]}, "b": {"type": "integer", "maximum": 5, "format": "int32"}}}"#,
            .openAPI30
        )
        for value in ["1", "1.0", "true", "null", "x"] {
            #expect(try schema.lines("{\"a\": \"\(value)\"}", isText: true) == [], "\(value)")
        }
        for value in ["2", "false", "y", ""] {
            #expect(try schema.lines("{\"a\": \"\(value)\"}", isText: true) != [], "\(value)")
        }
        #expect(try schema.lines(#"{"a": "1"}"#) != [])
        #expect(try schema.lines(#"{"b": "6"}"#, isText: true) == ["#/b is “6”, expected at most 5"])
        #expect(try schema.lines(#"{"b": "-2147483649"}"#, isText: true).count == 1)
    }
}
