// swift-format-ignore-file
// The samples of the articles on accounts, on actors, and of the larger API.

import APIBaseTesting
import TestTiers
import Testing

// sample x
nonisolated struct Shop: Sendable, Hashable {
    var url: URL
    var key: String
    var secret: String

    var account: APIAccount {
        APIAccount(
            baseURL: url,
            authorization: .tokens(.clientCredentials(at: url.appendingPathComponent("token"), id: key, secret: secret))
        )
    }
}
// end

// sample x
func synchronize(_ shop: Shop, _ account: APIAccount) async throws -> Int {
    let orders = try await ShopOrdersRequest().on(account).value()
    try await ShopAPI.with(account) {
        for order in orders { try await ShipRequest(order).value() }
    }
    return orders.count
}
// end

// sample x
actor Shops {
    private var accounts: [Shop: APIAccount] = [:]

    func account(of shop: Shop) -> APIAccount {
        let account = accounts[shop] ?? shop.account
        accounts[shop] = account
        return account
    }
}
// end

// sample x
func orders(forUserWith token: String) async throws -> [Int] {
    try await ShopOrdersRequest().on(APIAccount(authorization: .bearer(token))).value()
}
// end

// sample x
enum Stage {
    static let production = APIAccount(baseURL: URL(string: "https://shop.example/v1"))
    static let staging = APIAccount(
        baseURL: URL(string: "https://staging.shop.example/v1"),
        headers: ["X-Stage": "staging"]
    )
}

func ordersAreEqual() async throws -> Bool {
    async let live = ShopOrdersRequest().on(Stage.production).value()
    async let next = ShopOrdersRequest().on(Stage.staging).value()
    return try await live == next
}
// end

// sample x
@Test(.stubs { stubs in
    stubs.on(.get, "/orders").answer { call in .json(call.headers["X-Shop"] == "a" ? "[1]" : "[2, 3]") }
})
func `Each account gets the orders of its own shop`() async throws {
    let accounts = ["a", "b"].map { APIAccount(headers: ["X-Shop": $0]) }
    #expect(try await ShopOrdersRequest().on(accounts[0]).value() == [1])
    let orders = try await ShopAPI.with(accounts[1]) { try await ShopOrdersRequest().value() }
    #expect(orders == [2, 3])
    #expect(Stubs.current?.calls.map(\.account) == accounts)
}
// end

// sample x
/// What all APIs of the company share.
class CompanyAPI: JSONAPI {
    override func configure() {
        super.configure()
        retry = .standard
        timeout = .seconds(20)
        decoder.dateDecodingStrategy = .rfc3339
        encoder.dateEncodingStrategy = .rfc3339
    }

    override func detail(of failure: HTTPFailure) -> (any Error)? {
        try? failure.decode(Problem.self)
    }
}

/// One API, with its server, credentials and limits.
class StoreAPI: CompanyAPI {
    static let tokens = TokenSource { _ in Token(try await StoreLoginRequest().value()) }
    static let gate = CallGate(concurrent: 8)

    override class var baseURL: URL? { URL(string: "https://store.example/v1") }

    override func configure() {
        super.configure()
        authorization = .tokens(Self.tokens)
        gate = Self.gate
    }
}

/// The part of the API for administrators.
class StoreAdminAPI: StoreAPI {
    override func configure() {
        super.configure()
        headers["X-Role"] = "admin"
        idempotencyKey = .automatic
    }
}

struct Product: nonisolated Codable, Sendable {
    enum State: String, Sendable { case draft, onSale }
    var id: Int
    @LenientDecimal var price: Decimal
    var state: OpenEnum<State>
    var changedAt: Date
}

final class StoreLoginRequest: StoreAPI, Request {
    typealias ModelType = String
    override init() { super.init(.post("/login")) }
}

final class ProductsRequest: StoreAPI, LinkPagedRequest {
    typealias ModelType = [Product]
    init(since: Date) { super.init(.get("/products", query: ["since": since])) }
}

final class ProductRequest: StoreAPI, Request {
    typealias ModelType = Product
    init(id: Int) { super.init(.get("/products/\(segment: id)")) }
}

final class SearchRequest: StoreAPI, Request {
    typealias ModelType = [Product]
    init(below price: Decimal) { super.init(.get("/search", query: ["below": price])) }
}

final class ImageRequest: StoreAPI, Request {
    typealias ModelType = Data
    init(of product: Product) {
        super.init(.get("/products/\(segment: product.id)/image"))
        acceptedTypes = ["image/*"]
    }
}

