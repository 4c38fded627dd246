import APIBaseTesting
import TestTiers
import Testing

@Suite(.shop, .limited) struct ShopAPITests {
    /// `ShopAPI` has no initializer of its own. So each of these leaves says `override init()`, or does not compile.
    @Test func `ShopAPI subclasses whose init has no parameters get the timeout, gate and retries of ShopAPI`() {
        for request in [OrderEventsRequest(), StartExportRequest()] {
            #expect(request.timeout == .seconds(20))
            #expect(request.gate === ShopAPI.gate)
            #expect(request.retry.attempts == 5)
        }
    }

    @Test(
        .stubs {
            $0.signIn(); $0.on(ProductsRequest.self).answer(.json(#"{"items": [], "total_count": 0}"#))
        }
    )
    func `ProductsRequest sends dates and decimals in its query and leaves out parameters that are nil`() async throws {
        let start = Date(timeIntervalSince1970: 1_767_323_045.678)
        _ = try await ProductsRequest(since: start, below: Decimal(string: "19.90")).value()
        _ = try await ProductsRequest(limit: 7).value()
        #expect(
            Stubs.current?.calls.dropFirst().map(\.url?.query) == [
                "limit=100&since=2026-01-02T03%3A04%3A05.678Z&below=19.9", "limit=7",
            ]
        )
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            let problem = """
                {"status": 422, "title": "Validation failed", "detail": "Some fields are wrong.",
                "error_code": "invalid", "invalid_params": [{"field_name": "sku", "error_reason": "must not be empty"}],
                "request_id": "r1", "occurred_at": "2026-01-02T03:04:05.678Z"}
                """
            let headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
            stubs.on(CreateProductRequest.self).answer(.json(problem, status: 422, headers: headers))
        }
    )
    func `A problem+json response with status 422 fails a shop request with its Problem`() async throws {
        let error = await #expect(throws: RequestError.self) { try await CreateProductRequest(.sample).value() }
        guard case .httpFailure(let failure)? = error else { return #expect(Bool(false), "another error") }
        let problem = failure.detail(as: Problem.self)
        #expect(problem?.invalidParams == [.init(fieldName: "sku", errorReason: "must not be empty")])
        #expect(error?.localizedDescription == "Validation failed: Some fields are wrong.")
    }

    @Test(
        .stubs {
            $0.signIn(); $0.on(.patch, "/products/7").answer(.json(productJSON(7, name: "New")))
        }
    )
    func `A merge patch of a product sends changed fields, null for a nil one, and no unchanged fields`() async throws {
        var change = ProductChange()
        (change.displayName, change.description) = ("New", nil)
        #expect(try await UpdateProductRequest(id: 7, change, ifMatch: "\"1\"").value().displayName == "New")
        let sent = try #require(Stubs.current?.calls.last)
        #expect(sent.headers["Content-Type"] == "application/merge-patch+json")
        let members = try JSONSerialization.jsonObject(with: sent.body) as? [String: AnyHashable]
        #expect(members == ["display_name": "New", "description": NSNull()])
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            let found = #"{"data": {"product": {"id": "3", "displayName": "Lamp"}}}"#
            let missing =
                #"{"data": {"product": null}, "errors": [{"message": "not found", "extensions": {"code": "NO"}}]}"#
            stubs.on(.post, "/graphql", body: .json(containing: #"{"variables": {"id": 3}}"#)).answer(.json(found))
            stubs.on(.post, "/graphql", body: .json(containing: #"{"variables": {"id": 0}}"#)).answer(.json(missing))
        }
    )
    func `A GraphQL query returns the data, or throws GraphQLFailure if the response has errors`() async throws {
        #expect(try await ProductQuery(id: 3).value().product == .init(id: "3", displayName: "Lamp"))
        let failure = await #expect(throws: GraphQLFailure.self) { try await ProductQuery(id: 0).value() }
        #expect(failure?.errors.first?.extensions?.code == "NO")
    }
}

extension NewProduct {
    static let sample = NewProduct(sku: "A", displayName: "Lamp", unitPrice: Money(amount: 19.5, currencyCode: "EUR"))
}
