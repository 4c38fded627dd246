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
            ["a", "b"], true
        ),
        (
            #"{"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {}}}]}"#, [.string, .object], ["a"],
            true
        ),
        (
            #"{"anyOf": [{"additionalProperties": false, "type": "object"}], "properties": {"b": {}}}"#, [.object],
            ["b"], false
        ),
    ]

    @Test(arguments: outlines)
    func `An outline has the types and members of a schema`(
        schema: String,
        types: Set<JSONType>,
        members: Set<String>,
        allowsOthers: Bool
    ) throws {
        let test = try SchemaCase(schema, .openAPI31)
        let outline = test.schemas.outline(of: test.root)
        #expect(outline.types == types)
        #expect(Set(outline.members.keys) == members)
        #expect(outline.allowsOtherMembers == allowsOthers)
    }

    @Test func `An outline has the schema of elements`() throws {
        let test = try SchemaCase(
            ##"{"anyOf": [{"type": "null"}, {"$ref": "#/x"}], "x": {"items": {"type": "string"}}}"##,
            .openAPI31
        )
        #expect(test.schemas.outline(of: test.root).items?.pointer == "#/x/items")
    }
}
