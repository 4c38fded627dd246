import APIBaseKit
import Testing

private class ShopAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://shop.example/v1") }
}

private class NewShopAPI: ShopAPI {}

private final class ItemRequest: ShopAPI, Request {
    typealias ModelType = Data
    init(_ id: Int = 1) { super.init(.get("/items/\(segment: id)")) }
}

private final class NewItemRequest: NewShopAPI, Request {
    typealias ModelType = Data
    init(_ id: Int = 1) { super.init(.get("/items/\(segment: id)")) }
}

/// Keeps the URLs of all its attempts.
private final class AttemptedRequest: ShopAPI, Request {
    typealias ModelType = Data
    private(set) var urls: [String?] = []

    override init() { super.init(.get("/items/1")) }

    override func buildURLRequest() throws -> URLRequest {
        let request = try super.buildURLRequest()
        urls.append(request.url?.absoluteString)
        return request
    }
}

/// What is said for the process holds for all tests, so only these say it, for classes of their own.
@Suite(.serialized) struct BaseURLTests {
    private static let staging = URL(string: "https://staging.example/api") ?? URL(fileURLWithPath: "/")
    private static let local = URL(string: "http://localhost:1") ?? URL(fileURLWithPath: "/")

    private func url(_ request: APIBase) throws -> String? { try request.buildURLRequest().url?.absoluteString }

    @Test func `A base URL set by useBaseURL(_:) applies to the class and its subclasses until it is reset`() throws {
        defer { ShopAPI.useBaseURL(nil) }
        let request = ItemRequest()
        ShopAPI.useBaseURL(Self.staging)
        #expect(try url(request) == "https://staging.example/api/items/1")
        #expect(try url(NewItemRequest()) == "https://staging.example/api/items/1")
        // Call sites stay as they are, also those that set one.
        request.baseURL = URL(string: "https://shop.example/v3")
        #expect(try url(request) == "https://staging.example/api/items/1")
        #expect(try url(Call("/x")) == "http://api.example/x")
        ShopAPI.useBaseURL(nil)
        #expect(try url(request) == "https://shop.example/v3/items/1")
    }

    @Test func `The base URL of the nearest class applies when several classes have called useBaseURL(_:)`() throws {
        defer {
            ShopAPI.useBaseURL(nil)
            NewShopAPI.useBaseURL(nil)
        }
        NewShopAPI.useBaseURL(Self.local)
        ShopAPI.useBaseURL(Self.staging)
        #expect(try url(NewItemRequest()) == "http://localhost:1/items/1")
        #expect(try url(ItemRequest()) == "https://staging.example/api/items/1")
    }

    @Test func `The base URL of a withBaseURL scope takes precedence over one set by useBaseURL(_:)`() async throws {
        defer { ShopAPI.useBaseURL(nil) }
        ShopAPI.useBaseURL(Self.staging)
        let local = try ShopAPI.withBaseURL(Self.local) { try url(ItemRequest()) }
        #expect(local == "http://localhost:1/items/1")
        let urls = try ShopAPI.withBaseURL(Self.local) {
            try NewShopAPI.withBaseURL(Self.staging) { [try url(NewItemRequest()), try url(ItemRequest())] }
        }
        #expect(urls == ["https://staging.example/api/items/1", "http://localhost:1/items/1"])
        let child = try await ShopAPI.withBaseURL(Self.local) {
            async let child = url(ItemRequest(2))
            return try await child
        }
        #expect(child == "http://localhost:1/items/2")
        #expect(try url(ItemRequest()) == "https://staging.example/api/items/1")
    }

    @Test func `The base URL of withBaseURL applies to all attempts of a call that is started in its closure`() {
        let request = AttemptedRequest()
        request.dataTaskPublisher = request.stub(error: URLError(.timedOut))
        let publisher = ShopAPI.withBaseURL(Self.local) { request.start() }
        _ = outcome(of: publisher.retry(1))
        #expect(request.urls == ["http://localhost:1/items/1", "http://localhost:1/items/1"])
    }

    @Test func `A follow-up call made by a call that starts in withBaseURL has the same base URL`() {
        let (first, second) = (ItemRequest(1), ItemRequest(2))
        for request in [first, second] {
            request.dataTaskPublisher = request.stubJSONResponse(statusCode: 200, data: Data("{}".utf8))
        }
        let publisher = ShopAPI.withBaseURL(Self.local) { first.start().flatMap { _ in second.start() } }
        #expect(outcome(of: publisher).isFinished)
        #expect(second.request?.url?.absoluteString == "http://localhost:1/items/2")
    }

    @Test func `A request whose path is a URL of another origin throws RequestError in a withBaseURL scope`() throws {
        let request = ItemRequest()
        request.path = "https://shop.example/v1/items/1"
        #expect(try url(request) == "https://shop.example/v1/items/1")
        #expect(throws: RequestError.self) {
            try ShopAPI.withBaseURL(Self.local) { try request.buildURLRequest() }
        }
    }
}
