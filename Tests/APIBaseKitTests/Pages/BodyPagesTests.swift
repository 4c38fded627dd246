import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import TestTiers
import Testing

/// Lists whose pages are named in the body of the request.
@Suite(.limited) struct BodyPagesTests {
    private struct Page: Codable, Sendable {
        var items: [Int]
        var cursor: String?
    }

    private class ShopAPI: JSONAPI {
        override class var baseURL: URL? { URL(string: "https://shop.example") }
    }

    /// A list by `POST`.
    private final class Search: ShopAPI, PagedRequest {
        typealias ModelType = Page
        let next: @Sendable (String) -> NextPage

        init(_ json: (any Encodable)?, _ next: @escaping @Sendable (String) -> NextPage = { .json(["cursor": $0]) }) {
            self.next = next
            super.init(.post("/search"))
            self.json = json
        }

        func nextPage(after page: Page, _ response: HTTPURLResponse) -> NextPage? { page.cursor.map(next) }
    }

    private static let pages = [
        #"{"items": [1, 2], "cursor": "a"}"#, #"{"items": [3], "cursor": "b"}"#, #"{"items": [4]}"#,
    ]

    /// The elements of the list, its error, and the bodies that were sent.
    private func read(_ search: Search, _ pages: [String] = pages) async throws -> (
        items: [Int], error: (any Error)?, bodies: [String]
    ) {
        let stubs = Stubs()
        let stub = stubs.on()
        switch pages.count {
        case 1: stub.answer(.json(pages[0]))
        case 2: stub.answer(inOrder: .json(pages[0]), .json(pages[1]), then: .repeatLast)
        default: stub.answer(inOrder: .json(pages[0]), .json(pages[1]), .json(pages[2]))
        }
        var items: [Int] = []
        var failure: (any Error)?
        try await stubs.run {
            do {
                for try await item in search.eachElement(\.items) { items.append(item) }
            } catch {
                failure = error
            }
        }
        return (items, failure, stubs.calls.map { String(decoding: $0.body, as: UTF8.self) })
    }

    private struct Query: Encodable {
        var text = "sea"
        var price = 19.99
        var cursor: String?
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: @Sendable () -> (any Encodable)?
        var next: @Sendable (String) -> NextPage = { .json(["cursor": $0]) }
        let second: String
    }

