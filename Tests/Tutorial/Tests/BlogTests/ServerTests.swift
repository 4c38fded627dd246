// Tests/BlogTests/ServerTests.swift
import APIBaseKit
@testable import TutorialBlog
import DemoServer
import Testing

@Suite struct ServerTests {
    @Test func `The blog client reads posts and a missing title from a local server`() async throws {
        let server = DemoAPIServer()
        defer { server.stop() }
        let url = try server.start().appendingPathComponent("jsonplaceholder")
        let (lines, missing) = try await BlogAPI.withBaseURL(url) {
            (try await frontPage(posts: 5), try await title(ofPost: 100_000))
        }
        #expect(lines.count == 5)
        #expect(missing == nil)
    }
}
