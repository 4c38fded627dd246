import Testing

@testable import OpenAPIDocument

@Suite struct SchemaFindingTests {
    private static let findings: [(String, String, String)] = [
        (#"{"type": "string"}"#, "1", "# #/type: is 1, expected a string"),
        (#"{"type": ["integer", "null"]}"#, "1.5", "# #/type: is 1.5, expected null or an integer"),
        (
            #"{"properties": {"a": {"items": {"required": ["b/c"]}}}}"#, #"{"a": [{}]}"#,
            "#/a/0/b~1c #/properties/a/items/required: is missing"
        ),
        (#"{"enum": ["red", 2, null]}"#, #""blue""#, "# #/enum: is “blue”, expected one of “red”, 2, null"),
        (#"{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9]}"#, "0", "# #/enum: is 0, expected one of 1, 2, 3, 4, 5, 6, 7, 8, …"),
        (#"{"enum": []}"#, "0", "# #/enum: is 0, expected nothing, since the list is empty"),
        (#"{"const": {"a": [1]}}"#, "{}", #"# #/const: does not fit, expected {a: [1]}"#),
        (#"{"multipleOf": 2}"#, "3", "# #/multipleOf: is 3, expected a multiple of 2"),
        (#"{"minLength": 2}"#, #""a""#, "# #/minLength: has 1 character, expected at least 2"),
        (#"{"maxItems": 1}"#, "[1, 2]", "# #/maxItems: has 2 elements, expected at most 1"),
        (#"{"uniqueItems": true}"#, "[1, 2, 1]", "# #/uniqueItems: has equal elements at 0 and 2"),
        (#"{"pattern": "^a$"}"#, #""b""#, "# #/pattern: is “b”, expected a text that fits the pattern ^a$"),
        (#"{"contains": {"type": "null"}}"#, "[1]", "# #/contains: has 0 elements, expected at least 1 that fit"),
        (#"{"additionalProperties": false}"#, #"{"a": 1}"#, "#/a #/additionalProperties: is not allowed"),
        (
            #"{"propertyNames": {"maxLength": 1}}"#, #"{"ab": 1}"#,
            "#/ab #/propertyNames/maxLength: its name has 2 characters, expected at most 1"
        ),
        (#"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#, "#/b #/dependentRequired: is missing"),
        (#"{"not": {}}"#, "1", "# #/not: fits a schema that it must not fit"),
        (#"{"oneOf": [true, {}]}"#, "1", "# #/oneOf: fits 2 schemas, expected one"),
    ]

    @Test(arguments: findings)
    func `A finding names its place, its keyword and what is wrong`(schema: String, value: String, line: String) throws
    {
        let findings = try SchemaCase(schema).findings(value)
        #expect(findings.map { "\($0.place) \($0.schema): \($0.message)" } == [line])
    }

    @Test(arguments: ["maximum", "exclusiveMaximum"])
    func `Long limits are shortened`(keyword: String) throws {
        let limit = "-1\(String(repeating: "0", count: 1_000))"
        #expect(try #require(SchemaCase("{\"\(keyword)\": \(limit)}").lines("1").first).count < 160)
    }

    @Test func `Long values are shortened`() throws {
        let long = String(repeating: "a", count: 1_000)
        for value in [
            "\"\(long)\"", "[\"\(long)\", 2]", "{\"\(long)\": 1}", "[\(long.map { _ in "12" }.joined(separator: ","))]",
        ] {
            let message = try #require(SchemaCase("{\"const\": \(value)}").lines("1").first)
            #expect(20...160 ~= message.count && message.contains("…"), "\(message)")
            #expect(try #require(SchemaCase(#"{"const": 1}"#).lines(value).first).count < 160)
        }
    }
}
