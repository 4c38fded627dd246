import APIBaseKit
import Testing

@Suite struct QueryItemsTests {
    private enum Order: String, QueryValue { case newest, oldest }

    private func text(_ query: QueryItems) -> String {
        query.items.map { "\($0.name)=\($0.value ?? "-")" }.joined(separator: "&")
    }

    @Test func `QueryItems writes strings, numbers, booleans, enums and arrays as query items`() {
        var query = QueryItems()
        query["text"] = "a b"
        query["number"] = 2
        query["fraction"] = 0.5
        query["yes"] = true
        query["list"] = ["a", "b"]
        query["numbers"] = [1, 2]
        query["order"] = Order.newest
        query["small"] = UInt8(7)
        #expect(
            text(query)
                == "text=a b&number=2&fraction=0.5&yes=true&list=a&list=b&numbers=1&numbers=2&order=newest&small=7"
        )
    }

    @Test func `Setting a QueryItems value replaces old items in place; nil or an empty array removes them`() {
        var query: QueryItems = ["a": 1, "b": ["x", "y"], "c": "z"]
        query["b"] = "one"
        #expect(text(query) == "a=1&b=one&c=z")
        query["b"] = [3, 4]
        #expect(text(query) == "a=1&b=3&b=4&c=z")
        query["a"] = nil
        #expect(text(query) == "b=3&b=4&c=z")
        query["b"] = [String]()
        #expect(text(query) == "c=z")
        let none: Int? = nil
        query["c"] = none
        #expect(text(query).isEmpty)
    }

    @Test func `QueryItems reads a value as the requested type, and nil if it is absent or another type`() {
        let query: QueryItems = ["page": 2, "tag": ["a", "b"], "order": Order.oldest, "bad": "x", "left": nil as Int?]
        #expect(query["page"] == "2")
        #expect(query["page"] == 2)
        #expect(query["tag"] == "a")
        #expect(query["tag"] == ["a", "b"])
        #expect(query["order"] == Order.oldest)
        #expect(query["bad"] == Int?.none)
        #expect(query["bad"] == [Int]?.none)
        #expect(query["left"] == String?.none)
        #expect(query["none"] == [String]?.none)
        let id = UUID()
        #expect((["id": id] as QueryItems)["id"] == id)
    }

    @Test func `Changing a call's query changes its queryItems and keeps items without a value`() throws {
        let call = Call("/list")
        call.queryItems = [URLQueryItem(name: "bare", value: nil), URLQueryItem(name: "page", value: "1")]
        call.query["page"] = 2
        call.query["q"] = "1+1=2&3"
        #expect(call.queryItems.count == 3)
        #expect(try call.url() == "http://api.example/list?bare&page=2&q=1%2B1%3D2%263")
        #expect(call.query["bare"] == String?.none)
    }

    @Test func `An object passed to setQuery is merged into the query; an array throws EncodingError`() throws {
        struct Filter: Encodable {
            var page = 2
            var tags = ["a", "b"]
            var author: String?
        }
        let call = Call("/list")
        call.query = ["page": 1, "kept": "x"]
        try call.setQuery(Filter())
        #expect(text(call.query) == "page=2&kept=x&tags=a&tags=b")
        #expect(throws: EncodingError.self) { try call.setQuery([1, 2]) }
        #expect(throws: EncodingError.self) { try call.setQuery("text") }
        #expect(text(call.query) == "page=2&kept=x&tags=a&tags=b")
    }
}
