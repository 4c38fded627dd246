import Testing

@testable import OpenAPIDocument

@Suite struct HostileSchemaTests {
    private static let tooLong = ["# takes too long to check"]

    @Test(arguments: [
        ##"{"$ref": "#"}"##, ##"{"allOf": [{"$ref": "#"}]}"##,
        ##"{"anyOf": [{"$ref": "#"}], "not": {"not": {"$ref": "#"}}}"##,
        ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        ##"{"if": {"$ref": "#"}, "then": {"$ref": "#"}}"##,
    ])
    func `A schema that is part of itself accepts the value`(schema: String) throws {
        #expect(try SchemaCase(schema, .openAPI31).lines("1") == [])
        #expect(try SchemaCase(schema, .openAPI31).schemas.outline(of: SchemaCase(schema).root).types.count == 7)
    }

    @Test(arguments: ["^(a+)+$", "^(a|aa)+$", "(x+x+)+y|^(a*)*b"])
    func `An expression that would take years ends`(pattern: String) throws {
        let value = "\"\(String(repeating: "a", count: 60))!\""
        #expect(try SchemaCase("{\"pattern\": \"\(pattern)\"}").lines(value) == Self.tooLong)
    }

    @Test func `Variants that double at each level end`() throws {
        let levels = (0..<40).map { level in
            ##""s\##(level)": {"anyOf": [{"allOf": [{"$ref": "#/$defs/s\##(level + 1)"}]}, {"$ref": "#/$defs/s\##(level + 1)"}]}"##
        }
        let text =
            "{\"$ref\": \"#/$defs/s0\", \"$defs\": {\(levels.joined(separator: ", ")), \"s40\": {\"type\": \"null\"}}}"
        #expect(try SchemaCase(text).lines("1") == Self.tooLong)
    }

