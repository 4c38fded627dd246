import Testing

@testable import OpenAPIDocument

@Suite struct VariantTests {
    private static let nearest: [(String, String, [String])] = [
        // The type comes first, …
        (
            #"[{"type": "string"}, {"type": "object", "required": ["a", "b"]}]"#, "{}",
            ["#/a is missing", "#/b is missing"]
        ),
        // … then constants, …
        (
            #"[{"properties": {"t": {"const": "x"}}}, {"properties": {"t": {"enum": ["y"]}}, "required": ["a", "b"]}]"#,
            #"{"t": "y"}"#, ["#/a is missing", "#/b is missing"]
        ),
        // … then the number of findings, …
        (#"[{"required": ["a", "b"]}, {"required": ["c"]}]"#, "{}", ["#/c is missing"]),
        // … and at last the number of members with a name.
        (
            #"[{"properties": {"t": {"const": 1}}}, {"properties": {"t": {"const": 3}, "b": {}}}]"#,
            #"{"t": 2, "b": 1}"#, ["#/t is 2, expected 3"]
        ),
        (#"[{"type": "string"}, {"type": "null"}]"#, "1", ["# is 1, expected null or a string"]),
        (#"[{"anyOf": [{"type": "string"}]}, {"minimum": 2}]"#, "1", ["# is 1, expected at least 2"]),
    ]

    @Test(arguments: nearest)
    func `If no variant fits, the findings of the nearest are reported`(
        variants: String,
        value: String,
        lines: [String]
    ) throws {
        for keyword in ["anyOf", "oneOf"] {
            #expect(try SchemaCase("{\"\(keyword)\": \(variants)}").lines(value) == lines)
        }
    }

    @Test func `A value may fit several variants of oneOf in OpenAPI`() throws {
        for (dialect, count) in [(Dialect.openAPI30, 0), (.openAPI31, 0), (.jsonSchema, 1)] {
            #expect(try SchemaCase(#"{"oneOf": [{"minimum": 1}, {"maximum": 2}]}"#, dialect).lines("1").count == count)
        }
    }

    private static let pets = #"""
        "Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "claws": {"type": "integer"}}},
        "Dog": {"type": "object", "required": ["bark"], "properties": {"kind": {"type": "string"}, "bark": {"type": "integer"}}}
        """#

    private static let discriminated: [(String, String, [String])] = [
        ("", #"{"kind": "Dog"}"#, ["#/bark is missing"]),
        ("", #"{"kind": "Cat", "claws": "x"}"#, ["#/claws is the string “x”, expected an integer"]),
        ("", #"{"kind": "Fish"}"#, ["#/kind is “Fish”, expected one of “Cat”, “Dog”"]),
        (##", "mapping": {"d": "#/components/schemas/Dog", "c": "Cat"}"##, #"{"kind": "d"}"#, ["#/bark is missing"]),
        (##", "mapping": {"d": "#/components/schemas/Dog", "c": "Cat"}"##, #"{"kind": "c"}"#, []),
        ("", #"{"claws": 1}"#, []), ("", #"{"claws": "x"}"#, ["#/claws is the string “x”, expected an integer"]),
        ("", "1", ["# is 1, expected an object"]),
    ]

    @Test(arguments: discriminated)
    func `The discriminator chooses the variant`(mapping: String, value: String, lines: [String]) throws {
        for (keyword, dialect) in [("oneOf", Dialect.openAPI30), ("anyOf", .openAPI31)] {
            let schema = """
                {"\(keyword)": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
                "discriminator": {"propertyName": "kind"\(mapping)}}
                """
            let test = try SchemaCase(components: "{\"A\": \(schema), \(Self.pets)}", dialect)
            #expect(try test.lines(value) == lines, "\(dialect)")
        }
    }

    @Test func `If the discriminator has an unknown value, members are not unknown besides`() throws {
        let test = try SchemaCase(
            components: ##"""
                {"A": {"properties": {"kind": {}}, "oneOf": [{"$ref": "#/components/schemas/Cat"}],
                "discriminator": {"propertyName": "kind"}}, \##(Self.pets)}
                """##
        )
        #expect(try test.lines(#"{"kind": "Fish", "fins": 2}"#) == ["#/kind is “Fish”, expected one of “Cat”"])
    }

    @Test func `A variant is also chosen by the constant of its discriminator's member`() throws {
        let test = try SchemaCase(
            components: #"""
                {"A": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"t": {"enum": ["x"]}}, "required": ["c"]}],
                "discriminator": {"propertyName": "t"}}, "B": {"properties": {"t": {"const": "b"}}, "required": ["d"]}}
                """#
        )
        #expect(try test.lines(#"{"t": "x"}"#) == ["#/c is missing"])
        #expect(try test.lines(#"{"t": "b"}"#) == ["#/d is missing"])
        #expect(try test.lines(#"{"t": "z"}"#) == ["#/t is “z”, expected one of “B”, “b”, “x”"])
    }

    @Test(arguments: [
        (##"{"$ref": "#/components/schemas/T"}"##, ""), (##"{"allOf": [{"$ref": "#/components/schemas/T"}]}"##, ""),
        ("{}", ##", "oneOf": [{"$ref": "#/components/schemas/t"}, {"$ref": "#/components/schemas/u"}]"##),
    ])
    func `A variant is also chosen by a constant in another schema, or by a variant of its own`(
        member: String,
        more: String
    ) throws {
        let test = try SchemaCase(
            components: ##"""
                {"A": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"$ref": "#/components/schemas/C"}],
                "discriminator": {"propertyName": "k"}}, "B": {"properties": {"k": \##(member)}, "required": ["b"]\##(more)},
                "C": {"required": ["c"]}, "T": {"const": "t"}, "t": {}, "u": {}}
                """##
        )
        #expect(try test.lines(#"{"k": "t"}"#) == ["#/b is missing"])
    }

    @Test func `The discriminator of a schema that others extend chooses one of them`() throws {
        let test = try SchemaCase(
            components: #"""
                {"A": {"type": "object", "properties": {"t": {"type": "string"}}, "discriminator": {"propertyName": "t"}},
                "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"properties": {"b": {"type": "integer"}}, "required": ["b"]}]}}
                """#,
            .openAPI30
        )
        #expect(try test.lines(#"{"t": "B", "b": 1}"#) == [])
        #expect(try test.lines(#"{"t": "B", "b": "x"}"#) == ["#/b is the string “x”, expected an integer"])
        #expect(try test.lines(#"{"t": "A"}"#) == [])
    }
}
