import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct StoredResponseUseTests {
    @Test(
        arguments: [
            ("5.1: a new reply", [:], 0.0, "0"), ("5.1: whole seconds", [:], 7.9, "7"),
            ("5.1: the old Age is counted and replaced", ["Age": "100"], 7, "107"),
            ("5.1: all of them", ["Age": "100", "age": "5"], 7, "107"),
            ("1.2.2: the largest", ["Age": "2147483648"], 7, "2147483648"),
        ] as [(String, HTTPHeaders, TimeInterval, String)]
    )
    func `A stored response is returned with one Age header, its age in whole seconds`(
        name: String,
        headers: HTTPHeaders,
        later: TimeInterval,
        age: String
    ) {
        let reply = CacheScene.reply(headers)
        // The second time from what is kept of the first.
        for _ in 0..<2 {
            let head = reply.head(at: CacheScene.start + later, for: CacheScene.url)
            #expect(head.headers.values(for: "Age") == [age])
            #expect(head.httpURLResponse.value(forHTTPHeaderField: "Age") == age)
        }
        let older = reply.head(at: CacheScene.start + later + 1, for: CacheScene.url)
        let next = DeltaSeconds.text((DeltaSeconds.value(of: age) ?? -2) + 1)
        #expect(older.headers.values(for: "Age") == [next])
    }

    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let mayBeUsed: Bool
        let reply: String
        let later: TimeInterval
        let request: URLRequest
        let isInvalid: Bool

        /// The reply is stale after 60 seconds.
        init(
            _ name: String,
            _ mayBeUsed: Bool,
            after later: TimeInterval = 61,
            reply: String = "stale-if-error=30",
            _ request: URLRequest = CacheScene.request(),
            isInvalid: Bool = false
        ) {
            testDescription = name
            self.mayBeUsed = mayBeUsed
            self.reply = reply
            self.later = later
            self.request = request
            self.isInvalid = isInvalid
        }
    }

    @Test(arguments: [
        Rule("RFC 5861, 4: the reply allows it", true),
        Rule("RFC 5861, 4: within its seconds", true, after: 90),
        Rule("RFC 5861, 4: no longer", false, after: 91),
        Rule("RFC 5861, 4: not allowed", false, reply: "x"),
        Rule(
            "RFC 5861, 4: the request allows it",
            true,
            reply: "x",
            CacheScene.request(["Cache-Control": "stale-if-error=30"])
        ),
        Rule(
            "RFC 5861, 4: the longer time",
            true,
            after: 100,
            CacheScene.request(["Cache-Control": "stale-if-error=40"])
        ),
        Rule("5.2.2.2: not with must-revalidate", false, reply: "stale-if-error=30, must-revalidate"),
        Rule("5.2.2.4: not with no-cache", false, reply: "stale-if-error=30, no-cache"),
        Rule("4.4: not an invalid reply", false, isInvalid: true),
        Rule("4.1: not for another request", false, reply: "stale-if-error=30", CacheScene.request(method: "POST")),
        Rule("5.2.1.4: not if the request says no-cache", false, CacheScene.request(["Cache-Control": "no-cache"])),
        Rule("5.2.1.5: not if the request says no-store", false, CacheScene.request(["Cache-Control": "no-store"])),
        Rule("policy: not if it ignores caches", false, CacheScene.request(policy: .reloadIgnoringLocalCacheData)),
        Rule("policy: not if it wants to validate", false, CacheScene.request(policy: .reloadRevalidatingCacheData)),
        Rule("4.3.1: not for conditions of its own", false, CacheScene.request(["If-None-Match": "x"])),
    ])
    func `A stored response answers an error only if stale-if-error and the request allow it`(rule: Rule) {
        var reply = CacheScene.reply(["Cache-Control": "max-age=60, " + rule.reply])
        reply.isInvalid = rule.isInvalid
        let mayBeUsed = CacheRules.mayUseOnError(reply, for: rule.request, at: CacheScene.start + rule.later)
        #expect(mayBeUsed == rule.mayBeUsed)
    }

    @Test func `Only the statuses 500, 502, 503 and 504 count as errors for stale-if-error`() {
        #expect((100...599).filter(StatusCacheability.isError) == [500, 502, 503, 504])
    }
}
