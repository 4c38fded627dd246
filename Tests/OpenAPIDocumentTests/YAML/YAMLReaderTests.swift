import Foundation
import Testing

@testable import OpenAPIDocument

/// `ruamel.yaml` and the cases of the YAML test suite were the judges of these.
@Suite struct YAMLReaderTests {
    private func json(_ text: String) throws -> String { try YAMLReader.read(Data(text.utf8)).line }

    @Test(arguments: [
        ("a: 1", #"{"a": 1}"#), ("", "null"), ("# only a comment", "null"), ("---\na: 1\n...\n", #"{"a": 1}"#),
        ("- a\n- - b\n  - c\n-\n  d: 1\n- e: 2\n  f: 3\n", #"["a", ["b", "c"], {"d": 1}, {"e": 2, "f": 3}]"#),
        ("a:\n- b\n- c\nd:\n  - e\n", #"{"a": ["b", "c"], "d": ["e"]}"#),
        ("a:\nb: ~\nc: # no\n", #"{"a": null, "b": null, "c": null}"#),
        ("'a b': 1\n\"c\\u00e9\": 2\n200: 3\ntrue: 4\n", #"{"a b": 1, "cé": 2, "200": 3, "true": 4}"#),
        ("a: b: c", nil), ("a: http://x/y#z # c\nb: c#d", #"{"a": "http://x/y#z", "b": "c#d"}"#),
        ("a: one\n  two\n\n  three\nb: 1", #"{"a": "one two\nthree", "b": 1}"#),
        ("a: \"one\n  two\\\n  three\\ud83d\\ude00\"\nb: 'it''s\n\n  x'", #"{"a": "one twothree😀", "b": "it's\nx"}"#),
        (
            "a: |\n  one\n    two\n\n  three\n\nb: |-\n  x\nc: |+\n  y\n\nd: |2\n   z\n",
            #"{"a": "one\n  two\n\nthree\n", "b": "x", "c": "y\n\n", "d": " z\n"}"#
        ),
        (
            "a: >\n  one\n  two\n\n  three\n   four\n  five\nb: >-\n  x\n",
            #"{"a": "one two\nthree\n four\nfive\n", "b": "x"}"#
        ),
        ("{a: [1, 'b', \"c\": d]}", nil),
        (
            "a: {b: [1, two words, \"c,d\"], \"e\":1, f: ,\n  g: {}} # c",
            #"{"a": {"b": [1, "two words", "c,d"], "e": 1, "f": null, "g": {}}}"#
        ),
        ("a: &x {b: 1}\nc: *x\nd: &y\n  - 2\ne: *y\n", #"{"a": {"b": 1}, "c": {"b": 1}, "d": [2], "e": [2]}"#),
        ("? \(String(repeating: "k", count: 20))\n: a: 1\n  b: 2\n", #"{"kkkkkkkkkkkkkkkkkkkk": {"a": 1, "b": 2}}"#),
        ("a: 1\r\nb: |\r\n  x\r\n", #"{"a": 1, "b": "x\n"}"#), ("\u{FEFF}a: 1", #"{"a": 1}"#),
        (#"{"a": [1, {"b": null}]}"#, #"{"a": [1, {"b": null}]}"#),
    ])
    func `YAML is read as the same JSON`(text: String, json expected: String?) throws {
        guard let expected else {
            #expect(throws: JSONReader.Problem.self) { try json(text) }
            return
        }
        #expect(try json(text) == JSON(Data(expected.utf8), name: "").line)
    }

    @Test(arguments: [
        ("null", "null"), ("Null", "null"), ("~", "null"), ("nul", #""nul""#), ("TRUE", "true"), ("no", #""no""#),
        ("on", #""on""#),
        ("012", "12"), ("+1", "1"), ("-0", "-0"), ("0x1F", "31"), ("0o17", "15"), ("1_000", #""1_000""#), (".5", "0.5"),
        ("5.", "5"),
        ("-1.50e3", "-1.50e3"), ("1e3", "1e3"), ("12:30", #""12:30""#), ("2020-01-01", #""2020-01-01""#),
        ("1.2.3", #""1.2.3""#),
        ("18446744073709551616", "18446744073709551616"),
    ])
    func `A plain scalar is what the core schema of YAML 1.2 says`(scalar: String, value: String) throws {
        #expect(try json("a: \(scalar)") == "{\"a\": \(value)}")
    }

    @Test(arguments: [
        ("a: 1\na: 2", 2, 1, "stands twice"), ("a:\n\tb: 1", 2, 2, "tab"), ("a: 1\n  b: 2", 2, 3, "key"),
        ("a:\n    b: 1\n  c: 2", 3, 3, "indentation"),
        ("a: !!str 1", 1, 4, "tags"), ("<<: {}", 1, 1, "merge"), ("a: *x", 1, 6, "no anchor"),
        ("a: 1\n---\nb: 2", 2, 1, "more than one"),
        ("%YAML 1.2\n---\na: 1", 1, 1, "directives"), ("a: [1, 2", 1, 9, "does not end"),
        ("a: \"x", 1, 4, "does not end"),
        ("a: \"\\q\"", 1, 6, "escape"), ("a: .inf", 1, 4, "JSON has no"), ("a: @x", 1, 4, "expected a value"),
        ("a: 'x' y", 1, 8, "end of the line"),
        ("a: [1,, 2]", 1, 7, "expected a value"), ("a: {b: 1, b: 2}", 1, 11, "stands twice"),
        ("a\u{1}: 1", 1, 2, "control"),
        ("- a\nb: 1", 2, 1, "something follows"), ("a: |x\n  b", 1, 5, "end of the line"),
        ("? [a]\n: 1", 1, 3, "expected a value"),
        ("{a: 1}: 2", 1, 7, "key"), ("a: \"\\ud83dx\"", 1, 11, "character"),
    ])
    func `What is not read is refused with its place`(text: String, line: Int, column: Int, reason: String) {
        let problem = #expect(throws: JSONReader.Problem.self) { try json(text) }
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
        #expect([problem?.line, problem?.column] == [line, column])
    }

    @Test func `Aliases of a long text are refused`() {
        let aliases = repeatElement("*a", count: 10_000).joined(separator: ", ")
        let problem = #expect(throws: JSONReader.Problem.self) {
            try json("- &a \(String(repeating: "x", count: 20_000))\n- [\(aliases)]")
        }
        #expect(problem?.reason.contains("aliases") == true)
    }

    @Test func `Text that is not UTF-8, and aliases that give too much are refused`() {
        #expect(throws: JSONReader.Problem.self) { try YAMLReader.read(Data([0x61, 0xFF])) }
        let lines = (1...9).map {
            "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]"
        }
        let problem = #expect(throws: JSONReader.Problem.self) {
            try json("a0: &a0 x\n\(lines.joined(separator: "\n"))")
        }
        #expect(problem?.reason.contains("aliases") == true)
    }

    private static func nested(_ depth: Int, _ inner: String) -> String {
        String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
    }

    @Test(
        arguments: [
            (String(repeating: "[", count: 100_000), false), (nested(990, ""), true),
            ("- &a \(nested(600, "1"))\n- \(nested(600, "*a"))", false),
            ("- &a \(nested(600, "1"))\n- *a\n- \(nested(300, "*a"))", true),
            ("[&a \(nested(400, "1")), &b \(nested(400, "*a")), &c [1], \(nested(400, "[*c, *b]"))]", false),
        ]
    )
    func `Collections that are too deep in one another are refused, also by aliases`(text: String, isRead: Bool) async {
        let reason = await withCheckedContinuation { (continuation: CheckedContinuation<String, Never>) in
            // As the command, on a thread with a stack for it.
            let thread = Thread {
                var reason = ""
                do {
                    _ = try YAMLReader.read(Data(text.utf8))
                } catch { reason = (error as? JSONReader.Problem)?.reason ?? "" }
                continuation.resume(returning: reason)
            }
            thread.stackSize = 256 << 20
            thread.start()
        }
        #expect(reason == (isRead ? "" : "more than 1000 collections in one another"))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [#""\q"#, #"""#, "'", #""a"#])
    func `Many lines that begin with a quote are read in a short time`(line: String) throws {
        let text = "x: a\(String(repeating: "\n \(line)", count: 40_000))"
        _ = try? YAMLReader.read(Data(text.utf8))
    }

    /// The documents of `Tests/Generator`, as YAML with blocks.
    @Test(arguments: ["bookshop", "choices", "forms", "hostile", "names", "nulls", "parameters", "replies", "security"])
    func `A document in YAML is read as its twin in JSON`(name: String) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try Data(contentsOf: tests.appendingPathComponent("Generator/Documents/\(name).json"))
        let twin = try JSON(text, name: name).yaml(indentation: 0).drop { $0 == "\n" }
        #expect(try JSON(document: Data(twin.utf8), name: "twin.yaml") == JSON(text, name: name))
    }
}

extension JSON {
    /// The value in blocks, as the value of a key with this indentation.
    fileprivate func yaml(indentation: Int) -> String {
        let space = "\n" + String(repeating: " ", count: indentation)
        switch self {
        case .object(let members) where !members.names.isEmpty:
            return pairs.map { "\(space)\(JSON.string($0.name).line):\($0.value.yaml(indentation: indentation + 2))" }
                .joined()
        case .array(let elements) where !elements.isEmpty:
            return elements.map { "\(space)-\($0.yaml(indentation: indentation + 2))" }.joined()
        case .string(let text)
        where text.contains("\n") && !text.contains { $0 == "\t" || $0 == "\r" } && text.first?.isLetter == true:
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let isClean = lines.allSatisfy { !$0.hasPrefix(" ") && !$0.hasSuffix(" ") } && !text.hasSuffix("\n")
            return isClean ? " |-" + lines.map { $0.isEmpty ? "\n" : space + $0 }.joined() : " \(line)"
        default: return " \(line)"
        }
    }
}
