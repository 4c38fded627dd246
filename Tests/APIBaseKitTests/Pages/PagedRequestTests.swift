import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// A list whose pages are linked by the `Link` header.
private class ItemsAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "http://api.example/v1") }

    let story = Locked<[String]>([])

    override func report(_ event: CallEvent) {
        let name: String? =
            switch event {
            case .sent: "sent"
            case .retrying: "retrying"
            case .refreshed: "refreshed"
            case .noted: "noted"
            case .shared: "shared"
            case .failed(let error, _): error is CancellationError ? "cancelled" : "failed"
            default: nil
            }
        if let name { story.withLock { $0.append(name) } }
    }
}

private final class ItemsRequest: ItemsAPI, LinkPagedRequest {
    typealias ModelType = [Int]

    init(_ query: QueryItems = [:]) {
        super.init(.get("/items", query: query))
    }
}

/// A list that says in its pages where the next one is.
private final class CursorRequest: ItemsAPI, PagedRequest {
    struct Page: Decodable, Equatable {
        var items: [Int]
        var cursor: String?
        var next: URL?
    }
    typealias ModelType = Page

    let asked = Locked(0)

    init(_ query: QueryItems = [:]) {
        super.init(.get("/items", query: query))
    }

    func nextPage(after page: Page, _ response: HTTPURLResponse) -> NextPage? {
        asked.withLock { $0 += 1 }
        if let next = page.next { return .url(next) }
        return page.cursor.map { .query(["cursor": $0]) }
    }
}

extension Stubs {
    /// So many pages with `Link` headers, each with its number in it.
    fileprivate static func pages(_ count: Int) -> Stubs {
        let stubs = Stubs()
        stubs.on(.get, "/items").optional().answer { call in
            let page = call.queryItem("page").flatMap { Int($0) } ?? 1
            let next = "<?page=\(page + 1)>; rel=\"next\""
            return .json("[\(page)]", headers: page < count ? ["Link": next] : [:])
        }
        return stubs
    }

    fileprivate var urls: [String] { calls.map { $0.url?.absoluteString ?? "" } }
}

/// What is fetched for each page of a list.
private final class ItemRequest: ItemsAPI, Request {
    typealias ModelType = Int
    init(_ number: Int) { super.init(.get("/item/\(segment: String(number))")) }
}

@Suite(.tags(.concurrent), .limited) struct PagedRequestTests {
    /// Replies that come at once are delivered inside the attempt, and so are the calls that they lead to.
    @Test
    func `A paged list that starts another call for each page at the same CallGate is read to its end`() async throws {
        let stubs = Stubs.pages(3)
        stubs.on(.get, "/item/*").answer(.json("7"))
        let list = ItemsRequest()
        list.gate = CallGate(concurrent: 2)
        let values = try await stubs.run {
            var values: [Int] = []
            let publisher = list.pages().flatMap(maxPublishers: .max(1)) { page in ItemRequest(page[0]).start() }
            for try await value in publisher.values { values.append(value) }
            return values
        }
        #expect(values == [7, 7, 7])
    }

    @Test func `A paged list follows the Link headers to its last page`() async throws {
        let stubs = Stubs.pages(3)
        try await stubs.run {
            var pages: [[Int]] = []
            for try await page in ItemsRequest().pages().values { pages.append(page) }
            #expect(pages == [[1], [2], [3]])
        }
        let url = "http://api.example/v1/items"
        #expect(stubs.urls == [url, "\(url)?page=2", "\(url)?page=3"])
    }

    @Test func `A paged list fetches each page only when the subscriber requests it`() async throws {
        let stubs = Stubs.pages(10_000)
        try await stubs.run {
            let request = ItemsRequest()
            let pages = request.pages()
            #expect(stubs.calls.isEmpty)
            let taker = Taker(pages)
            #expect(stubs.calls.isEmpty)
            #expect(try await taker.values(2) == [[1], [2]])
            #expect(stubs.calls.count == 2)
            #expect(try await taker.values(1) == [[1], [2], [3]])
            #expect(stubs.calls.count == 3)
            taker.cancel()
            taker.take(1)
            #expect(stubs.calls.count == 3 && taker.completion == nil)

            var seen = 0
            for try await page in pages.values {
                seen += page.count
                if seen == 5 { break }
            }
            // `values` may ask for one ahead.
            #expect((8...9).contains(stubs.calls.count))
            #expect(try await finalOutcome(of: pages.prefix(5)).values == [[1], [2], [3], [4], [5]])
            #expect((13...14).contains(stubs.calls.count))
        }
    }

    @Test func `Canceling a paged list cancels its running page request`() async throws {
        let stubs = Stubs(clock: .real)
        stubs.on(.get, "/items").answer(inOrder: .json("[1]", headers: ["Link": "<?page=2>; rel=next"]), .never)
        let request = ItemsRequest()
        request.session = stubs
        let taker = Taker(request.pages())
        taker.take(5)
        #expect(try await holds { stubs.calls.count == 2 })
        #expect(taker.values == [[1]])
        taker.cancel()
        // Where the call is being started still, that is where it is cancelled.
        let story = request.story
        #expect(try await holds { story.withLock { $0 } == ["sent", "sent", "cancelled"] })
        #expect(taker.completion == nil)
    }

    @Test func `A list of 500 pages is read without overflowing the stack`() throws {
        final class Endless: JSONAPI, PagedRequest {
            typealias ModelType = Int
            let number = Locked(0)
            func nextPage(after page: Int, _ response: HTTPURLResponse) -> NextPage? {
                .query(["page": "\(number.withLock { $0 += 1; return $0 })"])
            }
        }
        let request = Endless(.get("/"))
        request.baseURL = URL(string: "http://api.example")
        request.dataTaskPublisher = request.stubJSONResponse(statusCode: 200, data: Data("1".utf8))
        let sum = outcome(of: request.pages(atMost: 500).reduce(0, +))
        #expect(sum.values == [500] && sum.isFinished)
    }
}

