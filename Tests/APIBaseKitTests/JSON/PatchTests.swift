import APIBaseKit
import StrictJSON
import Testing

@Suite struct PatchTests {
    private struct Change: Codable, Hashable, Sendable {
        @Patch var title: String?
        @Patch var pages: Int?
        var note: String?
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `A Patch property is encoded only when it is set, also when it is set to nil`() throws {
        var change = Change()
        #expect(!change.$title.isSet)
        #expect(try text(change) == "{}")
        change.title = "Swift"
        change.pages = nil
        #expect(change.title == "Swift" && change.$pages.isSet && change.pages == nil)
        #expect(try text(change) == #"{"pages":null,"title":"Swift"}"#)
        change.$pages.unset()
        #expect(try text(change) == #"{"title":"Swift"}"#)
        #expect(change == Change(title: Patch("Swift")))
        #expect(change != Change())
        #expect(try text(Change(title: Patch(nil))) == #"{"title":null}"#)
    }

    @Test func `An initializer that takes patches sends nil as null, a literal as its value, and nothing else`() throws
    {
        #expect(try text(Change(title: nil)) == #"{"title":null}"#)
        #expect(try text(Change(title: "Swift", pages: nil)) == #"{"pages":null,"title":"Swift"}"#)
        #expect(try text(Change(pages: 7)) == #"{"pages":7}"#)
        #expect(try text(Change(title: "Swift \(6)")) == #"{"title":"Swift 6"}"#)
        #expect(try text(Other(tags: ["a"], rows: [[1], []])) == #"{"rows":[[1],[]],"tags":["a"]}"#)
        #expect(try text(Other(tags: [], rows: nil)) == #"{"rows":null,"tags":[]}"#)
        #expect(try text(Other(prices: Patch(["EUR": 1]))) == #"{"prices":{"EUR":1}}"#)
        let other = Other(isOn: true, number: 1.5, any: Patch(["a": 1]))
        #expect(try text(other) == #"{"any":{"a":1},"isOn":true,"number":1.5}"#)
        #expect(try text(Other(any: Patch(["a"]), prices: Patch([:]))) == #"{"any":["a"],"prices":{}}"#)
        #expect(try text(Other(isOn: nil, any: nil)) == #"{"any":null,"isOn":null}"#)
    }

    private struct Other: Encodable {
        @Patch var isOn: Bool?
        @Patch var number: Double?
        @Patch var any: JSONValue?
        @Patch var tags: [String]?
        @Patch var rows: [[Int]]?
        @Patch var prices: [String: Int]?
    }

