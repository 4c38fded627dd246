import Foundation
import Testing

@testable import OpenAPIDocument

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> JSON { try JSONReader.read(Data(text.utf8)) }

    @Test(arguments: [
        ("null", JSON.null), (" true ", .bool(true)), ("-1.50e3", .number("-1.50e3")), ("0", .number("0")),
        (#""a\u00e9\n\ud83d\ude00""#, .string("aé\n😀")), (#""\ud83d""#, .string("\u{FFFD}")),
        ("[1, [], {}]", .array([.number("1"), .array([]), .members([])])),
        (#"{"b": 1, "a": 2, "b": 3}"#, .members([("b", .number("3")), ("a", .number("2"))])),
        ("\u{FEFF}[]", .array([])),
    ])
    func `JSON text is parsed to its value, where the last of two equal keys counts`(text: String, value: JSON) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        "", "  ", "[", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "nul", "'a'",
        "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\n\"", "[1] 2", "\u{0}", "NaN", "[1 2]", "\"\\", "\"\\u12",
    ])
    func `Parsing invalid JSON throws JSONReader.Problem`(text: String) {
        #expect(throws: JSONReader.Problem.self) { try read(text) }
    }

    @Test func `The error for invalid JSON names the line, the column and the reason`() {
        #expect(throws: JSONReader.Problem(line: 3, column: 8, reason: "expected a value")) {
            try read("{\n  \"a\": 1,\n  \"b\": x\n}")
        }
    }

    @Test func `An object of 50 members keeps their order when parsed`() throws {
        let names = (0..<50).map { "n\(($0 * 7) % 50)" }
        let text = "{\(names.map { "\"\($0)\": 1" }.joined(separator: ","))}"
        let value = try read(text)
        #expect(value.object?.names == names)
        #expect(value["n49"] == .number("1"))
        #expect(value["n50"] == nil)
    }

    @Test func `Parsing JSON throws JSONReader.Problem for 100,000 nested arrays, but not for 500`() throws {
        let depth = 100_000
        #expect(throws: JSONReader.Problem.self) { try read(String(repeating: "[", count: depth)) }
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(try read(deep).line == deep)
    }

    /// On a thread whose stack is too small for the value.
    @Test
    func `A value in very many brackets is read and freed on a small stack, also with brackets in a text before it`()
        async
    {
        let brackets = String(repeating: "[", count: 990) + String(repeating: "]", count: 990)
        let text = #"["\"\#(String(repeating: "]", count: 4_000))", \#(brackets)]"#
        let count = await withCheckedContinuation { result in
            let thread = Thread { result.resume(returning: (try? JSONReader.read(Data(text.utf8)))?.array?.count) }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(count == 2)
    }

    @Test func `Parsed JSON prints as the same text on one line and as the same value over several lines`() throws {
        let text = #"{"a": [1, 2.0, "x\"\\\n\u0000"], "b": {}, "c": [null, true]}"#
        #expect(try read(text).line == text)
        #expect(try read(text).lines(width: 20).first == "{")
        #expect(try read(read(text).lines(width: 20).joined()) == read(text))
    }
}
