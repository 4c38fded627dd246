// Tests/BlogTests/CreatePostTests.swift
import APIBaseTesting
@testable import TutorialBlog
import Testing

@Suite struct CreatePostTests {
    @Test func `A new post is sent as JSON and returned with its ID`() async throws {
        let stubs = Stubs()
        let create = stubs.on(.post, "/posts")
            .answer(.json(Post(id: 101, title: "Hello", body: "…"), status: 201))
        let post = try await stubs.run {
            try await CreatePostRequest(Post(title: "Hello", body: "…")).value()
        }
        #expect(post.id == 101)
        let sent = try #require(create.calls.first)
        #expect(try sent.json(Post.self) == Post(title: "Hello", body: "…"))
    }
}
