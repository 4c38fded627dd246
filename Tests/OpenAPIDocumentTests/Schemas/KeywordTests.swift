import Testing

@testable import OpenAPIDocument

@Suite struct KeywordTests {
    private static let keywords: [(String, [String], [String])] = [
        ("true", ["1", "null", "{}"], []), ("false", [], ["1", "null"]),
        (#"{"type": "integer"}"#, ["1", "1.0", "-2e3"], ["1.5", #""1""#, "true", "null", "[]"]),
        (#"{"type": ["string", "null"]}"#, [#""a""#, "null"], ["0", "false", "{}"]),
        (#"{"type": "number"}"#, ["1", "1.5"], [#""1""#]),
        (#"{"enum": [1, "a", [2], {"b": 1, "c": 2}]}"#, ["1.0", #""a""#, "[2.0]", #"{"c": 2, "b": 1}"#], ["2", "[]"]),
        (#"{"const": "e\u0301"}"#, [#""e\u0301""#], [#""\u00e9""#, "1"]), (#"{"const": false}"#, ["false"], ["0"]),
        (#"{"multipleOf": 0.0001}"#, ["0.0075", "0", "3", #""a""#], ["0.00751"]),
        (#"{"multipleOf": 0.5}"#, ["1e308", "-1.5"], ["1.2"]),
        (#"{"multipleOf": 18446744073709551609}"#, ["18446744073709551609", "0"], ["166020696663385964489"]),
        (#"{"maximum": 3}"#, ["3", "3.0", "-9"], ["3.001", "1e1"]),
        (#"{"exclusiveMaximum": 3}"#, ["2.999"], ["3", "3.0"]),
        (#"{"minimum": 9007199254740993}"#, ["9007199254740993"], ["9007199254740992"]),
        (#"{"exclusiveMinimum": -1}"#, ["-0.5"], ["-1", "-1.0"]),
        (#"{"maxLength": 2}"#, [#""ab""#, #""😀😀""#, "123"], [#""abc""#]),
        (#"{"minLength": 2.0}"#, [#""ab""#], [#""😀""#]),
        (#"{"pattern": "^a"}"#, [#""ab""#, "1"], [#""ba""#]),
        (#"{"maxItems": 1}"#, ["[1]", "{}"], ["[1, 2]"]), (#"{"minItems": 1}"#, ["[1]"], ["[]"]),
        (
            #"{"uniqueItems": true}"#, ["[1, true, 2, [1], [2]]"],
            ["[1, 1.0]", #"[{"a": 1, "b": 2}, {"b": 2, "a": 1}]"#]
        ),
        (#"{"maxProperties": 1}"#, [#"{"a": 1}"#, "[]"], [#"{"a": 1, "b": 2}"#]),
        (#"{"minProperties": 1}"#, [#"{"a": 1}"#], ["{}"]),
        (#"{"required": ["a"]}"#, [#"{"a": null}"#, "1"], [#"{"b": 1}"#]),
        (#"{"dependentRequired": {"a": ["b"]}}"#, [#"{"b": 1}"#, #"{"a": 1, "b": 2}"#], [#"{"a": 1}"#]),
        (
            #"{"prefixItems": [{"type": "null"}], "items": {"type": "string"}}"#, ["[null]", #"[null, "a"]"#],
            ["[1]", "[null, 1]"]
        ),
        (#"{"contains": {"type": "null"}}"#, ["[1, null]", "1"], ["[1]", "[]"]),
        (#"{"contains": {"type": "null"}, "minContains": 0}"#, ["[1]", "[]"], []),
        (#"{"contains": {"type": "null"}, "maxContains": 1}"#, ["[1, null]"], ["[null, null]", "[1]"]),
        (#"{"properties": {"a": {"type": "null"}}}"#, [#"{"a": null}"#, #"{"b": 1}"#], [#"{"a": 1}"#]),
        (
            #"{"properties": {"a": true}, "patternProperties": {"^x": {"type": "null"}}, "additionalProperties": false}"#,
            [#"{"a": 1, "xy": null}"#], [#"{"xy": 1}"#, #"{"b": 1}"#]
        ),
        (#"{"dependentSchemas": {"a": {"required": ["b"]}}}"#, ["{}", #"{"a": 1, "b": 1}"#], [#"{"a": 1}"#]),
        (#"{"propertyNames": {"maxLength": 1}}"#, [#"{"a": 1}"#], [#"{"ab": 1}"#]),
        (
            #"{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}"#,
            [#"{"a": 1, "b": 1}"#, #"{"c": 1}"#], [#"{"a": 1}"#, "{}"]
        ),
        (#"{"allOf": [{"minimum": 1}, {"maximum": 2}]}"#, ["1", "2"], ["0", "3"]),
        (#"{"anyOf": [{"type": "null"}, {"minimum": 2}]}"#, ["null", "2"], ["1"]),
        (#"{"oneOf": [{"minimum": 1}, {"maximum": 2}]}"#, ["0", "3"], ["1"]),
        (#"{"not": {"type": "null"}}"#, ["1"], ["null"]),
        (#"{"format": "date", "unknown": 1}"#, [#""x""#], []),
    ]

    @Test(arguments: keywords)
    func `A keyword accepts what fits it and finds what does not`(schema: String, fitting: [String], others: [String])
        throws
    {
        let schema = try SchemaCase(schema)
        for value in fitting { #expect(try schema.lines(value) == [], "\(value)") }
        for value in others { #expect(try schema.lines(value) != [], "\(value)") }
    }

    private static let membersBefore: [(String, [String], [String])] = [
        (
            #"{"allOf": [{"properties": {"a": true}}], "anyOf": [{"properties": {"b": {"type": "null"}}, "required": ["b"]}, true]"#,
            [#"{"a": 1, "b": null}"#, "{}"], [#"{"c": 1}"#, #"{"b": 1}"#]
        ),
        (
            #"{"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": true}}"#,
            [#"{"a": 1, "b": 1}"#], [#"{"a": 2}"#, #"{"a": 2, "b": 1}"#]
        ),
        (#"{"patternProperties": {"^a": true}, "not": {"properties": {"b": false}}"#, [], [#"{"a": 1, "b": 1}"#]),
        (#"{"allOf": [{"additionalProperties": true}]"#, [#"{"a": 1}"#], []),
        (#"{"properties": {"a": {"properties": {"b": true}}}"#, [#"{"a": {"b": 1}}"#], [#"{"b": 1}"#]),
    ]

    @Test(arguments: membersBefore)
    func `unevaluatedProperties is for members that nothing that fits has evaluated`(
        schema: String,
        fitting: [String],
        others: [String]
    ) throws {
        let schema = try SchemaCase("\(schema), \"unevaluatedProperties\": false}")
        for value in fitting { #expect(try schema.lines(value) == [], "\(value)") }
        for value in others { #expect(try schema.lines(value) != [], "\(value)") }
    }

    private static let elementsBefore: [(String, [String], [String])] = [
        (#"{"allOf": [{"prefixItems": [true]}]"#, ["[1]"], ["[1, 2]"]),
        (#"{"anyOf": [{"items": true}]"#, ["[1, 2]"], []),
        (#"{"contains": {"type": "null"}"#, ["[null, null]"], ["[null, 1]"]),
    ]

    @Test(arguments: elementsBefore)
    func `unevaluatedItems is for elements that nothing that fits has evaluated`(
        schema: String,
        fitting: [String],
        others: [String]
    ) throws {
        let schema = try SchemaCase("\(schema), \"unevaluatedItems\": false}")
        for value in fitting { #expect(try schema.lines(value) == [], "\(value)") }
        for value in others { #expect(try schema.lines(value) != [], "\(value)") }
    }

    private static let references: [(String, String)] = [
        (##"{"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "null"}}}"##, "1"),
        (##"{"$ref": "#/$defs/a%25", "$defs": {"a%": {"type": "null"}}}"##, "1"),
        (##"{"$ref": "#a", "$defs": {"x": {"$anchor": "a", "type": "null"}}}"##, "1"),
        (##"{"$ref": "#/$defs/x", "type": "string", "$defs": {"x": true}}"##, "1"),
        (##"{"properties": {"a": {"$ref": "#"}}, "type": "object"}"##, #"{"a": {"a": 1}}"#),
        (
            #"{"$id": "http://a/b/", "$ref": "c/d", "$defs": {"x": {"$id": "c/", "$defs": {"y": {"$id": "d", "not": {}}}}}}"#,
            "1"
        ),
        (#"{"$id": "http://a/b/c", "$ref": "d", "$defs": {"x": {"$id": "/b/d", "type": "null"}}}"#, "1"),
        (
            ##"{"$ref": "http://a/x", "$defs": {"x": {"$id": "http://a/x", "$ref": "#/$defs/y", "$defs": {"y": false}}}}"##,
            "1"
        ),
        (
            #"{"$ref": "http://a/x#b", "$defs": {"x": {"$id": "http://a/x", "$defs": {"y": {"$anchor": "b", "not": {}}}}}}"#,
            "1"
        ),
    ]

    @Test(arguments: references)
    func `A reference leads to a pointer, an anchor or a URI within the document`(schema: String, value: String) throws
    {
        #expect(try SchemaCase(schema).lines(value).count == 1)
    }

    @Test(arguments: ["other.json", "#/none", "#none", "https://example.com/schema#/a", "::", ""])
    func `A reference that leads out of the document or nowhere accepts everything`(reference: String) throws {
        #expect(try SchemaCase("{\"$ref\": \"\(reference)\"}").lines("[1]") == [])
    }

    @Test(arguments: ["#/components/schemas/None", "other.json#/A", "https://a.example/b.json"])
    func `A reference that leads nowhere or to another document is a finding where it is used`(reference: String) throws
    {
        let schema = try SchemaCase(
            components: #"{"A": {"properties": {"a": {"$ref": "\#(reference)"}, "b": {"type": "string"}}}}"#
        )
        #expect(
            try schema.lines(#"{"a": {"c": 1}}"#) == [
                "#/a cannot be compared, since the document has no “\(reference)”"
            ]
        )
        #expect(try schema.lines(#"{"b": "x"}"#) == [])
    }
}
