import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// Schemas of a property, and the property that they become.
@Suite struct SchemaTests {
    static let others = ##"""
        "Pet": {"type": "object", "properties": {"name": {"type": "string"}}},
        "Names": {"type": "array", "items": {"type": "string"}}, "ID": {"type": "string", "nullable": true},
        "Loop": {"type": "array", "items": {"$ref": "#/components/schemas/Loop"}}
        """##

    private func property(_ schema: String, required: Bool = true) throws -> String? {
        let list = required ? #""required": ["x"],"# : ""
        return try Generated(
            schemas: #"{"Thing": {"type": "object", \#(list) "properties": {"x": \#(schema)}}, \#(Self.others)}"#
        )
        .property("x")
    }

    @Test(arguments: [
        (#"{"type": "string"}"#, "String"), (#"{"type": "integer"}"#, "Int"), (#"{"type": "number"}"#, "Double"),
        (#"{"type": "integer", "format": "int64"}"#, "Int64"), (#"{"type": "boolean"}"#, "Bool"),
        (#"{"type": "string", "format": "date-time"}"#, "Date"), (#"{"type": "string", "format": "uuid"}"#, "String"),
        (#"{"type": "string", "format": "byte"}"#, "Data"), ("{}", "JSONValue"), ("true", "JSONValue"),
        (#"{"type": "array", "items": {"type": "integer"}}"#, "[Int]"), (#"{"type": "array"}"#, "[JSONValue]"),
        (#"{"type": "array", "items": {"type": ["string", "null"]}}"#, "[String?]"),
        (#"{"type": "object"}"#, "[String: JSONValue]"), (##"{"$ref": "#/components/schemas/Pet"}"##, "Pet"),
        (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "[String: Int]"),
        (##"{"$ref": "#/components/schemas/Names"}"##, "[String]"),
        (##"{"allOf": [{"$ref": "#/components/schemas/Pet"}], "description": "d"}"##, "Pet"),
        (#"{"oneOf": [{"type": "string"}, {"type": "string", "enum": ["a"]}]}"#, "X"),
        (#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#, "Double"), (#"{"const": "a"}"#, "X"),
        (#"{"enum": [1, 2]}"#, "X"), (#"{"enum": ["a", 2]}"#, "JSONValue"), (#"{"enum": [0.5]}"#, "Double"),
        (#"{"type": "string", "enum": [1, true]}"#, "X"), (#"{"enum": [true]}"#, "Bool"),
        (#"{"type": "nonsense"}"#, "JSONValue"), ("7", "JSONValue"), (##"{"$ref": "#/none"}"##, "JSONValue"),
        (##"{"$ref": "other.json"}"##, "JSONValue"), (##"{"$ref": "#/components/schemas/Loop"}"##, "[JSONValue]"),
        (#"{"type": ["string", "integer"]}"#, "X"), (#"{"properties": {"y": {}}}"#, "X"),
    ])
    func `A required property is generated with the Swift type that corresponds to its schema`(
        schema: String,
        type: String
    ) throws {
        #expect(try property(schema) == "public var x: \(type)")
    }

    @Test(arguments: [
        (#"{"type": "string"}"#, false, "public var x: String?"),
        (#"{"type": "string", "nullable": true}"#, false, "@Patch public var x: String?"),
        (#"{"type": ["string", "null"]}"#, true, "@Patch public var x: String?"),
        (#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#, true, "@Patch public var x: Int?"),
        (##"{"oneOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "null"}]}"##, false, "@Patch public var x: Pet?"),
        (##"{"$ref": "#/components/schemas/ID"}"##, true, "@Patch public var x: String?"),
        (#"{"enum": ["a", null]}"#, true, "@Patch public var x: X?"), ("{}", false, "@Patch public var x: JSONValue?"),
        (##"{"$ref": "#/components/schemas/Thing"}"##, false, "@Indirect public var x: Thing?"),
    ])
    func `A nullable property is generated as @Patch, one that is only not required as an optional`(
        schema: String,
        isRequired: Bool,
        line: String
    ) throws {
        #expect(try property(schema, required: isRequired) == line)
    }

    /// Members by patterns and others, and what a structure and a dictionary of them have.
    @Test(arguments: [
        (#""patternProperties": {"^x-": {"type": "string"}}"#, "String"),
        (#""patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": false"#, "String"),
        (#""unevaluatedProperties": {"type": "integer"}"#, "Int"),
        (#""patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": {"type": "string"}"#, "JSONValue"),
        (#""patternProperties": {"^n": {"type": "integer"}, "^s": {"type": "string"}}"#, "JSONValue"),
    ])
    func `Members by patterns are kept`(others: String, type: String) throws {
        let code = try Generated(
            schemas: #"""
                {"Thing": {"type": "object", "properties": {"a": {"type": "string"}, "d": {"type": "object", \#(others)}}, \#(others)}}
                """#
        )
        #expect(code.models.contains("var additionalProperties: [String: \(type)]\n"))
        #expect(code.property("d") == "public var d: [String: \(type)]?")
    }

    /// What is warned about, as it is not read.
    @Test(arguments: [
        (#"{"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}}"#, "[JSONValue]?"),
        (#"{"enum": [1, "a"]}"#, "JSONValue?"),
        (##"{"$ref": "#/components/schemas/Other", "properties": {"b": {"type": "string"}}}"##, "Other?"),
    ])
    func `Tuples, mixed enumerations and what stands beside a reference give a warning`(schema: String, type: String)
        throws
    {
        let code = try Generated(
            schemas:
                #"{"Thing": {"type": "object", "properties": {"a": \#(schema)}}, "Other": {"properties": {"c": {}}}}"#
        )
        #expect(code.property("a")?.contains("var a: \(type)") == true)
        #expect(code.warnings.count == 1)
    }

    /// The limits of an integer, its type, and whether there is a warning.
    @Test(arguments: [
        (#""minimum": 0, "maximum": 18446744073709551615"#, "UInt64", false), (#""maximum": 7"#, "Int", false),
        (#""maximum": 18446744073709551615"#, "Int", true), (#""minimum": -99999999999999999999"#, "Int", true),
        (#""maximum": 9223372036854775807"#, "Int", false),
    ])
    func `An integer beyond 64 bits with a sign is without one, or there is a warning`(
        limits: String,
        type: String,
        hasWarning: Bool
    ) throws {
        let code = try Generated(
            schemas: #"{"Thing": {"type": "object", "properties": {"a": {"type": "integer", \#(limits)}}}}"#
        )
        #expect(code.property("a") == "public var a: \(type)?")
        #expect(code.warnings.isEmpty != hasWarning)
    }

    @Test func `A required nullable property has no default in the initializer, and another one is absent by default`()
        throws
    {
        let code = try Generated(
            schemas:
                #"{"Thing": {"required": ["a"], "properties": {"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}}}}"#
        )
        #expect(code.models.contains("public init(a: String?, b: Patch<String> = Patch()) {"))
        #expect(code.models.contains("        (self._a, self._b) = (Patch(a), b)\n"))
    }

    /// Without it, an object of a choice could not be told from the others.
    @Test(arguments: [
        (#"{"const": "a"}"#, true, "X = .a"), (#"{"const": "a"}"#, false, "X? = .a"),
        (#"{"enum": ["a"]}"#, true, "X = .a"), (#"{"enum": ["a"]}"#, false, "X? = nil"),
        (#"{"enum": ["a", "b"]}"#, true, "X"), (#"{"const": "a", "nullable": true}"#, false, "Patch<X> = Patch()"),
    ])
    func `A const, or the only value of a required enum, is the default in the initializer`(
        schema: String,
        isRequired: Bool,
        parameter: String
    ) throws {
        let list = isRequired ? #""required": ["x"],"# : ""
        let code = try Generated(schemas: #"{"Thing": {\#(list) "properties": {"x": \#(schema)}}}"#)
        #expect(code.models.contains("public init(x: \(parameter)) {"))
    }

    @Test func `A property by which a struct would contain itself is @Indirect, unless it is an array`() throws {
        let code = try Generated(
            schemas: ##"""
                {"Thing": {"properties": {"parent": {"$ref": "#/components/schemas/Other"},
                "children": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}},
                "Other": {"properties": {"thing": {"$ref": "#/components/schemas/Thing"}}}}
                """##
        )
        #expect(code.property("parent") == "public var parent: Other?")
        #expect(code.property("children") == "public var children: [Thing]?")
        #expect(code.property("thing") == "@Indirect public var thing: Thing?")
    }

    @Test func `A schema with allOf gets the members and the requirements of all its parts`() throws {
        let code = try Generated(
            schemas: ##"""
                {"Base": {"required": ["id"], "properties": {"id": {"type": "string"}, "kind": {"type": "string"}}},
                "Thing": {"allOf": [{"$ref": "#/components/schemas/Base"},
                {"properties": {"kind": {"type": "string", "enum": ["thing"]}, "size": {"type": "number"}}},
                {"required": ["size"]}], "properties": {"id": {"type": "integer"}}}}
                """##
        )
        #expect(code.property("id") == "public var id: Int")
        #expect(code.property("kind") == "public var kind: Kind?")
        #expect(code.property("size") == "public var size: Double")
    }

    @Test func `Schemas that include each other by allOf give a warning, and each keeps its members`() throws {
        let code = try Generated(
            schemas: ##"""
                {"Thing": {"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"x": {"type": "string"}}}]},
                "B": {"allOf": [{"$ref": "#/components/schemas/Thing"}, {"properties": {"y": {"type": "string"}}}]}}
                """##
        )
        #expect(code.property("y") == "public var y: String?")
        #expect(code.property("x") == "public var x: String?")
        #expect(code.warnings.contains { $0.contains("“#/components/schemas/Thing” is a part of itself") })
    }

    @Test func `Object schemas nested 450 deep end in a JSONValue property, with one warning`() throws {
        let depth = 450
        let open = String(repeating: #"{"type": "object", "properties": {"x": "#, count: depth)
        let schema = open + #"{"type": "string"}"# + String(repeating: "}}", count: depth)
        let code = try Generated(schemas: #"{"Thing": \#(schema)}"#)
        #expect(code.warnings.count == 1)
        #expect(
            code.models.contains("public var x: JSONValue?") || code.models.contains("@Patch public var x: JSONValue?")
        )
    }

    /// Swift's parser takes minutes for brackets in one another.
    @Test(arguments: ["items", "additionalProperties"])
    func `Schemas of arrays or dictionaries nested 30 deep are cut to at most 12 levels, with warnings`(keyword: String)
        throws
    {
        let depth = 30
        let type = keyword == "items" ? "array" : "object"
        let open = String(repeating: #"{"type": "\#(type)", "\#(keyword)": "#, count: depth)
        let schema = open + #"{"type": "string"}"# + String(repeating: "}", count: depth)
        let code = try Generated(schemas: #"{"Thing": {"properties": {"x": \#(schema)}}}"#)
        #expect(code.warnings.count == 2)
        #expect(!code.models.contains(String(repeating: "]", count: 13)))
    }

    /// Where a schema stands: whether a required member that is `readOnly`, and one that is `writeOnly`, may be missing.
    @Test(arguments: [
        (["requestBody"], true, false), (["responses"], false, true), (["requestBody", "responses"], true, true),
    ])
    func `A required member that goes one way may be missing on the other`(
        places: [String],
        mayLackID: Bool,
        mayLackPassword: Bool
    ) throws {
        let content = ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}"##
        let body = places.contains("requestBody") ? #""requestBody": {\#(content)},"# : ""
        let reply = places.contains("responses") ? content : ""
        let members = #""id": {"type": "integer", "readOnly": true}, "password": {"type": "string", "writeOnly": true}"#
        let code = try Generated(
            paths: #"{"/a": {"post": {"operationId": "a", \#(body) "responses": {"200": {\#(reply)}}}}}"#,
            schemas: #"{"Thing": {"required": ["id", "password"], "properties": {\#(members)}}}"#
        )
        #expect(code.property("id") == "public var id: Int\(mayLackID ? "?" : "")")
        #expect(code.property("password") == "public var password: String\(mayLackPassword ? "?" : "")")
    }

    @Test(arguments: ["x-enum-varnames", "x-enumNames"])
    func `Values of an enumeration have the names that the document gives them`(keyword: String) throws {
        let schema = #"{"type": "integer", "enum": [0, 1, 7], "\#(keyword)": ["None", "FirstOne", ""]}"#
        let code = try Generated(schemas: #"{"Thing": {"properties": {"x": \#(schema)}}}"#).models
        for line in ["let noneValue = Self(rawValue: 0)", "let firstOne = Self(rawValue: 1)"] {
            #expect(code.contains(line))
        }
        let short = schema.replacing(#", """#, with: "")
        #expect(try Generated(schemas: #"{"Thing": {"properties": {"x": \#(short)}}}"#).models.contains("let _0 = "))
    }

    @Test func `A choice of any text and one value has no default, and a list of one value has`() throws {
        let choice = #"{"anyOf": [{"type": "string"}, {"type": "string", "enum": ["m-1"]}]}"#
        let code = try Generated(
            schemas:
                #"{"Thing": {"required": ["model", "state"], "properties": {"model": \#(choice), "state": {"enum": ["on"]}}}}"#
        )
        #expect(code.models.contains("init(model: Model, state: State = .on)"))
    }

    @Test func `An enum of 1,200 strings gets a Swift constant even for its last string`() throws {
        let values = (0..<1_200).map { "\"value-\($0)\"" }.joined(separator: ",")
        let code = try Generated(
            schemas: #"{"Thing": {"properties": {"x": {"type": "string", "enum": [\#(values)]}}}}"#
        )
        #expect(code.models.contains(#"public static let value1199 = Self(rawValue: "value-1199")"#))
    }
}
