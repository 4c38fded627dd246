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
}
