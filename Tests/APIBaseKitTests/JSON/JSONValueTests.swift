import APIBaseKit
import StrictJSON
import Testing

@Suite struct JSONValueTests {
    private static let decoded: [(String, JSONValue)] = [
        ("null", nil), ("true", true), ("false", false), ("0", 0), ("-7", -7), ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", 1.0), ("1e2", 100.0), ("-0.5", -0.5),
        (#""""#, ""), (#""a\u0000b""#, "a\u{0}b"), ("[]", []), ("{}", [:]),
        (
            "[[1, null], {\"a\": [true]}]",
            [[1, nil], ["a": [true]]]
        ), (#"{"snake_case": {"camelCase": 1}}"#, ["snake_case": ["camelCase": 1]]),
    ]

    @Test(arguments: decoded)
    func `Every kind of JSON value is decoded by StrictJSONDecoder and encoded back`(text: String, value: JSONValue)
        throws
    {
        let strict = StrictJSONDecoder()
        #expect(try strict.decode(JSONValue.self, from: Data(text.utf8)) == value)
        strict.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try strict.decode(JSONValue.self, from: Data(text.utf8)) == value)
        let encoded = try JSONEncoder().encode([value])
        // Foundation's encoder writes a whole number without a fraction.
        let again = try strict.decode([JSONValue].self, from: encoded).first
        #expect(again?.number == value.number && (value.number != nil || again == value))
    }

    @Test(arguments: decoded)
    func `JSONDecoder and StrictJSONDecoder decode the same JSONValue, or numbers of equal value`(
        text: String,
        value: JSONValue
    )
        throws
    {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let decoded = try decoder.decode(JSONValue.self, from: Data(text.utf8))
        #expect(decoded == value || decoded.number != nil && decoded.number == value.number)
    }

    @Test func `A JSON document with 500 nested arrays is decoded as JSONValue`() throws {
        let text = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        var value = try StrictJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        var depth = 0
        while let next = value[0] { (value, depth) = (next, depth + 1) }
        #expect(depth == 499)
        #expect(value == [])
    }

    @Test func `Members and elements of a JSONValue are read by subscripts, or are nil when missing`() {
        let value: JSONValue = ["a": [1, "b", 2.5, nil], "c": true]
        #expect(value["a"]?[0]?.integer == 1)
        #expect(value["a"]?[0]?.number == 1)
        #expect(value["a"]?[1]?.string == "b")
        #expect(value["a"]?[2]?.integer == nil)
        #expect(value["a"]?[2]?.number == 2.5)
        #expect(value["a"]?[3] == .some(.null))
        #expect(value["a"]?[4] == .none)
        #expect(value["a"]?[-1] == .none)
        #expect(value["c"]?.bool == true)
        #expect(value["d"] == .none)
        #expect(value["c"]?["d"] == .none)
        #expect(value[0] == .none)
        #expect(value.object?.count == 2)
        #expect(value["a"]?.array?.count == 4)
    }

    @Test func `Encoding a JSONValue of NaN throws EncodingError`() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSONValue.number(.nan)) }
    }

    /// What looks like a value, and is none.
    @Test(arguments: [
        "", " ", "NaN", "nan", "-NaN", "Infinity", "-Infinity", "[NaN]", #"{"a":Infinity}"#, "01", "-", "-01", "1.",
        ".5",
        "+1", "0x1", "1e", "1e+", "1_000", "'a'", "nul", "nulll", "True", "undefined", "{a:1}", "[1,]", #"{"a":1,}"#,
        #"{"a"}"#, "[1 2]", #""\ud800""#, #""\x""#, "\"a\nb\"", #""a"#, "1 2", "[", "]", "/**/1", "1e999", "-1e999",
        "1e-999",
        String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
        String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
    ])
    func `StrictJSONDecoder throws DecodingError for text that is no JSON value`(text: String) {
        #expect(throws: DecodingError.self) { try StrictJSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
    }

    @Test func `StrictJSONDecoder throws DecodingError for bytes that are invalid UTF-8`() {
        for bytes in [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22]] as [[UInt8]]
        {
            #expect(throws: DecodingError.self) { try StrictJSONDecoder().decode(JSONValue.self, from: Data(bytes)) }
        }
    }

    @Test func `StrictJSONDecoder decodes JSON values with huge numbers, strings and arrays`() throws {
        func value(_ text: String) throws -> JSONValue {
            try StrictJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        }
        let digits = String(repeating: "9", count: 300)
        #expect(try value(digits).number == Double(digits))
        #expect(try value("-9223372036854775809").number == -9_223_372_036_854_775_808)
        #expect(try value("\"\(String(repeating: "x", count: 1 << 20))\"").string?.utf8.count == 1 << 20)
        #expect(try value("[\(Array(repeating: "1", count: 20_000).joined(separator: ","))]").array?.count == 20_000)
        #expect(try value(#"{"a":1,"a":2,"\u0061":3}"#) == ["a": 1])
    }

    /// Names that differ in their code points only.
    private static let alike = [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{AC00}", "\u{1100}\u{1161}")]

    @Test(arguments: alike)
    func `JSON names that differ only in code points are never taken for one another`(one: String, other: String) throws
    {
        let both = Data("[{\"\(one)\":1,\"\(other)\":2}]".utf8)
        let error = try #require(throws: DecodingError.self) {
            try StrictJSONDecoder().decode(JSONValue.self, from: both)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record(error)
            return
        }
        let name = (context.underlyingError as? JSONValue.IndistinctName)?.name
        #expect(name.map { Array($0.utf8) } == Array(other.utf8))
        let value: JSONValue = .object([one: 1])
        #expect(try value.merging(.object([other: nil])).object?.keys.map { Array($0.utf8) } == [Array(one.utf8)])
        #expect(try value.merging(.object([one: 2])) == .object([one: 2]))
        #expect(throws: JSONValue.IndistinctName.self) { try value.merging(.object([other: 2])) }
        #expect(throws: JSONValue.IndistinctName.self) {
            try JSONValue.object(["a": value]).merging(["a": .object([other: 2])])
        }
    }

    @Test(
        arguments: [
            ("null", nil), ("true", true), ("-7", -7), ("1.5", 1.5), ("100.0", 100.0), (#""é""#, "é"), ("[]", []),
            (#""\"\\\n\r\t\u0000\u001f/""#, "\"\\\n\r\t\u{0}\u{1F}/"), ("{}", [:]),
            (#"{"a":[1,null,{"b":"c"}],"d":false}"#, ["d": false, "a": [1, nil, ["b": "c"]]]),
        ] as [(String, JSONValue)]
    )
    func `A JSONValue prints as JSON`(text: String, value: JSONValue) throws {
        #expect("\(value)" == text)
        #expect(String(reflecting: [value]) == "[\(text)]")
        #expect(try StrictJSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
    }
}
