import APIBaseKit
import Testing

@Suite struct ConfigureTests {
    private class RootAPI: JSONAPI {
        var story: [String] = []

        override func configure() {
            super.configure()
            story.append("root \(path)")
            retry = .standard
            query["key"] = "k"
        }
    }

    /// An API class with a parameter: it declares the property and one initializer, and leaves need no `override`.
    private class ShopAPI: RootAPI {
        let shop: String

        init(_ endpoint: Endpoint, shop: String) {
            self.shop = shop
            super.init(endpoint)
        }

        override func configure() {
            super.configure()
            headers["X-Shop"] = shop
            story.append("shop")
        }
    }

    private final class Leaf: ShopAPI, Request {
        typealias ModelType = Data
        let name = "leaf"
        init(shop: String) {
            super.init(.get("/x", query: ["page": 2]), shop: shop)
            query["key"] = nil
            story.append(name)
        }
    }

    private final class Plain: RootAPI, Request {
        typealias ModelType = Data
        override init() { super.init(.get("/y", query: ["page": 2])) }
    }

    private final class Bare: RootAPI {}

    @Test func `A new request object runs each class's configure() once, superclass first, with its endpoint set`() {
        let leaf = Leaf(shop: "a")
        // The endpoint is set before, the leaf's own statements come after.
        #expect(leaf.story == ["root /x", "shop", "leaf"])
        #expect(leaf.headers["X-Shop"] == "a" && leaf.headers["Accept"] == "application/json")
        #expect(leaf.query["page"] == 2 && leaf.query["key"] == String?.none)
        #expect(leaf.retry.attempts == RetryPolicy.standard.attempts)
    }

    @Test func `A request class without init parameters runs the configure() of its superclass`() {
        #expect(Plain().story == ["root /y"] && Plain().query["key"] == "k" && Plain().query["page"] == 2)
        #expect(Bare().story == ["root "] && Bare(.get("/z")).story == ["root /z"])
    }
}
