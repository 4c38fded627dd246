import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct CacheDecisionTests {
    typealias Rule = DecisionRule

    private static let stale = "max-age=60, stale-while-revalidate=30"

    @Test(arguments: [
        Rule("4: nothing is stored", .forward, reply: nil),
        Rule("4: a fresh reply", .use, after: 59),
        Rule("4.2: a stale reply", .validate, after: 60),
        Rule("4: HEAD", .use, CacheScene.request(method: "HEAD")),
        Rule("4: not POST", .forward, CacheScene.request(method: "POST")),
        Rule("RFC 10008, 2.7: not GET for QUERY", .forward, CacheScene.request(method: "QUERY")),
        Rule("4.4: an invalid reply", .validate, isInvalid: true),
        Rule("5.2.2.4: no-cache of the reply", .validate, reply: "no-cache, max-age=60"),
        Rule("5.2.2.4: no-cache for a field", .validate, reply: #"no-cache="X", max-age=60"#),
        Rule("5.2.2.2: must-revalidate, fresh", .use, reply: "must-revalidate, max-age=60"),
        Rule(
            "5.2.2.2: must-revalidate, stale",
            .validate,
            after: 61,
            "max-stale",
            reply: "must-revalidate, max-age=60"
        ),
        Rule("5.2.2.2: must-revalidate comes first", .validate, after: 61, reply: stale + ", must-revalidate"),
        Rule("RFC 5861, 3: while it is validated", .useAndRevalidate, after: 61, reply: stale),
        Rule("RFC 5861, 3: within its seconds", .useAndRevalidate, after: 90, reply: stale),
        Rule("RFC 5861, 3: no longer", .validate, after: 91, reply: stale),
        Rule("RFC 5861, 3: not while it is fresh", .use, after: 59, reply: stale),
        Rule("RFC 5861, 3: not an invalid reply", .validate, after: 61, reply: stale, isInvalid: true),
        Rule("RFC 5861, 3: not with no-cache", .validate, after: 61, reply: stale + ", no-cache"),
        Rule("4.3.1: conditions of its own: If-None-Match", .forward, header: "If-None-Match"),
        Rule("4.3.1: conditions of its own: If-Modified-Since", .forward, header: "If-Modified-Since"),
        Rule("4.3.1: conditions of its own: If-Match", .forward, header: "If-Match"),
        Rule("4.3.1: conditions of its own: If-Unmodified-Since", .forward, header: "If-Unmodified-Since"),
        Rule("4.3.1: conditions of its own: If-Range", .forward, header: "If-Range"),
        Rule("3.3: a part", .forward, header: "Range"),
    ])
    func `Age and directives of a stored response decide if it is used, validated or bypassed`(rule: Rule) {
        rule.check()
    }

    @Test(arguments: [
        Rule("5.2.1.1: max-age, younger", .use, after: 10, "max-age=10"),
        Rule("5.2.1.1: max-age, older", .validate, after: 11, "max-age=10"),
        Rule("5.2.1.1: max-age=0", .validate, after: 1, "max-age=0"),
        Rule("5.2.1.1: max-age does not make fresh", .validate, after: 61, "max-age=100"),
        Rule("5.2.1.1: max-age wants nothing stale", .validate, after: 61, "max-age=100", reply: stale),
        Rule("5.2.1.1: max-age with max-stale, younger", .use, after: 61, "max-age=100, max-stale"),
        Rule("5.2.1.1: max-age with max-stale, older", .validate, after: 101, "max-age=100, max-stale"),
        Rule("5.2.1.2: max-stale with seconds", .use, after: 70, "max-stale=10"),
        Rule("5.2.1.2: max-stale, more", .validate, after: 71, "max-stale=10"),
        Rule("5.2.1.2: max-stale without argument", .use, after: 1e9, "max-stale"),
        Rule("5.2.1.2: max-stale with nonsense", .validate, after: 61, "max-stale=x"),
        Rule("5.2.1.3: min-fresh with seconds", .use, after: 50, "min-fresh=10"),
        Rule("5.2.1.3: min-fresh, fewer", .validate, after: 51, "min-fresh=10"),
        Rule("5.2.1.3: min-fresh wants nothing stale", .validate, after: 61, "min-fresh=0", reply: stale),
        Rule("5.2.1.4: no-cache", .validate, "no-cache"),
        Rule("5.4: Pragma", .validate, CacheScene.request(["Pragma": "no-cache"])),
        Rule("5.2.1.5: no-store", .forward, "no-store"),
        Rule("5.2.1.7: only-if-cached, fresh", .use, "only-if-cached"),
        Rule("5.2.1.7: only-if-cached, stale", .unsatisfiable, after: 60, "only-if-cached"),
        Rule("5.2.1.7: only-if-cached, none", .unsatisfiable, "only-if-cached", reply: nil),
        Rule("5.2.1.7: only-if-cached with max-stale", .use, after: 61, "only-if-cached, max-stale"),
        Rule("5.2.1.7: only-if-cached validates nothing", .use, after: 61, "only-if-cached", reply: stale),
        Rule(
            "5.2.1.7: only-if-cached with conditions",
            .unsatisfiable,
            CacheScene.request(["Cache-Control": "only-if-cached", "If-None-Match": "x"])
        ),
    ])
    func `Cache-Control of a request decides if a stored response is used, validated or refused`(rule: Rule) {
        rule.check()
    }

    @Test func `The cache uses the matching response with the latest Date if several are stored`() {
        let fresh = "max-age=600"
        let old = CacheScene.reply(["Cache-Control": fresh, "Date": "Sun, 06 Nov 1994 08:48:37 GMT"])
        let new = CacheScene.reply(["Cache-Control": fresh, "Date": CacheScene.date])
        let other = CacheScene.reply(
            ["Cache-Control": fresh, "Date": "Sun, 06 Nov 1994 08:50:37 GMT", "Vary": "Accept"],
            to: CacheScene.request(["Accept": "a"])
        )
        for stored in [[old, new, other], [other, new, old]] {
            let decision = CacheRules.decision(for: CacheScene.request(), among: stored, at: CacheScene.start)
            #expect(decision == .use(new))
        }
    }
}