// MARK: The end

extension PagedRequestTests {
    private func pages(
        atMost: Int = .max,
        _ answers: [String: StubAnswer]
    ) async throws -> (values: [CursorRequest.Page], urls: [String], outcome: Outcome<CursorRequest.Page, any Error>) {
        let stubs = Stubs()
        stubs.on(.get, "/items").optional().answer { call in
            answers[call.queryItem("cursor") ?? ""] ?? .status(404)
        }
        let result = try await stubs.run { try await finalOutcome(of: CursorRequest().pages(atMost: atMost)) }
        return (result.values, stubs.urls, result)
    }

    private func page(_ items: [Int], _ cursor: String? = nil, next: String? = nil) -> StubAnswer {
        let cursor = cursor.map { ", \"cursor\": \"\($0)\"" } ?? ""
        let next = next.map { ", \"next\": \"\($0)\"" } ?? ""
        return .json("{\"items\": \(items)\(cursor)\(next)}")
    }

    @Test func `An empty page does not end a paged list`() async throws {
        let pages = try await pages(["": page([], "a"), "a": page([], "b"), "b": page([1], "c"), "c": page([])])
        #expect(pages.values.map(\.items) == [[], [], [1], []] && pages.outcome.isFinished)
    }

    @Test func `A paged list ends instead of looping when the next page's URL was fetched before`() async throws {
        let itself = try await pages(["": page([1], next: "http://api.example/v1/items")])
        #expect(itself.values.count == 1 && itself.outcome.isFinished)
        // A fragment is not sent.
        let fragment = try await pages(["": page([1], "a"), "a": page([2], next: "?cursor=a#x")])
        #expect(fragment.values.count == 2 && fragment.outcome.isFinished)
    }

