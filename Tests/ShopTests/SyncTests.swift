import APIBaseTesting
import TestTiers
import Testing

@Suite(.tags(.concurrent), .shop, .limited) struct SyncTests {
    @Test func `ShopSync writes 50 products, in the order of the server, and 3 orders to a file each`() async throws {
        let stubs = Stubs()
        stubs.answerShop(products: 50)
        try await inFolder { folder in
            let result = try await stubs.run { try await ShopSync(folder: folder, concurrency: 4).run() }
            #expect(result == ShopSync.Result(products: 50, orders: 3))
            #expect(try ids(in: folder.appendingPathComponent("products.jsonl")) == Array(1...50))
            #expect(try names(in: folder) == ["orders.jsonl", "products.jsonl"])
        }
    }

    @Test func `A canceled ShopSync leaves products.jsonl.partial but no products.jsonl`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        let slow = stubs.on(.get, "/products/7").answer(.never)
        stubs.answerShop(products: 50)
        try await inFolder { folder in
            let sync = Task { try await stubs.run { try await ShopSync(folder: folder, concurrency: 1).run() } }
            // The gate lets a call through every 40 ms.
            while slow.callCount == 0 {
                await clock.settled()
                clock.advance(by: .milliseconds(40))
            }
            sync.cancel()
            await #expect(throws: CancellationError.self) { try await sync.value }
            let files = try names(in: folder)
            #expect(files.contains("products.jsonl.partial") && !files.contains("products.jsonl"))
        }
    }

    @Test func `A failed ShopSync leaves no products.jsonl, not even the one of an earlier sync`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/products/7").answer(.status(404))
        stubs.answerShop(products: 50)
        try await inFolder { folder in
            try Data("old".utf8).write(to: folder.appendingPathComponent("products.jsonl"))
            await #expect(throws: RequestError.self) {
                try await stubs.run { try await ShopSync(folder: folder, concurrency: 4).run() }
            }
            #expect(try names(in: folder).contains("products.jsonl") == false)
        }
    }

    @Test func `ShopSync reports the number of products written so far after each product`() async throws {
        let stubs = Stubs()
        stubs.answerShop(products: 3)
        try await inFolder { folder in
            let (seen, progress) = AsyncStream.makeStream(of: Int.self)
            let sync = ShopSync(folder: folder) { name, count in
                if name == "products.jsonl" { progress.yield(count) }
            }
            _ = try await stubs.run { try await sync.run() }
            progress.finish()
            #expect(await seen.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        }
    }

    private struct WithID: Decodable { var id: Int }

    private func ids(in file: URL) throws -> [Int] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(WithID.self, from: Data($0)).id }
    }
}

extension Stubs {
    /// A shop with ten products a page, and three orders on two pages.
    fileprivate func answerShop(products count: Int) {
        signIn()
        on(ProductsRequest.self).answer { call in
            let start = call.queryItem("cursor").flatMap(Int.init) ?? 0
            let end = min(start + 10, count)
            let items = (start + 1...end).map { productJSON($0) }.joined(separator: ",")
            let next = end < count ? "\"\(end)\"" : "null"
            return .json(#"{"items": [\#(items)], "next_cursor": \#(next), "total_count": \#(count)}"#)
        }
        on(.get, "/products/:id").answer { call in
            .json(productJSON(call.parameters["id"].flatMap(Int.init) ?? 0))
        }
        on(OrdersRequest.self, query: ["page": "2"]).optional().answer(.json("[\(orderJSON(3))]"))
        on(OrdersRequest.self).optional().answer(
            .json("[\(orderJSON(1)), \(orderJSON(2))]", headers: ["Link": "</v1/orders?page=2>; rel=\"next\""])
        )
    }
}