    /// Objects of 3 members each, whose variants have other members.
    @Test(arguments: [(50, 1_000), (500, 1_000)])
    func `Long lists of objects of many variants are checked to the end`(variants: Int, objects: Int) throws {
        let schemas = Self.list(variants) { number in
            let names = (0..<3).map { "\"m\(number)_\($0)\"" }
            let properties = names.map { "\($0): {\"type\": \"string\"}" }.joined(separator: ", ")
            return "{\"required\": [\(names.joined(separator: ", "))], \"properties\": {\(properties)}}"
        }
        let test = try SchemaCase("{\"items\": {\"oneOf\": [\(schemas)]}}", .openAPI31)
        func object(_ number: Int, _ last: String) -> String {
            let variant = number % variants
            return "{\"m\(variant)_0\": \"a\", \"m\(variant)_1\": \"b\", \"m\(variant)_2\": \(last)}"
        }
        #expect(try test.lines("[\(Self.list(objects) { object($0, "\"c\"") })]") == [])
        let wrong = "[\(Self.list(objects) { object($0, $0 == objects - 1 ? "1" : "\"c\"") })]"
        let place = "#/\(objects - 1)/m\((objects - 1) % variants)_2"
        #expect(try test.lines(wrong) == ["\(place) is 1, expected a string"])
    }

    private static let texts: [(String, String, [String])] = [
        (#"\\.$"#, "\(String(repeating: "x", count: 20_000)).", []),
        (#"\\.$"#, String(repeating: "x", count: 20_000), ["is"]),
        (#"[.!?]$"#, "\(String(repeating: "some words ", count: 900))!", []),
        (#"\\d"#, String(repeating: "x", count: 3_000), ["is"]),
        (#"^(\\w+\\s?)*$"#, String(repeating: "word ", count: 1_000), []),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: texts)
    func `A pattern is looked for in a long text`(pattern: String, text: String, words: [String]) throws {
        let lines = try SchemaCase("{\"pattern\": \"\(pattern)\"}").lines("\"\(text)\"")
        #expect(lines.map { $0.split(separator: " ")[1] } == words.map { $0[...] })
    }

    @Test(.timeLimit(.minutes(1)), arguments: [(20, 40), (3, 100), (2, 100)])
    func `Variants within variants are told apart by their constants`(variants: Int, depth: Int) throws {
        let schemas = Self.list(variants) {
            ##"{"properties": {"child": {"$ref": "#/components/schemas/A"}, "k": {"const": "k\##($0)"}}, "required": ["k"]}"##
        }
        let test = try SchemaCase(components: "{\"A\": {\"oneOf\": [\(schemas)]}}")
        let end = "\"k\": \"k\(variants - 1)\"}"
        func value(_ leaf: String) -> String {
            "\(String(repeating: "{\"child\": ", count: depth))\(leaf)\(String(repeating: ", \(end)", count: depth))"
        }
        #expect(try test.lines(value("{\(end)")) == [])
        let place = String(repeating: "/child", count: depth)
        let expected = try test.lines(value(#"{"k": "none"}"#))
        #expect(expected.count == 1 && expected[0].hasPrefix("#\(place)/k is “none”, expected "), "\(expected)")
    }

    @Test func `What was found before a check took too long is reported`() throws {
        let variants = #"{"anyOf": [{"pattern": "^(a+)+$"}, {"pattern": "^(a|aa)+$"}]}"#
        let schema = #"{"required": ["a"], "properties": {"b": \#(variants)}}"#
        let value = "{\"b\": \"\(Self.slow)\"}"
        #expect(try SchemaCase(schema).lines(value) == ["#/a is missing", "# takes too long to check"])
    }

    private func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    @Test func `Values and schemas that are very deep are checked`() throws {
        let value = nested("[", "1", "]", 990)
        let finding = try #require(SchemaCase(##"{"type": "array", "items": {"$ref": "#"}}"##).findings(value).first)
        #expect(finding.message == "is 1, expected an array")
        #expect(finding.place.count == 1 + 990 * 2)
        let schema = try SchemaCase(nested(#"{"items": "#, #"{"type": "null"}"#, "}", 990))
        #expect(try schema.lines(value).count == 1)
        #expect(try schema.lines("1") == [])
        #expect(try SchemaCase(nested(#"{"not": "#, "{}", "}", 990)).lines("1") == [])
        let constant = nested("[", "", "]", 990)
        #expect(try SchemaCase("{\"const\": \(constant), \"uniqueItems\": true}").lines(constant) == [])
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ", ")
    }

    private static let objects = "[\(list(200) { _ in "{}" })]"
    private static let members = "{\(list(2_000) { "\"k\($0)\": 1" })}"
    private static let slow = "\(String(repeating: "a", count: 60))!"

    /// Each is a long list in the schema for each of many values, or for one that is long itself.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            (##"{"items": {"dependentRequired": {\##(list(20_000) { "\"p\($0)\": [\"z\"]" })}}}"##, objects),
            (
                ##"{"items": {"dependentSchemas": {\##(list(20_000) { "\"p\($0)\": {\"type\": \"null\"}" })}}}"##,
                objects
            ),
            (##"{"allOf": [\##(list(2_000) { "{\"properties\": {\"q\($0)\": {}}}" })]}"##, members),
            (
                ##"{"allOf": [\##(list(1_000) { "{\"propertyNames\": {\"maxLength\": 100, \"minLength\": -\($0)}}" })]}"##,
                members
            ),
            (##"{"anyOf": [\##(list(8_000) { "{\"const\": \($0)}" })]}"##, objects),
            (
                ##"{"anyOf": [\##(list(2_000) { "{\"maxLength\": \($0)}" })]}"##,
                "\"\(String(repeating: "x", count: 200_000))\""
            ),
            (##"{"patternProperties": {\##(list(200) { "\"^(a+){\($0 + 1),}$\": {}" })}}"##, "{\"\(slow)\": 1}"),
            (
                ##"{"$ref": "#/$defs/s0", "$defs": {\##(list(900) { "\"s\($0)\": {\"anyOf\": [{\"$ref\": \"#/$defs/s\($0 + 1)\"}]}" }), "s900": {"items": {"enum": ["a"]}}}}"##,
                "[\(list(1_000) { "\($0)" })]"
            ),
        ]
    )
    func `A check of very many steps ends`(schema: String, value: String) throws {
        #expect(try SchemaCase(schema).lines(value) == Self.tooLong)
    }

    @Test func `A text of 2 MB is checked to the end`() throws {
        let schema = try SchemaCase(#"{"type": "string", "minLength": 1, "maxLength": 9, "enum": ["a"]}"#)
        let text = JSON.string(String(repeating: "x", count: 2_000_000))
        #expect(schema.schemas.findings(in: text, schema: schema.root, direction: nil).count == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `A pattern that took too long is not tried again but for shorter texts`() throws
    {
        let test = try SchemaCase(#"{"pattern": "^(a+)+$"}"#)
        for _ in 0..<2_000 { #expect(try test.lines("\"\(Self.slow)\"") == Self.tooLong) }
        #expect(try test.lines(#""aaaa""#) == [])
        #expect(try test.lines(#""aaab""#).count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `Of very many unknown members, the first are named`() throws {
        let schema = ##"{"A": {"items": {"$ref": "#/components/schemas/A"}, "properties": {"x": {}}}}"##
        let members = "{\(Self.list(20_000) { "\"k\($0)\": 1" })}"
        let findings = try SchemaCase(components: schema).findings(nested("[", members, "]", 900))
        #expect(findings.count == 1_000)
    }

    @Test(.timeLimit(.minutes(1))) func `Very many discriminators that have one another as variants are read`() throws {
        let variants = Self.list(200) { "{\"$ref\": \"#/components/schemas/S\($0)\"}" }
        let schemas = Self.list(200) { level in
            #""S\#(level)": {"oneOf": [\#(variants)], "discriminator": {"propertyName": "a"}}"#
        }
        let schema = ##""A": {"allOf": [{"$ref": "#/components/schemas/S0"}]}"##
        #expect(try SchemaCase(components: "{\(schema), \(schemas)}").lines(#"{"a": "S0"}"#) == [])
    }

    @Test func `A chain of very many references ends`() throws {
        let chain = (0..<20_000).map { "\"s\($0)\": {\"$ref\": \"#/$defs/s\($0 + 1)\"}" }.joined(separator: ", ")
        #expect(try SchemaCase("{\"$ref\": \"#/$defs/s0\", \"$defs\": {\(chain)}}").lines("1") == ["# refers too deep"])
    }

    @Test func `Elements of a long array are compared at once`() throws {
        let elements = (0..<100_000).map { JSON.members([("a", .number("\($0)"))]) }
        let schema = try SchemaCase(#"{"uniqueItems": true}"#)
        func lines(_ elements: [JSON]) -> [String] {
            schema.schemas.findings(in: .array(elements), schema: schema.root, direction: nil).map(\.message)
        }
        #expect(lines(elements) == [])
        #expect(lines(elements + [.members([("a", .number("7.0"))])]) == ["has equal elements at 7 and 100000"])
    }

    @Test func `There are at most 1,000 findings`() throws {
        let value = "[\(repeatElement("1", count: 20_000).joined(separator: ","))]"
        #expect(try SchemaCase(#"{"items": {"type": "null"}}"#).findings(value).count == 1_000)
    }

    @Test func `Keywords with values of other types are ignored`() throws {
        let schema = try SchemaCase(
            #"""
            {"type": 1, "enum": 1, "allOf": {}, "anyOf": 1, "oneOf": [], "required": "a", "properties": [], "items": 1,
            "maxLength": -1.5, "multipleOf": 0, "pattern": 1, "format": 2, "discriminator": 3, "$ref": 4, "if": 5, "contains": 6,
            "dependentRequired": {"a": 1}, "dependentSchemas": [], "additionalProperties": 1, "prefixItems": {}, "const2": 1}
            """#,
            .openAPI31
        )
        for value in ["1", #"{"a": 1}"#, "[1]", #""a""#] { #expect(try schema.lines(value) == []) }
    }

    @Test func `Threads share the compiled schemas`() async throws {
        let test = try SchemaCase(
            components:
                ##"{"A": {"items": {"$ref": "#/components/schemas/B"}}, "B": {"type": "integer", "maximum": 5}}"##
        )
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { (try? test.lines("[1, 2, 6]").count) ?? -1 } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 50))
    }
}
