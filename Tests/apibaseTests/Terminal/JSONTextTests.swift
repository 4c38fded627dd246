import APIBaseKit
import Testing

@testable import apibase

@Suite struct JSONTextTests {
    @Test(arguments: [
        (#"{"b":1,"a":[true,null,"x"]}"#, "{\n  \"b\": 1,\n  \"a\": [\n    true,\n    null,\n    \"x\"\n  ]\n}"),
        (" [ ] ", "[]"), ("{ \n}", "{}"), (#"{"a":{},"b":[ ]}"#, "{\n  \"a\": {},\n  \"b\": []\n}"),
        ("1.50e+3", "1.50e+3"), (#""text""#, #""text""#),
        ("[100000000000000000000000]", "[\n  100000000000000000000000\n]"),
        (#"["{[,:]}","a\"b","\\"]"#, "[\n  \"{[,:]}\",\n  \"a\\\"b\",\n  \"\\\\\"\n]"),
        (#"{"a" : "b" }"#, "{\n  \"a\": \"b\"\n}"),
        ("[\"\u{9B}31m\",\"\u{7F}\"]", "[\n  \"\\u009B31m\",\n  \"\\u007F\"\n]"),
        (#"["é","👩‍👩‍👧"]"#, "[\n  \"é\",\n  \"👩‍👩‍👧\"\n]"),
    ])
    func `JSONText puts each member and element of formatted JSON on a line of its own`(text: String, expected: String)
    {
        #expect(JSONText(text)?.formatted(in: .plain) == expected)
    }

    @Test func `JSONText colors keys, strings, numbers and the words true and null differently`() {
        let printed = JSONText(#"{"k":"v","n":-1.5,"t":true,"z":null}"#)?.formatted(in: Style(hasColors: true))
        func painted(_ text: String, _ code: Int) -> String { "\u{1B}[\(code)m\(text)\u{1B}[0m" }
        let lines = [
            "{", "  \(painted(#""k""#, 34)): \(painted(#""v""#, 32)),",
            "  \(painted(#""n""#, 34)): \(painted("-1.5", 33)),",
            "  \(painted(#""t""#, 34)): \(painted("true", 35)),", "  \(painted(#""z""#, 34)): \(painted("null", 35))",
            "}",
        ]
        #expect(printed == lines.joined(separator: "\n"))
    }

    /// The formatted text is the same JSON.
    @Test(arguments: [
        "[[[[1]]],{\"a\":[{\"b\":[]}]}]", "{\"\":\"\",\"a\\\\\":\"\\\\\\\"\"}", "[\"\\u0000\",1,\"\",{}]", "[-0.0e-5]",
    ])
    func `JSONText changes nothing but white space when it formats JSON`(text: String) throws {
        let printed = try #require(JSONText(text)?.formatted(in: .plain))
        #expect(printed.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test(arguments: ["", "{", "]", "{'a':1}", "nothing", "{\"a\":1}}", "\u{FEFF}{}", "[1,,2]", "\"open", "1 2"])
    func `The JSONText initializer returns nil for text that is not valid JSON`(text: String) {
        #expect(JSONText(text) == nil)
    }

    @Test func `The JSONText initializer returns nil for UTF-16 and for invalid UTF-8`() throws {
        #expect(JSONText(try #require("[1]".data(using: .utf16))) == nil)
        #expect(JSONText(try #require("[1]".data(using: .utf16LittleEndian))) == nil)
        #expect(JSONText(Data([0x22, 0xFF, 0x22])) == nil)
    }

    @Test(arguments: [
        ("[]", []), (" [ ] ", []),
        ("[1, \"a, ]b\",\n{\"c\": [1, 2]}, [[3], []]]", ["1", "\"a, ]b\"", "{\"c\":[1,2]}", "[[3],[]]"]),
        ("{\"b\": 1.50,\n\"a\": [1, 2]}", ["{\"b\":1.50,\"a\":[1,2]}"]), ("\"a b\"", ["\"a b\""]), ("1", ["1"]),
    ])
    func `JSONText.elements has one line per element of a top-level array, or one for any other value`(
        text: String,
        lines: [String]
    ) throws {
        #expect(try #require(JSONText(text)).elements == lines)
    }
}
