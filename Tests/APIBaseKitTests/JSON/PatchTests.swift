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
        let other = Other(isOn: true, number: 1.5, any: Patch(["a": 1]))
        #expect(try text(other) == #"{"any":{"a":1},"isOn":true,"number":1.5}"#)
        #expect(try text(Other(isOn: nil, any: nil)) == #"{"any":null,"isOn":null}"#)
    }

    private struct Other: Encodable {
        @Patch var isOn: Bool?
        @Patch var number: Double?
        @Patch var any: JSONValue?
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
}