    static let cases = [
        Case(testDescription: "no body", json: { nil }, second: #"{"cursor":"a"}"#),
        Case(testDescription: "other members", json: { ["text": "sea"] }, second: #"{"text":"sea","cursor":"a"}"#),
        Case(testDescription: "another cursor", json: { ["cursor": "0"] }, second: #"{"cursor":"a"}"#),
        Case(
            testDescription: "numbers as they are",
            json: { ["id": JSONValue.integer(9_007_199_254_740_993)] },
            second: #"{"id":9007199254740993,"cursor":"a"}"#
        ),
        Case(
            testDescription: "several members, sorted",
            json: { ["z": 1] },
            next: { .json(["after": $0, "page": 2, "all": true, "none": String?.none]) },
            second: #"{"z":1,"after":"a","all":true,"none":null,"page":2}"#
        ),
        Case(
            testDescription: "a name with quotes",
            json: { ["a\"b": 1] },
            next: { .json(["a\"b": $0]) },
            second: #"{"a\"b":"a"}"#
        ),
        Case(
            testDescription: "variables",
            json: { ["query": JSONValue.string("q"), "variables": ["first": 2, "after": nil]] },
            next: { .variables(["after": $0]) },
            second: #"{"query":"q","variables":{"first":2,"after":"a"}}"#
        ),
        Case(
            testDescription: "variables that are missing",
            json: { ["query": "q"] },
            next: { .variables(["after": $0]) },
            second: #"{"query":"q","variables":{"after":"a"}}"#
        ),
        Case(
            testDescription: "variables that are null",
            json: { ["variables": JSONValue.null] },
            next: { .variables(["after": $0]) },
            second: #"{"variables":{"after":"a"}}"#
        ),
    ]

    @Test(arguments: cases)
    func `The body of the next page has the members that name it, and the others as they were`(example: Case)
        async throws
    {
        let (items, error, bodies) = try await read(Search(example.json(), example.next))
        #expect(items == [1, 2, 3, 4] && error == nil)
        #expect(bodies.count == 3)
        let sent = try #require(bodies.dropFirst().first)
        let decoder = JSONDecoder()
        #expect(
            try decoder.decode(JSONValue.self, from: Data(sent.utf8))
                == decoder.decode(JSONValue.self, from: Data(example.second.utf8)),
            "\(sent)"
        )
        #expect(sent.count == example.second.count)
    }

    @Test(
        arguments: [
            { (cursor: String) in .json(["cursor": cursor]) }, { .variables(["after": $0]) },
            { .query(["cursor": $0]) },
        ] as [@Sendable (String) -> NextPage]
    )
    func `A list whose page names the same cursor again fails with unreadablePage`(
        next: @escaping @Sendable (String) -> NextPage
    ) async throws {
        let (items, error, bodies) = try await read(Search(nil, next), [#"{"items": [1], "cursor": "a"}"#])
        #expect(items == [1, 1])
        #expect(error as? RequestError == .unreadablePage("A page before it has named the same one."))
        #expect(bodies.count == 2)
    }

    @Test(arguments: [
        (HTTPBody.form(["a": "b"]), "a form"), (HTTPBody.data(Data("text".utf8), type: "text/plain"), "a text"),
        (HTTPBody.json([1]), "an array"), (HTTPBody.data(Data("{}".utf8)).compressed(), "compressed"),
    ])
    func `A page in the body of a request that is no JSON object fails with unreadablePage`(
        content: HTTPBody,
        _: String
    ) async throws {
        let search = Search(nil)
        search.content = content
        let (items, error, bodies) = try await read(search)
        #expect(items == [1, 2])
        guard case .unreadablePage? = error as? RequestError else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(bodies.count == 1)
    }

    @Test func `A page in the body has its members in a content that is JSON`() async throws {
        let search = Search(nil)
        search.content = .json(["text": "sea"])
        let (items, error, bodies) = try await read(search)
        #expect(items == [1, 2, 3, 4] && error == nil)
        #expect(bodies == [#"{"text":"sea"}"#, #"{"text":"sea","cursor":"a"}"#, #"{"text":"sea","cursor":"b"}"#])
    }

    @Test func `A page in the body of a request whose JSON is an array fails with unreadablePage`() async throws {
        let (items, error, _) = try await read(Search([1]))
        #expect(items == [1, 2])
        guard case .unreadablePage? = error as? RequestError else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test(arguments: [#"{"a":1,"b":2"#, #"{"a":1} {"b":2}"#, "{\"index\":{}}\n{\"a\":1}", "{not json at all}", "null"])
    func `A page in the body of a request whose body is not one JSON object fails with unreadablePage`(body: String)
        async throws
    {
        let search = Search(nil)
        search.body = Data(body.utf8)
        let (items, error, bodies) = try await read(search)
        #expect(items == [1, 2] && bodies == [body])
        guard case .unreadablePage? = error as? RequestError else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }

    @Test(arguments: [IdempotencyKey.automatic, .value("k")])
    func `Each page of a list by POST has an idempotency key of its own, the same for all its attempts`(
        key: IdempotencyKey
    ) async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on().answer(inOrder: .json(Self.pages[0]), .status(503), .json(Self.pages[1]), .json(Self.pages[2]))
        try await stubs.run {
            let search = Search(nil)
            (search.idempotencyKey, search.retry) = (key, .standard)
            for try await _ in search.eachPage() {}
        }
        let keys = stubs.calls.map { $0.headers["Idempotency-Key"] ?? "" }
        #expect(keys.count == 4 && keys[1] == keys[2] && Set(keys).count == 3)
        #expect(keys[1] == "\(keys[0])-2" && keys[3] == "\(keys[0])-3")
    }

    @Test func `The refresh of a token for a page makes its requests without what names the page`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/search").answer(inOrder: .json(Self.pages[1]), .status(401), .json(Self.pages[2]))
        let change = Locked<[Data?]>([])
        try await stubs.run {
            let search = Search(["text": "sea"])
            // Unsafe: the refresh only reads the object, as the calls do.
            nonisolated(unsafe) let object = search
            search.authorization = .tokens(
                TokenSource { _ in
                    let body = try object.buildURLRequest().httpBody
                    change.withLock { $0.append(body) }
                    return Token("t")
                }
            )
            for try await _ in search.eachPage() {}
        }
        #expect(change.withLock { $0 } == [Data(#"{"text":"sea"}"#.utf8), Data(#"{"text":"sea"}"#.utf8)])
    }

    @Test func `A value that cannot be encoded fails the list with unreadablePage`() async throws {
        let (items, error, _) = try await read(Search(nil) { _ in .json(["cursor": Double.infinity]) })
        #expect(items == [1, 2])
        #expect(
            error as? RequestError == .unreadablePage("A value for the body of its request cannot be encoded.")
        )
    }

    @Test func `Each attempt for a page, also after a refused token, has its members in the body`() async throws {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.post, "/search").answer(
            inOrder: .json(Self.pages[0]),
            .status(503),
            .status(401),
            .json(Self.pages[2])
        )
        try await stubs.run {
            let search = Search(["text": "sea"])
            search.retry = .standard
            search.retry.methods.insert(.post)
            search.authorization = .tokens(TokenSource { _ in Token("t") })
            var items: [Int] = []
            for try await item in search.eachElement(\.items) { items.append(item) }
            #expect(items == [1, 2, 4])
        }
        let bodies = stubs.calls.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies.count == 4)
        #expect(Set(bodies.dropFirst()) == [#"{"text":"sea","cursor":"a"}"#])
    }

    @Test func `The request object itself keeps its body, and another loop begins with the first page`() async throws {
        let search = Search(["text": "sea"])
        _ = try await read(search)
        #expect(try search.buildURLRequest().httpBody == Data(#"{"text":"sea"}"#.utf8))
        #expect(try await read(search).bodies.first == #"{"text":"sea"}"#)
    }

    @Test func `The description of a page in the body has names, and no values`() {
        #expect("\(NextPage.json(["cursor": "secret", "a": 1]))" == "json(a: redacted, cursor: redacted)")
        #expect("\(NextPage.variables(["after": "secret"]))" == "variables(after: redacted)")
    }
}