    @Test func `A paged list fails when a page names a cursor that has come before`() async throws {
        let circle = try await pages(["": page([1], "a"), "a": page([2], "b"), "b": page([3], "a")])
        #expect(circle.values.map(\.items) == [[1], [2], [3]])
        #expect(
            circle.outcome.failure as? RequestError == .unreadablePage("A page before it has named the same one.")
        )
    }

    @Test func `A paged list ends when the next page's URL was already fetched through a redirect`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/start").answer(.status(302, headers: ["Location": "/v1/items?page=1"]))
        stubs.on(.get, "/items").answer { call in
            let page = call.queryItem("page") == "1" ? 1 : 2
            return .json("[\(page)]", headers: ["Link": "<?page=\(3 - page)>; rel=next"])
        }
        let request = ItemsRequest()
        request.path = "/start"
        #expect(try await values(of: request.pages(), in: stubs) == [[1], [2]])
        #expect(stubs.calls.count == 3)
    }

    @Test(arguments: [
        "http://other.example/v1/items", "https://api.example/v1/items?cursor=a", "http://api.example:81/v1/items",
        "//other.example/", "ftp://api.example/", "mailto:a@b.example",
    ])
    func `A paged list fails with foreignPage and does not fetch a next page at another origin`(next: String)
        async throws
    {
        let pages = try await pages(["": page([1], next: next)])
        #expect(pages.values.count == 1 && pages.urls.count == 1)
        let url = try #require(URL(string: next.hasPrefix("//") ? "http:" + next : next))
        #expect(pages.outcome.failure as? RequestError == .foreignPage(url.redacted))
    }

    @Test
    func `A paged list over https fails when its next page is http, and the error redacts the query`() async throws {
        let stubs = Stubs()
        let link = HTTPHeaders(["Link": "<http://api.example/items?page=2&token=canary>; rel=next"])
        stubs.on(.get, "/items").answer(.json("[1]", headers: link))
        let request = ItemsRequest()
        request.baseURL = URL(string: "https://api.example")
        let outcome = try await stubs.run { try await finalOutcome(of: request.pages()) }
        #expect(outcome.values == [[1]] && stubs.calls.count == 1)
        #expect(
            outcome.failure?.localizedDescription == "The next page of the list is at another origin, "
                + "http://api.example/items?page=redacted&token=redacted, and is not fetched."
        )
    }

    @Test func `A paged list does not fail for a next page at another origin that is never requested`() async throws {
        let answers = ["": page([1], next: "http://other.example/")]
        #expect(try await pages(atMost: 1, answers).outcome.isFinished)
        let stubs = Stubs()
        stubs.on(.get, "/items").answer(page([1], next: "http://other.example/"))
        try await stubs.run {
            var pages = CursorRequest().pages().values.makeAsyncIterator()
            let first = try await pages.next()
            #expect(first?.items == [1])
        }
    }

    @Test(arguments: [
        "http://u:p@api.example/v1/items", "mailto:a@b.example", "http://api.example:0/", "/a/../%2e%2e/b",
    ])
    func `A paged list fails with invalidURL or foreignPage when its next URL cannot be fetched`(target: String)
        async throws
    {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer(.json("[1]", headers: ["Link": "<\(target)>; rel=next"]))
        let outcome = try await stubs.run { try await finalOutcome(of: ItemsRequest().pages()) }
        #expect(outcome.values == [[1]] && stubs.calls.count == 1)
        switch outcome.failure as? RequestError {
        case .invalidURL: break
        case .foreignPage where !target.contains("@api"): break
        default: Issue.record("\(String(describing: outcome.completion))")
        }
    }

    @Test func `A paged list fails with unreadablePage when its Link header names a next page that cannot be read`()
        async throws
    {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer(.json("[1]", headers: ["Link": "<>; rel=next"]))
        let (all, first) = try await stubs.run {
            let all = try await finalOutcome(of: ItemsRequest().pages())
            return (all, try await finalOutcome(of: ItemsRequest().pages(atMost: 1)))
        }
        #expect(all.values == [[1]] && first.values == [[1]] && first.isFinished)
        #expect(
            all.failure?.localizedDescription
                == "The next page of the list cannot be read. Its link has no URL, or one that cannot be read."
        )
    }

    /// Which limits there are is in ``StreamLimitTests``.
    @Test
    func `A paged list finishes right after the last page of its limit, without another request for more`() async throws
    {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer(page([1], "a"))
        let request = CursorRequest()
        request.session = stubs
        let taker = Taker(request.pages(atMost: 1))
        taker.take(1)
        // Without another demand, and without a question for what is not fetched.
        #expect(try await holds { taker.completion != nil })
        #expect(request.asked.withLock { $0 } == 0)
    }

    @Test
    func `A paged list delivers its earlier pages and fails with httpFailure when a page gets a 404`() async throws {
        let pages = try await pages(["": page([1], "a"), "a": page([2], "gone")])
        #expect(pages.values.count == 2)
        guard case RequestError.httpFailure(404)? = pages.outcome.failure else {
            Issue.record("\(String(describing: pages.outcome.failure))")
            return
        }
    }

    @Test func `A paged list fails with invalidURL when the base URL is missing`() {
        let unbuilt = ItemsRequest()
        unbuilt.baseURL = nil
        let outcome = outcome(of: unbuilt.pages())
        guard case RequestError.invalidURL? = outcome.failure else {
            Issue.record("\(String(describing: outcome.completion))")
            return
        }
    }

    @Test func `A paged list fails with noValue if start() gives no page, nonHTTPResponse if it has no response`() {
        final class Idle: APIBase, LinkPagedRequest {
            typealias ModelType = Int
            var values: [Int] = []
            func start() -> AnyPublisher<Int, any Error> {
                values.publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
        }
        let idle = Idle()
        idle.baseURL = URL(string: "http://api.example")
        #expect(outcome(of: idle.pages()).failure as? RequestError == .noValue)
        idle.values = [1, 2]
        let outcome = outcome(of: idle.pages())
        #expect(outcome.values == [1] && outcome.failure as? RequestError == .nonHTTPResponse)
    }
}

