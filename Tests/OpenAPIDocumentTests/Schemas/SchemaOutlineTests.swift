import Testing

@testable import OpenAPIDocument

@Suite struct SchemaOutlineTests {
    private static let outlines: [(String, Set<JSONType>, Set<String>, Bool)] = [
        ("{}", Set(JSONType.allCases), [], true), (#"{"type": "string"}"#, [.string], [], true),
        (#"{"type": ["number", "null"]}"#, [.number, .integer, .null], [], true),
        (#"{"type": "string", "nullable": true}"#, [.string, .null], [], true),
        (
            ##"{"$ref": "#/x", "x": {"type": "object", "properties": {"a": {}}, "additionalProperties": false}}"##,
            [.object], ["a"], false
        ),
        (
            #"{"allOf": [{"type": "object", "properties": {"a": {}}}, {"properties": {"b": {}}}]}"#, [.object],
            ["a", "b"], false
        ),
        (
            #"{"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {}}}]}"#, [.string, .object], ["a"],
            false
        ),
        (
            #"{"anyOf": [{"additionalProperties": false, "type": "object"}], "properties": {"b": {}}}"#, [.object],
            ["b"], false
        ),
        (#"{"type": "object"}"#, [.object], [], true),
        (
            #"{"allOf": [{"type": "object"}, {"properties": {"a": {}}, "additionalProperties": {"type": "string"}}]}"#,
            [.object], ["a"], true
        ),
    ]

    @Test(arguments: outlines)
    func `An outline has the types and members of a schema`(
        schema: String,
        types: Set<JSONType>,
        members: Set<String>,
        takesOthers: Bool
    ) throws {
        let test = try SchemaCase(schema, .openAPI31)
        let outline = test.schemas.outline(of: test.root)
        #expect(outline.types == types)
        #expect(Set(outline.members.keys) == members)
        #expect(outline.takesOtherMembers == takesOthers)
    }

    @Test func `An outline has the schema of elements`() throws {
        let test = try SchemaCase(
            ##"{"anyOf": [{"type": "null"}, {"$ref": "#/x"}], "x": {"items": {"type": "string"}}}"##,
            .openAPI31
        )
        #expect(test.schemas.outline(of: test.root).items?.pointer == "#/x/items")
    }
}
