import Foundation
import StrictJSON
import Testing

/// Documents that are JSON and that are not, by the classes of the public parsing suites, in parts that are read and in
/// parts that are not.
@Suite struct JSONGrammarTests {
    /// Takes any document, and reads nothing of it.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) {}
    }

    static let accepted = [
        // Structures.
        "[]", "{}", "[[]]", "[{}]", "[1,2]", #"{"":0}"#, #"{"a":[]}"#, #"{"a":1,"a":2}"#, #"{"a":{"b":{}}}"#,
        "[[[[[[]]]]]]",
        // White space.
        " [] ", "\n[\t1\r,\n2 ]\r\n", "{ \"a\" : 1 , \"b\" : 2 }", "[1\n        ,                 2]",
        // Words and fragments.
        "null", "true", "false", "[true,false,null]", "0", "\"\"", " 1 ",
        // Numbers.
        "-0", "0.0", "-0.1", "1e1", "1E1", "1e+1", "1e-1", "0e1", "1.5e10", "123456789012345678901234567890",
        "1e400", "-1e-400",
        "0.0000000000000000000000000000000000000000000000001",
        // Strings.
        #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9""#, #""\uD83D\uDE00""#, #""\uD83D\ude00x""#,
        "\"\u{7F}\"",
        "\"é\"", "\"€\"", "\"😀\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"\u{2028}\"", #""/* no comment */""#,
        #""\u005C\u0022""#,
        "\"\u{FFFE}\"", "\"eight by\"", "\"eight byt\"", "\"sixteen bytes xx\"", #""sixteen bytes x\n""#,
        "\"1234567é\"", "\"é1234567é\"",
    ]

    static let refused = [
        // Nothing, or too much.
        "", " ", "\n", "[] []", "1 2", "{}x", "[]]", "{}}", "\"\"\"\"", "nullnull", "[1]#",
        // Structures.
        "[", "{", "]", "}", "[1", "[1,", "[,", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "[1}", "{]", "{1:2}", "{a:1}",
        #"{"a"}"#,
        #"{"a":}"#, #"{"a":1,}"#, "[1,]", #"{,"a":1}"#, #"{"a":1 "b":2}"#, #"{"a",1}"#, #"{"a"::1}"#, #"{"a":1"#,
        #"{"a":"#, #"{"a""#,
        #"{"a":1,"#, #"{"a":1,,"b":2}"#, "{null:1}", #"{'a':1}"#, "[[", "[{", "{[", #"{"a":[}"#, "{\"a\":1]",
        // Words.
        "nul", "tru", "fals", "True", "NULL", "nulll", "truex", "t", "f", "n", "undefined", "NaN", "Infinity",
        "-Infinity", "[nul]",
        // Numbers.
        "01", "-01", "00", "-", "--1", "+1", "1.", ".5", "-.5", "1.e1", "1e", "1e+", "1e-", "1e1.5", "1.2.3",
        "0x10", "1_0", "1,0",
        "0e", "-x", "1a", "1-", "1+1", "[-]", "[1.]", "[0e+]", "[2.e3]", "１", "[1e]", "0.e1", "- 1", "1 .5",
        // Strings.
        "\"", "\"a", "a\"", "'a'", #""\""#, #""\x""#, #""\u""#, #""\u12""#, #""\u123g""#, #""\U0041""#, #""\a""#,
        #""\'""#, #""\0""#,
        "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "\"a\\\n\"", "\"12345678\u{1}\"", "\"1234567\u{0}\"",
        #""\ ""#, #""\u+123""#,
        // Half a surrogate pair: RFC 8259 has it, Swift's strings do not.
        #""\uD83D""#, #""\uDE00""#, #""\uD83Dx""#, #""\uD83D\n""#, #""\uD83D\u0041""#, #""\uD83D\uD83D""#,
        #""\uDE00\uD83D""#,
        // Comments and marks.
        "/**/1", "1//", "[1/**/]", "#1", "\u{A0}1", "\u{2028}1", "[1]\u{0}", "\u{C}1", "\u{FEFF}\u{FEFF}1",
    ]

    @Test(arguments: accepted)
    func `StrictJSONDecoder accepts each valid JSON text at the top level and inside arrays and objects`(json: String)
        throws
    {
        #expect(GrammarOfJSON.accepts(Array(json.utf8)))
        #expect(try Both(Unread.self, json).failure == nil)
        // The same where the value stands between others.
        #expect(try Both(Unread.self, #"[{"a":\#(json)},\#(json)]"#).failure == nil)
    }

    @Test(arguments: refused)
    func `StrictJSONDecoder fails with dataCorrupted for invalid JSON, even if the model reads no value`(json: String)
        throws
    {
        #expect(!GrammarOfJSON.accepts(Array(json.utf8)))
        let error = #expect(throws: DecodingError.self) {
            try StrictJSONDecoder().decode(Unread.self, from: Data(json.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("of another kind: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.isEmpty)
        #expect(context.underlyingError != nil)
    }

    /// Invalid UTF-8 in each place of a string, so that each place of eight bytes is met.
    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE1, 0x80], [0xE2, 0x82, 0x41], [0xF1, 0x80, 0x41, 0x80], [0xF1, 0x80, 0x80, 0x41],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF1, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func `StrictJSONDecoder fails for invalid UTF-8 after 0 to 16 other characters of a string`(bytes: [UInt8]) {
        for before in 0..<17 {
            let text = Array("[\"".utf8) + Array(repeating: 0x61, count: before) + bytes + Array("\"]".utf8)
            #expect(throws: DecodingError.self) { try StrictJSONDecoder().decode(Unread.self, from: Data(text)) }
        }
    }

    @Test func `StrictJSONDecoder fails with a DecodingError for a document that is cut off after any byte`() {
        let json = Array(#"{"a":[1.5e-3,"é\u00e9😀\n",true,null,{"b":{}}],"c":"12345678"}"#.utf8)
        for count in 0..<json.count {
            #expect(throws: DecodingError.self) {
                try StrictJSONDecoder().decode(Unread.self, from: Data(json[..<count]))
            }
        }
    }

    @Test func `StrictJSONDecoder decodes only the bytes of a Data slice, not those around it`() throws {
        let data = Data("xx[1,2]yy".utf8)
        #expect(try StrictJSONDecoder().decode([Int].self, from: data[2..<7]) == [1, 2])
    }
}