// MARK: The request

extension PagedRequestTests {
    fileprivate func values<Output>(
        of publisher: @autoclosure () -> AnyPublisher<Output, any Error>,
        in stubs: Stubs
    ) async throws -> [Output] {
        try await stubs.run { try await finalOutcome(of: publisher()).values }
    }

    @Test
    func `A paged list replaces query items of its request by the next page's items of the same name`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/items").answer(
            inOrder: page([1], "a&b"),
            page([2], "c"),
            page([3], next: "/v1/items?x=y"),
            page([4])
        )
        let request = CursorRequest(["tag": ["x", "y"], "cursor": ["0", "00"], "size": 5])
        let before = request.queryItems
        #expect(try await values(of: request.pages(), in: stubs).count == 4)
        #expect(
            stubs.urls.map { $0.replacingOccurrences(of: "http://api.example/v1/items?", with: "") } == [
                "tag=x&tag=y&cursor=0&cursor=00&size=5", "tag=x&tag=y&cursor=a%26b&size=5",
                "tag=x&tag=y&cursor=c&size=5",
                "x=y",
            ]
        )
        #expect(request.queryItems == before && request.path == "/items")
        #expect(try request.buildURLRequest().url?.absoluteString == stubs.urls.first)
        // An item that the request does not have is appended.
        let other = Stubs()
        other.on(.get, "/items").answer(inOrder: page([1], "a"), page([2]))
        #expect(try await values(of: CursorRequest(["size": 5]).pages(), in: other).count == 2)
        #expect(other.urls.last == "http://api.example/v1/items?size=5&cursor=a")
    }

    @Test func `A paged list sends the headers and the token of its request with every page`() async throws {
        let stubs = Stubs.pages(3)
        let request = ItemsRequest()
        request.headers["X-One"] = "1"
        request.authorization = .tokens(TokenSource(Token("t")) { _ in Token("u") })
        #expect(try await values(of: request.pages(), in: stubs).count == 3)
        #expect(stubs.calls.map { $0.headers["Authorization"] } == Array(repeating: "Bearer t", count: 3))
        #expect(stubs.calls.map { $0.headers["X-One"] } == ["1", "1", "1"])
    }

    @Test func `A token refresh between two pages of a paged list is not mistaken for a page`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/token").answer(.json("\"new\""))
        stubs.on(.get, "/items").answer { call in
            let page = call.queryItem("page") ?? "1"
            if page == "2", call.headers["Authorization"] != "Bearer new" { return .status(401) }
            return .json("[\(page)]", headers: page == "1" ? ["Link": "<?page=2>; rel=next"] : [:])
        }
        final class TokenRequest: ItemsAPI, Request { typealias ModelType = String }
        let request = ItemsRequest()
        request.authorization = .tokens(
            TokenSource(Token("old")) { _ in Token(try await TokenRequest(.post("/token")).value()) }
        )
        #expect(try await values(of: request.pages(), in: stubs) == [[1], [2]])
        let url = "http://api.example/v1"
        #expect(stubs.urls == ["\(url)/items", "\(url)/items?page=2", "\(url)/token", "\(url)/items?page=2"])
    }

    @Test func `Every page of a paged list is retried after a 503, and cached for a second reading`() async throws {
        let stubs = Stubs()
        let failures = Locked(Set<String>())
        stubs.on(.get, "/items").answer { call in
            let page = Int(call.queryItem("page") ?? "1") ?? 0
            guard failures.withLock({ !$0.insert("\(page)").inserted }) else { return .status(503) }
            let headers: HTTPHeaders = page < 3 ? ["Link": "<?page=\(page + 1)>; rel=next"] : [:]
            var all = headers
            all["Cache-Control"] = "max-age=60"
            return .json("[\(page)]", headers: all)
        }
        let request = ItemsRequest()
        request.retry = .standard
        request.cache = ResponseCache()
        #expect(try await values(of: request.pages(), in: stubs) == [[1], [2], [3]])
        #expect(stubs.calls.count == 6)
        #expect(try await values(of: request.pages(), in: stubs) == [[1], [2], [3]])
        #expect(stubs.calls.count == 6)
        #expect(request.story.withLock { $0 }.prefix(3) == ["sent", "retrying", "sent"])
    }

    @Test func `A start() of the same request object while its pages are read fetches the first page`() async throws {
        let stubs = Stubs.pages(3)
        let request = ItemsRequest()
        try await stubs.run {
            let values = try await finalOutcome(
                of: request.pages().flatMap(maxPublishers: .max(1)) { page in request.start().map { page + $0 } }
            ).values
            #expect(values == [[1, 1], [2, 1], [3, 1]])
        }
    }

    @Test func `Two equal paged lists that run at once with sharing fetch each page only once`() async throws {
        let proceed = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, connection, index in
            proceed.wait()
            let next = index < 2 ? ["Link: <?page=\(index + 2)>; rel=next"] : []
            try connection.write(reply("200 OK", ["Content-Type: application/json"] + next, body: "[\(index + 1)]"))
        }
        defer { server.stop() }
        let lists = (0..<2).map { _ in ItemsRequest() }
        for list in lists { (list.baseURL, list.sharing) = (server.url(""), .safeMethods) }
        let takers = lists.map { Taker($0.pages()) }
        for taker in takers { taker.take(5) }
        let stories = lists.map(\.story)
        for number in 1...3 {
            // The page does not come before both lists wait for it.
            #expect(
                try await holds {
                    let shared = stories.reduce(0) { $0 + $1.withLock { $0.count { $0 == "shared" } } }
                    return shared == number && server.requests.count == number
                }
            )
            proceed.signal()
        }
        #expect(try await holds { takers.allSatisfy { $0.completion != nil } })
        #expect(takers.map(\.values) == [[[1], [2], [3]], [[1], [2], [3]]])
        #expect(server.requests.count == 3)
    }

    @Test func `A paged list delivers the value of the request's own start() for each page`() async throws {
        final class Doubled: ItemsAPI, LinkPagedRequest {
            func start() -> AnyPublisher<Int, any Error> {
                decoded([Int].self).map { ($0.first ?? 0) * 2 }.eraseToAnyPublisher()
            }
        }
        let stubs = Stubs.pages(2)
        #expect(try await values(of: Doubled(.get("/items")).pages(), in: stubs) == [2, 4])
    }

    @Test
    func `A paged list uses the stubs and the base URL of the scope that created it for every page`() async throws {
        let stubs = Stubs.pages(3)
        let base = try #require(URL(string: "http://test.example"))
        let pages = try stubs.run { ItemsAPI.withBaseURL(base) { ItemsRequest().pages() } }
        let taker = Taker(pages)
        #expect(try await taker.values(1) == [[1]])
        #expect(try await taker.values(5) == [[1], [2], [3]])
        #expect(taker.completion != nil)
        #expect(stubs.urls.allSatisfy { $0.hasPrefix("http://test.example/items") } && stubs.calls.count == 3)
    }

    @Test func `Two subscribers of one paged list fetch its pages independently`() async throws {
        let stubs = Stubs.pages(3)
        try await stubs.run {
            let pages = ItemsRequest().pages()
            let (one, two) = (Taker(pages), Taker(pages))
            let parts = [
                try await one.values(2), try await two.values(1), try await one.values(2), try await two.values(3),
            ]
            #expect(parts == [[[1], [2]], [[1]], [[1], [2], [3]], [[1], [2], [3]]])
        }
        #expect(stubs.calls.count == 6)
    }
}

