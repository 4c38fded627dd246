import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// A list of ten numbers, whose pages are counted.
final class CountedRequest: JSONAPI, PagedRequest {
    struct ModelType: Decodable, Sendable { var items: [Int], total: Int?, pages: Int64? }
    enum Way: Sendable, CaseIterable { case more, pages, offset, total }

    override class var baseURL: URL? { URL(string: "http://api.example") }

    let way: Way
    let first: Int

    init(_ way: Way, _ query: QueryItems = [:], first: Int = 1) {
        (self.way, self.first) = (way, first)
        super.init(.get("/items", query: query))
    }

    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        switch way {
        case .more: .number("page", after: response, first: first, while: !page.items.isEmpty)
        case .pages: .number("page", after: response, first: first, of: page.pages)
        case .offset: .offset("from", after: response, by: page.items.count)
        case .total: .offset("from", after: response, by: page.items.count, of: page.total)
        }
    }
}

@Suite(.limited) struct CountedPagesTests {
    /// The items of a list of ten, four for each page.
    private func stubs(first: Int = 1) -> Stubs {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer { call in
            let number = call.queryItem("page").flatMap { Int($0) }.map { ($0 - first) * 4 }
            let start = number ?? call.queryItem("from").flatMap { Int($0) } ?? 0
            return .json(#"{"items": \#(Array((1...10).dropFirst(start).prefix(4))), "total": 10, "pages": 3}"#)
        }
        return stubs
    }

    /// A way to count, and the items of the queries that are sent.
    @Test(arguments: [
        (CountedRequest.Way.more, 1, ["", "page=2", "page=3", "page=4"]),
        (.more, 0, ["", "page=1", "page=2", "page=3"]), (.pages, 1, ["", "page=2", "page=3"]),
        (.pages, 0, ["", "page=1", "page=2"]), (.offset, 1, ["", "from=4", "from=8", "from=10"]),
        (.total, 1, ["", "from=4", "from=8"]),
    ])
    func `Counted pages are read from the first to the last`(way: CountedRequest.Way, first: Int, queries: [String])
        async throws
    {
        let stubs = stubs(first: first)
        var items: [Int] = []
        try await stubs.run {
            for try await page in CountedRequest(way, first: first).eachPage() { items += page.items }
        }
        #expect(items == Array(1...10))
        #expect(stubs.calls.map { $0.url?.query ?? "" } == queries)
    }

    /// The items of the first request.
    @Test(arguments: [
        (CountedRequest.Way.more, ["page": "3"], ["page=3", "page=4"]), (.pages, ["page": "2"], ["page=2", "page=3"]),
        (.total, ["from": "8", "a": "b"], ["a=b&from=8"]), (.offset, ["from": "6"], ["from=6", "from=10"]),
    ])
    func `Counting goes on from the page that the request names`(
        way: CountedRequest.Way,
        query: [String: String],
        queries: [String]
    ) async throws {
        let stubs = stubs()
        let items = QueryItems(query.sorted(by: <).map { URLQueryItem(name: $0.key, value: $0.value) })
        try await stubs.run { for try await _ in CountedRequest(way, items).eachPage() {} }
        #expect(stubs.calls.map { $0.url?.query ?? "" } == queries)
    }

    @Test(arguments: ["x", "-1", "1.5", "", "9223372036854775807", "99999999999999999999"])
    func `A page whose item is no number ends the list with an error`(value: String) async throws {
        for way in CountedRequest.Way.allCases {
            let stubs = Stubs()
            stubs.on(.get, "/items").answer(.json(#"{"items": [1], "total": 10, "pages": 3}"#))
            let item = way == .more || way == .pages ? "page" : "from"
            await #expect(throws: RequestError.self) {
                try await stubs.run { for try await _ in CountedRequest(way, [item: value]).eachPage() {} }
            }
        }
    }

    /// The `Link` header of the only page with elements, and the number of requests.
    @Test(arguments: [
        ("</items?page=1>; rel=\"first\"", 1), ("</items?page=0>; rel=\"prev\"", 1),
        ("</items?page=2>; rel=\"next\", </items?page=1>; rel=\"first\"", 2), ("</style.css>; rel=\"preload\"", 2),
    ])
    func `A Link header that names other pages and no next one ends counted pages`(link: String, count: Int)
        async throws
    {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer { call in
            .json(#"{"items": [\#(call.queryItem("page") == nil ? "1" : "")]}"#, headers: ["Link": link])
        }
        try await stubs.run { for try await _ in CountedRequest(.more).eachPage() {} }
        #expect(stubs.calls.count == count)
    }

    @Test func `Without a number of all pages there are no more`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer(.json(#"{"items": [1]}"#))
        try await stubs.run { for try await _ in CountedRequest(.pages).eachPage() {} }
        #expect(stubs.calls.count == 1)
    }
}
