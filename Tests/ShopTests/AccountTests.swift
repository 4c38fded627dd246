import APIBaseTesting
import TestTiers
import Testing

/// Two shops at the same time. What belongs to one has its name, so that it would be seen in the other.
@Suite(.tags(.concurrent), .limited) struct AccountTests {
    let north: APIAccount
    let south: APIAccount

    init() throws {
        north = try Shop.named("north").account
        south = try Shop.named("south").account
    }

    @Test(
        .stubs {
            $0.signIn(); $0.on(OrdersRequest.self).answer(.json("[]"))
        }
    )
    func `Concurrent calls to two shops each send the token of their own shop, after one login per shop`() async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in [north, south, north, south] {
                group.addTask { _ = try await OrdersRequest().on(account).value() }
            }
            try await group.waitForAll()
        }
        let calls = try #require(Stubs.current?.calls)
        let logins = calls.filter { $0.path == "/oauth/token" }
        #expect(Set(logins.map(\.shop)) == ["north", "south"])
        #expect(logins.count == 2)
        for call in logins {
            let client = Data("\(call.shop):secret-of-\(call.shop)".utf8).base64EncodedString()
            #expect(call.headers["Authorization"] == "Basic \(client)")
        }
        for call in calls where call.path == "/v1/orders" {
            #expect(call.headers["Authorization"] == "Bearer token of \(call.shop)")
        }
        #expect(calls.count == 6)
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            stubs.on(ProductRequest.self).answer { call in
                .json(productJSON(1, name: "Lamp of \(call.shop)"), headers: ["Cache-Control": "max-age=3600"])
            }
        }
    )
    func `A cached product response is used only for calls to the same shop`() async throws {
        for account in [north, south, north, south] {
            let product = try await ProductRequest(id: 1).on(account).value()
            #expect(product.displayName == (account == north ? "Lamp of north" : "Lamp of south"))
        }
        #expect(Stubs.current?.calls.filter { $0.path == "/v1/products/1" }.map(\.shop) == ["north", "south"])
    }

    @Test func `A call to one shop is sent while calls to another shop wait for Retry-After`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.signIn()
        let products = stubs.on(ProductRequest.self)
            .answer(inOrder: .tooManyRequests(retryAfter: .seconds(30)), .json(productJSON(1)), then: .repeatLast)
        try await stubs.run {
            async let refused = ProductRequest(id: 1).on(north).value()
            while !stubs.waits.contains(.init(.retry, .seconds(30))) { await clock.settled() }
            await clock.settled()
            async let waiting = ProductRequest(id: 2).on(north).value()
            await clock.settled()
            _ = try await ProductRequest(id: 3).on(south).value()
            #expect(products.calls.map(\.path) == ["/v1/products/1", "/v1/products/3"])
            clock.advance(by: .seconds(31))
            _ = try await (refused, waiting)
        }
        #expect(products.callCount == 4)
        #expect(stubs.waits.contains(.init(.retry, .seconds(30))))
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            stubs.on(ProductsRequest.self).answer { call in
                .json(#"{"items": [\#(productJSON(1, name: call.shop))], "total_count": 1}"#)
            }
            stubs.on(ProductRequest.self).answer { call in .json(productJSON(1, name: call.shop)) }
            stubs.on(OrdersRequest.self).answer(.json("[]"))
        }
    )
    func `Syncs of two shops that run at the same time each write the products of their own shop`() async throws {
        try await inFolder { folder in
            let (north, south) = (folder.appendingPathComponent("north"), folder.appendingPathComponent("south"))
            async let first = ShopAPI.with(self.north) { try await ShopSync(folder: north).run() }
            async let second = ShopAPI.with(self.south) { try await ShopSync(folder: south).run() }
            #expect(try await [first.products, second.products] == [1, 1])
            for shop in [north, south] {
                let lines = try String(contentsOf: shop.appendingPathComponent("products.jsonl"), encoding: .utf8)
                #expect(lines.contains(#""displayName":"\#(shop.lastPathComponent)""#))
            }
        }
    }

    @Test(.stubs { _ in }) func `A shop request without an account fails with RequestError and is not sent`() async {
        await #expect(throws: RequestError.self) { try await OrdersRequest().value() }
        #expect(Stubs.current?.calls.isEmpty == true)
    }
}
