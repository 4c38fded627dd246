import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct ResponseKeyTests {
    @Test(arguments: [
        ("https://api.example/a?b=c", "https://api.example/a?b=c"),
        ("https://api.example/a#b", "https://api.example/a"),
        ("https://api.example/a?b#c?d#e", "https://api.example/a?b"),
        ("https://api.example/a#", "https://api.example/a"),
    ])
    func `A cache key has the URL without its fragment`(text: String, name: String) throws {
        #expect(ResponseKey.name(of: try #require(URL(string: text))) == name)
    }

    /// A header cannot be taken for a body, nor a body for a header.
    @Test func `The cache keys of QUERY have one URL, and all else that differs but the length`() throws {
        func key(_ body: String?, _ headers: [String: String], method: String = "QUERY") throws -> ResponseKey {
            var request = URLRequest(url: try #require(URL(string: "https://api.example/a")))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            request.allHTTPHeaderFields = headers
            return ResponseKey(request, secretHeaders: ["X-Key"])
        }
        let keys = [
            try key("a", ["Content-Type": "a/b"]), try key("b", ["Content-Type": "a/b"]), try key("a", [:]),
            try key(nil, ["Content-Type": "a/b"]), try key("a", ["Content-Type": "a/c"]),
            try key("a", ["Content-Type": "a/b", "X-Key": "k"]), try key("a", ["X-Key": "k"]),
            try key(nil, ["Content-Type": "a/b"], method: "GET"), try key(nil, ["X-Key": "k"], method: "GET"),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.url)) == ["https://api.example/a"])
        #expect(try key("a", ["content-type": "a/b", "Content-Length": "1", "Accept": "x"]) == keys[0])
    }
}
