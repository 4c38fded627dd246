import APIBaseKit
import APIBaseStubs
import Testing

/// The operations of RFC 6902, by the examples of its appendix A. Merge patches are in ``PatchBodyTests``.
@Suite struct JSONPatchTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: String
        let patch: String
        let result: String

        init(_ name: String, _ document: String, _ patch: String, _ result: String) {
            (testDescription, self.document, self.patch, self.result) = (name, document, patch, result)
        }
    }

    private static let examples = [
        Example(
            "A.1",
            #"{"foo":"bar"}"#,
            #"[{"op":"add","path":"/baz","value":"qux"}]"#,
            #"{"baz":"qux","foo":"bar"}"#
        ),
        Example(
            "A.2",
            #"{"foo":["bar","baz"]}"#,
            #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
            #"{"foo":["bar","qux","baz"]}"#
        ),
        Example("A.3", #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
        Example(
            "A.4",
            #"{"foo":["bar","qux","baz"]}"#,
            #"[{"op":"remove","path":"/foo/1"}]"#,
            #"{"foo":["bar","baz"]}"#
        ),
        Example(
            "A.5",
            #"{"baz":"qux","foo":"bar"}"#,
            #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            #"{"baz":"boo","foo":"bar"}"#
        ),
        Example(
            "A.6",
            #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{"from":"/foo/waldo","op":"move","path":"/qux/thud"}]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        Example(
            "A.7",
            #"{"foo":["all","grass","cows","eat"]}"#,
            #"[{"from":"/foo/1","op":"move","path":"/foo/3"}]"#,
            #"{"foo":["all","cows","eat","grass"]}"#
        ),
        Example(
            "A.8",
            #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        Example(
            "A.10",
            #"{"foo":"bar"}"#,
            #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
            #"{"child":{"grandchild":{}},"foo":"bar"}"#
        ),
        Example("A.14", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
        Example(
            "A.16",
            #"{"foo":["bar"]}"#,
            #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
            #"{"foo":["bar",["abc","def"]]}"#
        ),
        Example("root", #"{"a":1}"#, #"[{"op":"add","path":"","value":[1]}]"#, "[1]"),
        Example("copy", #"{"a":[1]}"#, #"[{"from":"/a","op":"copy","path":"/b"}]"#, #"{"a":[1],"b":[1]}"#),
        Example("null", #"{"a":null}"#, #"[{"op":"replace","path":"/a","value":1}]"#, #"{"a":1}"#),
        Example("to itself", #"{"a":1}"#, #"[{"from":"/a","op":"move","path":"/a"}]"#, #"{"a":1}"#),
        Example("empty name", #"{"":{"":1}}"#, #"[{"op":"remove","path":"//"}]"#, #"{"":{}}"#),
        Example(
            "a slash with a mark",
            "{\"a\":{\"\u{301}x\":1}}",
            "[{\"op\":\"remove\",\"path\":\"/a/\u{301}x\"}]",
            #"{"a":{}}"#
        ),
        Example(
            "a slash with a joiner",
            "{}",
            "[{\"op\":\"add\",\"path\":\"/\u{200D}q\",\"value\":1}]",
            "{\"\u{200D}q\":1}"
        ),
        Example(
            "a tilde with a mark",
            "{}",
            "[{\"op\":\"add\",\"path\":\"/~1\u{301}\",\"value\":1}]",
            "{\"/\u{301}\":1}"
        ),
        Example(
            "other code points, moved",
            "{\"\u{E9}\":1}",
            "[{\"from\":\"/\u{E9}\",\"op\":\"move\",\"path\":\"/e\u{301}\"}]",
            "{\"e\u{301}\":1}"
        ),
        Example("numbers", #"{"a":[1]}"#, #"[{"op":"test","path":"/a","value":[1.0]}]"#, #"{"a":[1]}"#),
    ]

    private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(arguments: examples)
    func `The JSON Patch examples of RFC 6902 give the documented results and encode unchanged`(example: Example) throws
    {
        let patch = try Self.decode([JSONPatch].self, example.patch)
        let document = try Self.decode(JSONValue.self, example.document)
        #expect(try Self.text(document.applying(patch)) == example.result)
        if example.testDescription != "numbers" { #expect(try Self.text(patch) == example.patch) }
    }

    @Test func `An unknown member of a JSON Patch operation is ignored when decoding`() throws {
        // A.11
        let patch = try Self.decode([JSONPatch].self, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#)
        #expect(patch == [.add("/baz", "qux")])
    }

    @Test(
        arguments: [
            (#"{"foo":"bar"}"#, [.test("", 1), .add("/x", 1)], 0, "", JSONPatch.Failure.Reason.different),
            // A.9, A.12 and A.15
            (#"{"baz":"qux"}"#, [.test("/baz", "bar")], 0, "/baz", .different),
            (#"{"foo":"bar"}"#, [.add("/foo", 1), .add("/baz/bat", "qux")], 1, "/baz/bat", .missing),
            (#"{"/":9,"~1":10}"#, [.test("/~01", "10")], 0, "/~01", .different),
            (#"{"a":[1]}"#, [.add("/a/2", 1)], 0, "/a/2", .missing),
            (#"{"a":[1]}"#, [.replace("/a/1", 1)], 0, "/a/1", .missing),
            (#"{"a":[1]}"#, [.replace("/a/-", 1)], 0, "/a/-", .missing),
            (#"{"a":[1,2]}"#, [.remove("/a/01")], 0, "/a/01", .missing),
            (#"{"a":[1,2]}"#, [.remove("/a/")], 0, "/a/", .missing),
            (#"{"a":[1,2]}"#, [.remove("/a/99999999999999999999")], 0, "/a/99999999999999999999", .missing),
            (#"{"a":1}"#, [.remove("/b")], 0, "/b", .missing),
            (#"{"a":1}"#, [.add("/a/b", 1)], 0, "/a/b", .missing),
            (#"{"a":{"b":1}}"#, [.move(from: "/a", to: "/a/b")], 0, "/a/b", .moveIntoItself),
            (#"{"a":1}"#, [.copy(from: "/b", to: "/a")], 0, "/b", .missing),
            (#"{"a":1}"#, [.remove("a")], 0, "a", .invalidPath),
            (#"{"a":1}"#, [.remove("/a~2")], 0, "/a~2", .invalidPath),
            (#"{"a":1}"#, [.remove("/a~")], 0, "/a~", .invalidPath),
            ("{}", [.copy(from: "", to: "/0/\u{301}x")], 0, "/0/\u{301}x", .missing),
            ("{\"\u{E9}\":1}", [.remove("/e\u{301}")], 0, "/e\u{301}", .missing),
            ("{\"\u{E9}\":1}", [.replace("/e\u{301}", 2)], 0, "/e\u{301}", .missing),
            ("{\"\u{E9}\":1}", [.test("/e\u{301}", 1)], 0, "/e\u{301}", .missing),
            ("{\"\u{E9}\":1}", [.test("", ["e\u{301}": 1])], 0, "", .different),
            ("{\"\u{E9}\":1}", [.add("/e\u{301}", 2)], 0, "/e\u{301}", .indistinctName),
            ("{\"a\":[1]}", [.remove("/a/0\u{301}")], 0, "/a/0\u{301}", .missing),
        ] as [(String, [JSONPatch], Int, String, JSONPatch.Failure.Reason)]
    )
    func `A JSON Patch that cannot be applied fails with the operation's index, the path and the reason`(
        document: String,
        patch: [JSONPatch],
        index: Int,
        path: String,
        reason: JSONPatch.Failure.Reason
    ) throws {
        let document = try Self.decode(JSONValue.self, document)
        let failure = try #require(throws: JSONPatch.Failure.self) { try document.applying(patch) }
        #expect(failure.index == index && failure.path == path && failure.reason == reason)
        #expect(failure.localizedDescription.contains("index \(index)"))
    }

    @Test(arguments: [
        #"[{"op":"grow","path":"/a"}]"#, #"[{"op":"add","path":"/a"}]"#, #"[{"op":"remove"}]"#,
        #"[{"op":"move","path":"/a"}]"#, #"{"op":"remove","path":"/a"}"#,
    ])
    func `An invalid JSON Patch throws DecodingError when it is decoded`(text: String) {
        #expect(throws: DecodingError.self) { try Self.decode([JSONPatch].self, text) }
    }
}