    @Test(arguments: ["{}", #"{"title":null}"#, #"{"pages":7,"title":"Swift"}"#])
    func `A Patch property keeps the difference between missing and null when decoded`(json: String) throws {
        let data = Data(json.utf8)
        #expect(try text(JSONDecoder().decode(Change.self, from: data)) == json)
        #expect(try text(StrictJSONDecoder().decode(Change.self, from: data)) == json)
    }

    @Test(arguments: [
        #"{"pages":"seven"}"#, #"{"pages":7.5}"#, #"{"pages":1e99}"#, #"{"pages":99999999999999999999}"#,
        #"{"pages":true}"#, #"{"pages":NaN}"#, #"{"title":7}"#, #"{"title":[]}"#, #"{"title":{}}"#, "[]", "null", "",
        String(repeating: #"{"title":"#, count: 100_000),
    ])
    func `A Patch property with a value of the wrong type throws DecodingError`(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Change.self, from: Data(json.utf8)) }
        #expect(throws: DecodingError.self) { try StrictJSONDecoder().decode(Change.self, from: Data(json.utf8)) }
    }

    @Test func `A Patch property is decoded from the first of two JSON members with its name`() throws {
        let data = Data(#"{"title":null,"title":"b"}"#.utf8)
        #expect(try StrictJSONDecoder().decode(Change.self, from: data) == Change(title: Patch(nil)))
    }

    @Test func `An unset Patch in an array is encoded as null`() throws {
        #expect(try text(["a", nil, Patch()] as [Patch<String>]) == #"["a",null,null]"#)
        let decoded = try JSONDecoder().decode([Patch<String>].self, from: Data(#"["a",null]"#.utf8))
        #expect(decoded == ["a", nil])
    }

    @Test func `A Patch prints as its value, null or absent`() {
        #expect("\(Patch<String>("a"))" == "a" && "\(Patch<Int>(nil))" == "null" && "\(Patch<Int>())" == "absent")
        let printed = "\(Change(title: Patch("a"), pages: Patch(nil)))"
        #expect(printed == #"Change(_title: "a", _pages: null, note: nil)"#)
        var dumped = ""
        dump(Patch<[String]>(["a"]), to: &dumped)
        #expect(dumped.contains("a") && !dumped.contains("isSet"))
    }

    // MARK: Changes in place

    private struct Book: Codable, Equatable {
        struct Author: Codable, Equatable { var name: String }

        @Patch var author: Author?
        @Patch var tags: [String]?
        @Patch var note: String?
        @Patch var prices: [String: Int]?
        @Indirect @Patch var parent: Book?
    }

    private static func touch<Value>(_ value: inout Value) {}
    private static func set(_ value: inout String?) { value = "x" }
    private static func fail(_ value: inout String?) throws {
        value = "x"
        throw CancellationError()
    }

    /// The JSON before, a change, and the JSON after it.
    private static let changes: [(String, @Sendable (inout Book) throws -> Void, String)] = [
        // Nothing to change, so it stays absent.
        ("{}", { $0.author?.name = "x" }, "{}"), ("{}", { $0.tags?.append("x") }, "{}"),
        ("{}", { $0.tags?[0] = "x" }, "{}"), ("{}", { $0.note? += "!" }, "{}"),
        ("{}", { $0.note?.removeAll() }, "{}"), ("{}", { $0.prices?["EUR"] = 1 }, "{}"),
        ("{}", { touch(&$0.note) }, "{}"), ("{}", { touch(&$0.author) }, "{}"), ("{}", { touch(&$0.parent) }, "{}"),
        ("{}", { $0.parent?.note = "x" }, "{}"), ("{}", { $0.parent?.parent?.tags?.append("x") }, "{}"),
        ("{}", { $0.$note.wrappedValue? += "!" }, "{}"),
        // A null stays null.
        (#"{"tags":null}"#, { $0.tags?.append("x") }, #"{"tags":null}"#),
        (#"{"author":null}"#, { $0.author?.name = "x" }, #"{"author":null}"#),
        (#"{"parent":null}"#, { $0.parent?.note = "x" }, #"{"parent":null}"#),
        (#"{"note":null}"#, { touch(&$0.note) }, #"{"note":null}"#),
        // A value.
        (#"{"tags":["a"]}"#, { $0.tags?.append("x") }, #"{"tags":["a","x"]}"#),
        (#"{"author":{"name":"a"}}"#, { $0.author?.name = "x" }, #"{"author":{"name":"x"}}"#),
        (#"{"parent":{}}"#, { $0.parent?.note = "x" }, #"{"parent":{"note":"x"}}"#),
        (#"{"parent":{"parent":{}}}"#, { $0.parent?.parent?.note? += "!" }, #"{"parent":{"parent":{}}}"#),
        // What is set in place, also by a function that throws then.
        ("{}", { set(&$0.note) }, #"{"note":"x"}"#), ("{}", { try? fail(&$0.note) }, #"{"note":"x"}"#),
        (#"{"note":"a"}"#, { _ = $0.note.take() }, #"{"note":null}"#),
        // Through a key path, Swift sets the property, to nil too.
        ("{}", { $0[keyPath: \.tags]?.append("x") }, #"{"tags":null}"#),
        ("{}", { if $0.$tags.isSet { $0[keyPath: \.tags]?.append("x") } }, "{}"),
        // What is set or unset.
        ("{}", { $0.note = nil }, #"{"note":null}"#), ("{}", { $0[keyPath: \.note] = nil }, #"{"note":null}"#),
        ("{}", { $0.parent = nil }, #"{"parent":null}"#), (#"{"parent":{}}"#, { $0.$parent.unset() }, "{}"),
        ("{}", { $0.parent = try JSONDecoder().decode(Book.self, from: Data("{}".utf8)) }, #"{"parent":{}}"#),
    ]

    @Test(arguments: changes)
    private func
        `A change in place leaves an absent member absent unless it sets a value, and setting nil makes a null`(
            before: String,
            change: @Sendable (inout Book) throws -> Void,
            after: String
        ) throws
    {
        var book = try StrictJSONDecoder().decode(Book.self, from: Data(before.utf8))
        #expect(try book == JSONDecoder().decode(Book.self, from: Data(before.utf8)))
        #expect(try text(book) == before)
        try change(&book)
        #expect(try text(book) == after)
    }
}
