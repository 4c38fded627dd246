import Testing

@testable import OpenAPIDocument

@Suite struct UnknownMemberTests {
    private static let members: [(String, String, [String])] = [
        (#"{"properties": {"a": {}}}"#, #"{"a": 1, "b/c": 2}"#, ["#/b~1c"]),
        (#"{"properties": {"a": {"properties": {"b": {}}}}}"#, #"{"a": {"b": 1, "c": 1}}"#, ["#/a/c"]),
        (#"{"properties": {"a": {}}, "required": ["z"]}"#, #"{"z": 1, "b": 2}"#, ["#/b"]),
        (#"{"required": ["z"]}"#, #"{"z": 1, "b": 2}"#, []),
        (#"{"allOf": [{"properties": {"a": {}}}], "required": ["z"]}"#, #"{"a": 1, "z": 2}"#, []),
        (#"{"properties": {}}"#, #"{"b": 2}"#, []), (#"{"type": "object"}"#, #"{"b": 2}"#, []),
        (#"{"properties": {"a": {}}, "additionalProperties": true}"#, #"{"b": 2}"#, []),
        (#"{"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}"#, #"{"b": 2}"#, []),
        (#"{"properties": {"a": {}}, "patternProperties": {"^b": {}}}"#, #"{"b": 2, "c": 1}"#, ["#/c"]),
        (#"{"properties": {"a": {}}, "unevaluatedProperties": {}}"#, #"{"b": 2}"#, []),
        (#"{"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}"#, #"{"a": 1, "b": 2, "c": 3}"#, ["#/c"]),
        (
            #"{"allOf": [{"properties": {"a": {"properties": {"b": {}}}}}, {"properties": {"a": {"properties": {"c": {}}}}}]}"#,
            #"{"a": {"b": 1, "c": 2, "d": 3}}"#, ["#/a/d"]
        ),
        (
            #"{"anyOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]}"#,
            #"{"a": 1, "b": 2, "c": 3}"#, ["#/c"]
        ),
        // What a variant that does not fit names, is unknown.
        (
            #"{"oneOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]}"#,
            #"{"a": 1}"#, []
        ),
        (
            #"{"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}, "required": ["c"]}]}"#, #"{"b": 1}"#,
            ["#/b"]
        ),
        (#"{"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {}}}}"#, #"{"a": 1, "b": 2}"#, []),
        (
            #"{"if": {"properties": {"a": {"const": 1}}}, "else": {"properties": {"b": {}}}}"#, #"{"a": 2, "b": 2}"#,
            ["#/a"]
        ),
        (
            ##"{"$ref": "#/$defs/x", "properties": {"b": {}}, "$defs": {"x": {"properties": {"a": {}}}}}"##,
            #"{"a": 1, "b": 2}"#, []
        ),
        (#"{"not": {"properties": {"b": {"type": "null"}}}, "properties": {"a": {}}}"#, #"{"b": 2}"#, ["#/b"]),
    ]

    @Test(arguments: members)
    func `A member that no schema names is unknown if one names others`(schema: String, value: String, places: [String])
        throws
    {
        let findings = try SchemaCase(schema, .openAPI31).findings(value)
        #expect(findings.map(\.place) == places)
        #expect(findings.allSatisfy { $0.kind == .unknownMember && $0.message == "is not in the schema" })
        #expect(try SchemaCase(schema, .jsonSchema).findings(value) == [])
    }

    @Test func `A member that additionalProperties forbids is a misfit and not unknown besides`() throws {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            let findings = try SchemaCase("{\"properties\": {\"a\": {}}, \"\(keyword)\": false}", .openAPI31).findings(
                #"{"b": 1}"#
            )
            #expect(findings.map(\.kind) == [.misfit])
        }
    }

    @Test func `The finding has the pointer of the schema that names other members`() throws {
        let test = try SchemaCase(
            components: ##"{"A": {"$ref": "#/components/schemas/B"}, "B": {"properties": {"a": {}}}}"##
        )
        #expect(try test.findings(#"{"x": 1}"#).map(\.schema) == ["#/components/schemas/B"])
    }
}
