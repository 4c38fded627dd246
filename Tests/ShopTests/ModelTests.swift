import APIBaseTesting
import TestTiers
import Testing

@Suite(.shop, .limited) struct ModelTests {
    @Test(
        .stubs { stubs in
            stubs.signIn()
            stubs.on(.get, "/products/1").answer(.json(productJSON(1)))
            stubs.on(.get, "/products/2").answer(.json(productJSON(2, amount: "0.30000000000000004")))
        }
    )
    func `A shop price is decoded exactly and encoded again as a string or number, as it was received`() async throws {
        let text = try await ProductRequest(id: 1).value().unitPrice
        let number = try await ProductRequest(id: 2).value().unitPrice
        #expect(text.amount == Decimal(string: "19.99"))
        #expect(number.amount == Decimal(string: "0.30000000000000004"))
        #expect(try encoded(text) == #"{"amount":"19.99","currencyCode":"EUR"}"#)
        #expect(try encoded(number) == #"{"amount":0.30000000000000004,"currencyCode":"EUR"}"#)
    }

    @Test(
        .stubs {
            $0.signIn(); $0.on(ProductRequest.self).answer(.json(productJSON(7, amount: #""a lot""#)))
        }
    )
    func `The error for a price that is not a number names the key unitPrice.amount`() async throws {
        let error = await #expect(throws: RequestError.self) { try await ProductRequest(id: 7).value() }
        #expect(error?.localizedDescription.contains("unitPrice.amount") == true)
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            stubs.on(OrdersRequest.self).answer(.json("[\(orderJSON(1)), \(orderJSON(2, status: "on_the_moon"))]"))
        }
    )
    func `An order status that the model does not know is kept when it is decoded and encoded`() async throws {
        let orders = try await OrdersRequest().value()
        #expect(orders.map(\.status) == [.known(.paid), .unknown("on_the_moon")])
        #expect(try encoded(orders.map(\.status)) == #"["paid","on_the_moon"]"#)
    }

    @Test(
        .stubs {
            $0.signIn(); $0.on(OrdersRequest.self).answer(.json("[\(orderJSON(1))]"))
        }
    )
    func `The date of a shop order keeps its milliseconds when it is decoded and encoded`() async throws {
        let date = try await OrdersRequest().value().map(\.placedAt)
        #expect(try encoded(date) == #"["2026-01-02T03:04:05.678Z"]"#)
    }

    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .rfc3339
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