// MARK: The network

@Suite(.tags(.concurrent), .everySession, .limited) struct PagedRequestNetworkTests {
    @Test func `A paged list follows the Link headers of a real server up to its page limit`() async throws {
        let targets = Locked<[String]>([])
        let server = try HTTPServer { request in
            targets.withLock { $0.append(request.target) }
            let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 1
            var fields = HTTPFields(["Content-Type": "application/json", "Link": "</>; rel=\"start, index\""])
            if page < 100 {
                fields.add("Link", "<\(request.target.prefix { $0 != "?" })?page=\(page + 1)>; rel=\"next\"")
            }
            return ServerResponse(headers: fields, body: .data(Data("[\(page)]".utf8)))
        }
        defer { server.stop() }
        let request = ItemsRequest()
        request.baseURL = server.url
        request.session = EverySession.current
        var pages: [Int] = []
        for try await page in request.pages(atMost: 4).values { pages += page }
        #expect(pages == [1, 2, 3, 4])
        #expect(targets.withLock { $0 } == ["/items", "/items?page=2", "/items?page=3", "/items?page=4"])
        pages = []
        for try await page in request.pages().values {
            pages += page
            if pages.count == 5 { break }
        }
        #expect(pages == [1, 2, 3, 4, 5])
        #expect((9...10).contains(targets.withLock { $0.count }))
    }
}
