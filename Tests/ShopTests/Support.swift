import APIBaseTesting
import Testing

extension Shop {
    /// A shop whose host, client and secret have its name, to see where they go.
    static func named(_ name: String) throws -> Shop {
        Shop(url: try #require(URL(string: "https://\(name).example")), id: name, secret: "secret-of-\(name)")
    }
}

/// The calls of a test go to the shop “lamps”.
struct ShopTrait: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ShopAPI.with(Shop.named("lamps").account, function)
    }
}

extension Trait where Self == ShopTrait {
    static var shop: ShopTrait { ShopTrait() }
}

extension Stubs {
    /// Every shop gives a token that has its name.
    @discardableResult func signIn() -> Stub {
        on(.post, "/oauth/token").answer { call in
            .json(#"{"access_token": "token of \#(call.shop)", "token_type": "Bearer", "expires_in": 3600}"#)
        }
    }
}

extension StubbedCall {
    var shop: String { url?.host?.split(separator: ".").first.map(String.init) ?? "" }
}

/// A new folder, which is removed after `body`.
func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

func productJSON(_ id: Int, name: String = "Lamp", amount: String = #""19.99""#) -> String {
    """
    {"id": \(id), "sku": "S\(id)", "display_name": "\(name)", "description": null, "tags": ["a"], "image_url": null,
    "unit_price": {"amount": \(amount), "currency_code": "EUR"}, "created_at": "2026-01-02T03:04:05.678Z", "version": 1}
    """
}

func orderJSON(_ id: Int, status: String = "paid") -> String {
    """
    {"id": "\(id)", "placed_at": "2026-01-02T03:04:05.678Z", "status": "\(status)", "customer_id": null,
    "total": {"amount": 0.30000000000000004, "currency_code": "EUR"}, "lines": []}
    """
}
