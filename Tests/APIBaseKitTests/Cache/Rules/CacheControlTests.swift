import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct CacheControlTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fields: [String]
        let expected: @Sendable (inout CacheControl) -> Void

        init(_ name: String, _ fields: String..., expected: @escaping @Sendable (inout CacheControl) -> Void) {
            testDescription = name
            self.fields = fields
            self.expected = expected
        }
    }

    static let rules: [Rule] = [
        Rule("5.2: nothing") { _ in },
        Rule("5.2: an empty field", "") { _ in },
        Rule("5.2: unknown directives are ignored", "fast, x=1, max-age=5") { $0.maxAge = 5 },
        Rule("5.2: names have no case", "No-Store, MAX-AGE=5") { ($0.noStore, $0.maxAge) = (true, 5) },
        Rule("5.2: all fields count", "no-store", "max-age=5") { ($0.noStore, $0.maxAge) = (true, 5) },
        Rule("5.2: spaces, tabs and empty elements", " ,\tno-store ,, max-age=5\t") {
            ($0.noStore, $0.maxAge) = (true, 5)
        },
        Rule("5.2: an argument in quotes", #"max-age="5""#) { $0.maxAge = 5 },
        Rule("5.2: a backslash in quotes", #"max-age="\5""#) { $0.maxAge = 5 },
        Rule("5.2: a comma in quotes parts nothing", #"x="no-store, max-age=1", max-age=5"#) { $0.maxAge = 5 },
        Rule("5.2: an escaped quote ends nothing", #"x="\", no-store", max-age=5"#) { $0.maxAge = 5 },
        Rule("5.2: a quote that nothing closes hides nothing", #"x="a, no-store"#) { $0.noStore = true },
        Rule("5.2: rubbish after a name hides nothing", "no-store; x") { $0.noStore = true },
        Rule("5.2: an argument that is not expected is ignored", "no-store=x, must-revalidate=1") {
            ($0.noStore, $0.mustRevalidate) = (true, true)
        },
        Rule("5.2: a longer name is another one", "no-store2, max-agent=5") { _ in },
        Rule("5.2.1.2: max-stale with seconds", "max-stale=5") { $0.maxStale = 5 },
        Rule("5.2.1.2: max-stale without", "max-stale") { $0.maxStale = .infinity },
        Rule("5.2.1.2: max-stale with nonsense", "max-stale=x") { $0.maxStale = 0 },
        Rule("5.2.1.2: max-stale with an empty argument", "max-stale=") { $0.maxStale = 0 },
        Rule("5.2.1.3: min-fresh", "min-fresh=5") { $0.minFresh = 5 },
        Rule("5.2.1.3: min-fresh with nonsense wants all", "min-fresh=x") { $0.minFresh = 2_147_483_648 },
        Rule("5.2.1.4: no-cache", "no-cache") { $0.noCache = true },
        Rule("5.2.1.7: only-if-cached", "only-if-cached") { $0.onlyIfCached = true },
        Rule("5.2.2.2: must-revalidate", "must-revalidate") { $0.mustRevalidate = true },
        Rule("5.2.2.3: must-understand", "must-understand") { $0.mustUnderstand = true },
        Rule("5.2.2.4: no-cache for a field is one for all", #"no-cache="Set-Cookie, X""#) { $0.noCache = true },
        Rule("5.2.2.7: private", "private") { $0.isPrivate = true },
        Rule("5.2.2.7: private for a field", #"private="X, no-store""#) { $0.isPrivate = true },
        Rule("5.2.2.8: proxy-revalidate is for others", "proxy-revalidate") { _ in },
        Rule("5.2.2.9: public", "public") { $0.isPublic = true },
        Rule("5.2.2.10: s-maxage is for others", "s-maxage=5") { $0.hasSharedMaxAge = true },
        Rule("RFC 8246: immutable", "immutable") { $0.immutable = true },
        Rule("RFC 5861, 3: stale-while-revalidate", "stale-while-revalidate=5") { $0.staleWhileRevalidate = 5 },
        Rule("RFC 5861, 4: stale-if-error", "stale-if-error=5") { $0.staleIfError = 5 },
        Rule("1.2.2: leading zeros", "max-age=0005") { $0.maxAge = 5 },
        Rule("1.2.2: 2^31 is the largest", "max-age=2147483649") { $0.maxAge = 2_147_483_648 },
        Rule("1.2.2: more digits than any number has", "max-age=" + String(repeating: "9", count: 400)) {
            $0.maxAge = 2_147_483_648
        },
        Rule("4.2.1: a negative age is stale", "max-age=-1") { $0.maxAge = 0 },
        Rule("4.2.1: a sign is nonsense", "max-age=+5") { $0.maxAge = 0 },
        Rule("4.2.1: a fraction is stale", "max-age=5.5") { $0.maxAge = 0 },
        Rule("4.2.1: text is stale", "max-age=x") { $0.maxAge = 0 },
        Rule("4.2.1: no argument is stale", "max-age") { $0.maxAge = 0 },
        Rule("4.2.1: an empty argument is stale", "max-age=") { $0.maxAge = 0 },
        Rule("4.2.1: rubbish after an argument is stale", "max-age=5; x") { $0.maxAge = 0 },
        Rule("4.2.1: a blank before = is stale", "max-age =5") { $0.maxAge = 0 },
        Rule("4.2.1: a blank after = is stale", "max-age= 5") { $0.maxAge = 0 },
        Rule("4.2.1: digits of other scripts are stale", "max-age=５") { $0.maxAge = 0 },
        Rule("4.2.1: the same twice counts once", "max-age=5", "max-age=5") { $0.maxAge = 5 },
        Rule("4.2.1: two that differ are stale", "max-age=5, max-age=6") { $0.maxAge = 0 },
        Rule("4.2.1: two that differ and one more are stale", "max-age=5, max-age=6, max-age=5") { $0.maxAge = 0 },
        Rule("4.2.1: one of two that is nonsense is stale", "max-age=5, max-age=x") { $0.maxAge = 0 },
        Rule("4.2.1: nonsense first is stale", "max-age=x, max-age=5") { $0.maxAge = 0 },
    ]

    @Test(arguments: rules)
    func `Cache-Control of a response is parsed into directives as in RFC 9111, 5.2`(rule: Rule) {
        var headers = HTTPHeaders()
        for field in rule.fields { headers.add(name: "Cache-Control", value: field) }
        var expected = CacheControl(HTTPHeaders())
        rule.expected(&expected)
        #expect(CacheControl(headers) == expected)
    }

    @Test(arguments: rules.filter { $0.fields.count == 1 })
    func `Cache-Control of a request is parsed into directives as in RFC 9111, 5.2`(rule: Rule) {
        var expected = CacheControl(HTTPHeaders())
        rule.expected(&expected)
        #expect(CacheControl(CacheScene.request(["cache-control": rule.fields[0]])) == expected)
    }

    @Test(arguments: [
        ("5.4: Pragma of a request", ["Pragma": "No-Cache"], true),
        ("5.4: among others", ["Pragma": "x=1, no-cache"], true),
        ("5.4: not with Cache-Control", ["Pragma": "no-cache", "Cache-Control": "max-age=5"], false),
        ("5.4: not another word", ["Pragma": "no-cached"], false),
    ])
    func `Pragma: no-cache of a request means no-cache unless the request has Cache-Control`(
        name: String,
        headers: [String: String],
        noCache: Bool
    ) {
        #expect(CacheControl(CacheScene.request(headers)).noCache == noCache)
    }

    @Test func `The cache ignores Pragma: no-cache in a response`() {
        #expect(!CacheControl(HTTPHeaders(["Pragma": "no-cache"])).noCache)
    }
}
