import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct InvalidationTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let method: String
        let status: Int
        let headers: HTTPHeaders
        let urls: [String]

        init(
            _ name: String,
            _ method: String = "POST",
            _ status: Int = 200,
            _ headers: HTTPHeaders = [:],
            _ urls: String...
        ) {
            testDescription = name
            self.method = method
            self.status = status
            self.headers = headers
            self.urls = urls
        }
    }

    private static let own = "https://api.example/items/1?q=a"

    @Test(arguments: [
        Rule("4.4: POST", "POST", 200, [:], own),
        Rule("4.4: PUT", "PUT", 204, [:], own),
        Rule("4.4: DELETE", "DELETE", 200, [:], own),
        Rule("4.4: PATCH", "PATCH", 200, [:], own),
        Rule("4.4: an unknown method", "SHAKE", 200, [:], own),
        Rule("4.4: not GET", "GET"),
        Rule("4.4: not HEAD", "HEAD"),
        Rule("4.4: not OPTIONS", "OPTIONS"),
        Rule("4.4: not TRACE", "TRACE"),
        Rule("RFC 10008, 2: not QUERY", "QUERY", 200, ["Location": "/items", "Content-Location": "/items/2"]),
        Rule("4.4: a redirect", "POST", 303, [:], own),
        Rule("4.4: not an error of the client", "POST", 400),
        Rule("4.4: not an error of the server", "POST", 500),
        Rule("4.4: not an interim status", "POST", 103),
        Rule(
            "4.4: Location",
            "POST",
            201,
            ["Location": "https://api.example/items/2"],
            own,
            "https://api.example/items/2"
        ),
        Rule("4.4: Content-Location", "POST", 200, ["Content-Location": "/items"], own, "https://api.example/items"),
        Rule(
            "4.4: both",
            "POST",
            201,
            ["Location": "2", "Content-Location": "3"],
            own,
            "https://api.example/items/2",
            "https://api.example/items/3"
        ),
        Rule("4.4: not of another host", "POST", 201, ["Location": "https://other.example/items/2"], own),
        Rule("4.4: not of another port", "POST", 201, ["Location": "https://api.example:8443/items/2"], own),
        Rule("4.4: not of another scheme", "POST", 201, ["Location": "http://api.example/items/2"], own),
        Rule(
            "4.4: the port of the scheme is the same",
            "POST",
            201,
            ["Location": "https://api.example:443/a"],
            own,
            "https://api.example:443/a"
        ),
        Rule(
            "4.4: the host has no case",
            "POST",
            201,
            ["Location": "https://API.example/a"],
            own,
            "https://API.example/a"
        ),
        Rule("4.4: escaped slashes stay", "POST", 201, ["Location": "/a%2Fb"], own, "https://api.example/a%2Fb"),
        Rule("4.4: no fragment", "POST", 201, ["Location": "/a#b"], own, "https://api.example/a"),
        Rule("4.4: each once", "POST", 201, ["Location": "?q=a", "Content-Location": own], own),
        Rule("4.4: not what is no URL", "POST", 201, ["Location": "https://[", "Content-Location": "mailto:a"], own),
    ])
    func `An unsafe request invalidates its URL and same-origin Location and Content-Location`(rule: Rule) {
        let urls = CacheRules.invalidated(
            by: HTTPMethod(rawValue: rule.method),
            statusCode: rule.status,
            headers: rule.headers,
            url: CacheScene.url
        )
        #expect(urls.map(\.absoluteString) == rule.urls)
    }

    @Test func `A POST to a URL with a fragment invalidates the URL without the fragment`() throws {
        let url = try #require(URL(string: "https://api.example/a#b"))
        let urls = CacheRules.invalidated(by: .post, statusCode: 200, headers: [:], url: url)
        #expect(urls.map(\.absoluteString) == ["https://api.example/a"])
    }
}
