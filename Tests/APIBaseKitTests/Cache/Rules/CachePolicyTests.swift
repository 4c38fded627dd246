import Foundation
import Testing

@testable import APIBaseKit

@Suite struct CachePolicyTests {
    typealias Rule = DecisionRule

    /// The policies of `URLRequest`.
    @Test(arguments: [
        Rule("policy: ignoring", .forward, .reloadIgnoringLocalCacheData),
        Rule("policy: ignoring all", .forward, .reloadIgnoringLocalAndRemoteCacheData),
        Rule("policy: else load, stale", .use, after: 1e9, .returnCacheDataElseLoad),
        Rule("policy: else load, no-cache", .use, .returnCacheDataElseLoad, reply: "no-cache"),
        Rule("policy: else load, must-revalidate", .use, after: 61, .returnCacheDataElseLoad, reply: "must-revalidate"),
        Rule("policy: else load, invalid", .validate, .returnCacheDataElseLoad, isInvalid: true),
        Rule("policy: else load, none", .forward, .returnCacheDataElseLoad, reply: nil),
        Rule("policy: don't load, stale", .use, after: 1e9, .returnCacheDataDontLoad),
        Rule("policy: don't load, invalid", .unsatisfiable, .returnCacheDataDontLoad, isInvalid: true),
        Rule("policy: don't load, none", .unsatisfiable, .returnCacheDataDontLoad, reply: nil),
        Rule(
            "policy: don't load, POST",
            .unsatisfiable,
            CacheScene.request(method: "POST", policy: .returnCacheDataDontLoad)
        ),
        Rule("policy: validating", .validate, .reloadRevalidatingCacheData),
        Rule("policy: validating, none", .forward, .reloadRevalidatingCacheData, reply: nil),
        Rule(
            "policy: a request's no-cache comes first",
            .validate,
            CacheScene.request(["Cache-Control": "no-cache"], policy: .returnCacheDataElseLoad)
        ),
    ])
    func `The cachePolicy of a URLRequest decides if a stored response is used or bypassed`(rule: Rule) { rule.check() }
}