final class PriceEventsRequest: StoreAPI {
    override init() { super.init(.get("/prices")) }
}

final class CreateProductRequest: StoreAdminAPI, Request {
    typealias ModelType = Product
    init(_ product: Product) { super.init(.post("/products", json: product)) }
}

final class ReplaceProductRequest: StoreAdminAPI, Request {
    typealias ModelType = Product
    init(_ product: Product) { super.init(.put("/products/\(segment: product.id)", json: product)) }
}

final class DeleteProductsRequest: StoreAdminAPI, Request {
    typealias ModelType = Void
    init(ids: [Int]) { super.init(.delete("/products", json: ids)) }
}

final class ImportRequest: StoreAdminAPI, Request {
    typealias ModelType = Void
    init(_ products: [Product]) {
        super.init(.post("/import"))
        content = .jsonLines(products, encoder: encoder)
    }
}
// end

// sample x
actor ReadingList {
    private(set) var titles: [String] = []

    func add(_ id: Int) async throws {
        titles.append(try await BookRequest(id: id).value().title)
    }

    func addAll() async throws {
        for try await book in BooksRequest().eachElement() { titles.append(book.title) }
    }
}

@MainActor final class BookScreen {
    private(set) var title = ""

    func show(_ id: Int) async {
        do {
            title = try await BookRequest(id: id).value().title
        } catch {
            title = error.localizedDescription
        }
    }
}
// end

class ShopAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://shop.example/v1") }
}

final class ShopOrdersRequest: ShopAPI, Request {
    typealias ModelType = [Int]
    override init() { super.init(.get("/orders")) }
}

final class ShipRequest: ShopAPI, Request {
    typealias ModelType = Void
    init(_ order: Int) { super.init(.post("/orders/\(segment: order)/ship")) }
}

@Suite(.limited) struct AccountSampleTests {
    @Test(.stubs { stubs in
        stubs.on(.post, "/token").answer(.json(#"{"access_token": "t", "token_type": "bearer"}"#))
        stubs.on(ShopOrdersRequest.self).answer(.json("[1, 2]"))
        stubs.on(ShipRequest.self).answer(.status(204))
    })
    func `The account samples synchronize the orders of a shop with one token`() async throws {
        let url = try #require(URL(string: "https://a.example"))
        let shop = Shop(url: url, key: "k", secret: "s")
        let shops = Shops()
        #expect(try await synchronize(shop, await shops.account(of: shop)) == 2)
        let again = await shops.account(of: shop)
        #expect(await shops.account(of: shop) == again)
        #expect(try await orders(forUserWith: "u") == [1, 2])
        #expect(try await ordersAreEqual())
        let hosts = Stubs.current?.calls.map { $0.url?.host ?? "" } ?? []
        #expect(hosts.filter { $0 == "a.example" }.count == 4)
    }

    @Test(.stubs { stubs in
        stubs.on(.get, "/books/:id").answer { call in .json(["id": "\(call.parameters["id"] ?? "")"]) }.optional()
        stubs.on(.get, "/books").answer(.json(#"[{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]"#))
        stubs.on(.get, "/books/7").overriding().answer(.json(#"{"id": 7, "title": "Swift"}"#))
    })
    @MainActor func `The samples request books from an actor and from a main-actor class and keep the titles`() async throws {
        let shelf = ReadingList()
        try await shelf.addAll()
        try await shelf.add(7)
        #expect(await shelf.titles == ["A", "B", "Swift"])
        let screen = BookScreen()
        await screen.show(7)
        #expect(screen.title == "Swift")
    }

    @Test(.stubs { stubs in
        let product = #"{"id": 1, "price": "2.50", "state": "new", "changedAt": "2026-11-24T08:00:00.5Z"}"#
        stubs.on(StoreLoginRequest.self).answer(.json("\"t\""))
        stubs.on(.get, "/products").answer(.json("[\(product)]"))
        stubs.on(.post, "/import").answer(.status(204))
        stubs.on(.delete, "/products", body: .json("[1]")).answer(.status(204))
    })
    func `The samples of the larger API list, import and delete products as administrator`() async throws {
        var products: [Product] = []
        for try await product in ProductsRequest(since: .distantPast).eachElement() { products.append(product) }
        #expect(products.map(\.price) == [2.5] && products.map(\.state) == [.unknown("new")])
        try await ImportRequest(products).value()
        try await DeleteProductsRequest(ids: [1]).value()
        let calls = try #require(Stubs.current?.calls)
        #expect(calls.last?.headers["X-Role"] == "admin" && calls.last?.headers["Authorization"] == "Bearer t")
    }
}
