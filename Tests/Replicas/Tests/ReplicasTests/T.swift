import Testing
@testable import APIBaseCache
@Test func key() { _ = ResponseKey(url: "a", user: "b") }
