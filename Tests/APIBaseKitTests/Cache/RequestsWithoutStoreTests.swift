import APIBaseKit
import Testing

@testable import APIBaseCache

/// Requests with `no-store` pass by the cache.
@Suite struct RequestsWithoutStoreTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        let concernsCache: Bool
        let request: URLRequest

        init(
            _ concernsCache: Bool,
            _ control: String?,
            method: String = "GET",
            policy: URLRequest.CachePolicy = .useProtocolCachePolicy
        ) {
            self.concernsCache = concernsCache
            request = CacheScene.request(control.map { ["Cache-Control": $0] } ?? [:], method: method, policy: policy)
        }

        var testDescription: String {
            "\(request.httpMethod ?? "") \(request.allHTTPHeaderFields ?? [:]) \(request.cachePolicy.rawValue)"
        }
    }

    private static let rules = [
        Rule(false, "no-store"),
        Rule(false, "max-age=0, No-Store"),
        Rule(true, nil),
        Rule(true, "no-cache"),
        Rule(true, "no-store, only-if-cached"),
        Rule(true, "no-store", policy: .returnCacheDataDontLoad),
        // What is stored is removed, or updated.
        Rule(true, "no-store", method: "POST"),
        Rule(true, "no-store", method: "HEAD"),
    ]

    @Test(arguments: rules)
    func `A GET with no-store passes by the cache, unless it must not be sent`(rule: Rule) {
        #expect(CacheRules.concern(rule.request) == rule.concernsCache)
    }
}
