import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct CacheStorabilityTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isStored: Bool
        var request: URLRequest
        var status: Int
        var headers: HTTPHeaders

        init(
            _ name: String,
            _ isStored: Bool,
            _ status: Int = 200,
            _ headers: HTTPHeaders = ["Cache-Control": "max-age=60"],
            request: URLRequest = CacheScene.request()
        ) {
            testDescription = name
            self.isStored = isStored
            self.request = request
            self.status = status
            self.headers = headers
        }
    }

    private static let fresh = "max-age=60"

    @Test(arguments: [
        Rule("3: GET", true),
        Rule("3: not HEAD", false, request: CacheScene.request(method: "HEAD")),
        Rule("3: not POST", false, request: CacheScene.request(method: "POST")),
        Rule("3: not an unknown method", false, request: CacheScene.request(method: "SHAKE")),
        Rule("RFC 10008, 2.7: QUERY", true, request: CacheScene.request(method: "QUERY")),
        Rule(
            "RFC 10008, 2.8: not a part of the response to QUERY",
            false,
            request: CacheScene.request(["Range": "bytes=0-"], method: "QUERY")
        ),
        Rule(
            "RFC 10008, 2.7: not a QUERY with no-store",
            false,
            request: CacheScene.request(["Cache-Control": "no-store"], method: "QUERY")
        ),
        Rule("3: nothing is said, and it is a 200", true, 200, [:]),
        Rule("3: nothing is said, and it is a 204", true, 204, [:]),
        Rule("3: nothing is said, and it is a 301", true, 301, [:]),
        Rule("3: nothing is said, and it is a 404", true, 404, [:]),
        Rule("3: nothing is said, and it is a 501", true, 501, [:]),
        Rule("3: nothing is said, and it is a 302", false, 302, [:]),
        Rule("3: an ETag does not make a 302 storable", false, 302, ["ETag": "\"a\""]),
        Rule("3: nothing is said, and it is a 403", false, 403, [:]),
        Rule("3: nothing is said, and it is a 500", false, 500, [:]),
        Rule("3: a 302 with max-age", true, 302),
        Rule("3: a 403 with Expires", true, 403, ["Expires": "0"]),
        Rule("3: a 500 that is public", true, 500, ["Cache-Control": "public"]),
        Rule("3: a 302 that is private", true, 302, ["Cache-Control": "private"]),
        Rule("3: a 302 with s-maxage, which is for others", false, 302, ["Cache-Control": "s-maxage=60"]),
        Rule("3: a 299 with max-age", true, 299),
        Rule("3: a 599 with Expires", true, 599, ["Expires": CacheScene.date]),
        Rule("3: a 299 that is only public", false, 299, ["Cache-Control": "public"]),
        Rule("3: a 599 that says nothing", false, 599, [:]),
        Rule("3: not an interim status", false, 103),
        Rule("3: not a status beyond all classes", false, 600),
        Rule("3: not a part", false, 206),
        Rule("3: not a 304", false, 304),
        Rule("RFC 6585, 3: not a 428", false, 428),
        Rule("RFC 6585, 4: not a 429", false, 429),
        Rule("RFC 6585, 5: not a 431", false, 431),
        Rule("RFC 6585, 6: not a 511", false, 511),
        Rule("3.3: not what was asked for in parts", false, request: CacheScene.request(["Range": "bytes=0-1"])),
        Rule("3.5: Authorization is fine", true, request: CacheScene.request(["Authorization": "Bearer a"])),
        Rule("4.1: not with Vary: *", false, 200, ["Cache-Control": fresh, "Vary": "*"]),
        Rule("4.1: not with * among others", false, 200, ["Cache-Control": fresh, "Vary": "Accept, *"]),
        Rule("4.1: not with * in another field", false, 200, ["Cache-Control": fresh, "Vary": "Accept", "vary": "*"]),
        Rule(
            "5.2.1.5: not if the request says no-store",
            false,
            request: CacheScene.request(["Cache-Control": "no-store"])
        ),
        Rule("5.2.2.5: not if the reply says no-store", false, 200, ["Cache-Control": "max-age=60, no-store"]),
        Rule("5.2.2.4: no-cache may be stored", true, 200, ["Cache-Control": "no-cache"]),
        Rule("5.2.2.7: private may be stored", true, 200, ["Cache-Control": "private, max-age=60"]),
        Rule(
            "5.2.2.3: must-understand, understood",
            true,
            200,
            ["Cache-Control": "max-age=60, must-understand, no-store"]
        ),
        Rule("5.2.2.3: must-understand, not understood", false, 299, ["Cache-Control": "max-age=60, must-understand"]),
        Rule(
            "5.2.2.3: must-understand does not lift the request's no-store",
            false,
            200,
            ["Cache-Control": "max-age=60, must-understand, no-store"],
            request: CacheScene.request(["Cache-Control": "no-store"])
        ),
    ])
    func `A response is stored only if its method, status and headers allow it (RFC 9111, 3)`(rule: Rule) {
        let mayStore = CacheRules.mayStore(request: rule.request, statusCode: rule.status, headers: rule.headers)
        #expect(mayStore == rule.isStored)
    }

    /// Section 3.1.
    @Test(arguments: [
        ("Connection", false), ("Keep-Alive", false), ("Proxy-Connection", false), ("TE", false),
        ("Transfer-Encoding", false), ("Upgrade", false), ("Proxy-Authenticate", false),
        ("Proxy-Authentication-Info", false), ("Proxy-Authorization", false), ("X-Hop", false), ("x-other-hop", false),
        ("X-End", true), ("Set-Cookie", true), ("Content-Length", true), ("WWW-Authenticate", true), ("Age", true),
    ])
    func `Hop-by-hop headers and headers that Connection names are not stored`(name: String, isStored: Bool) {
        var headers: HTTPHeaders = ["Connection": "close, x-hop", "connection": " X-Other-Hop "]
        headers.add(name: name, value: "a")
        #expect(CacheScene.reply(headers).headers.contains(name: name) == isStored)
    }

    @Test func `A stored response without Date gets the time of its receipt as Date`() {
        #expect(CacheScene.reply().headers.values(for: "Date") == [CacheScene.date])
        #expect(CacheScene.reply(["Date": "x"]).headers.values(for: "Date") == ["x"])
    }
}
