// Tests/BlogTests/FrontPageTests.swift
import APIBaseTesting
@testable import TutorialBlog
import Testing

@Suite struct FrontPageTests {
    @Test(
        .stubs { stubs in
            let posts = [Post(id: 1, title: "Hello", body: ""), Post(id: 2, title: "World", body: "")]
            stubs.on(.get, "/posts", query: ["_limit": "2"]).answer(.json(posts))
        }
    )
    func `The front page has one line for each post`() async throws {
        #expect(try await frontPage(posts: 2) == ["- Hello", "- World"])
    }

    @Test(.stubs { $0.on(.get, "/posts/:id").answer(.status(404)) })
    func `The title of a post is nil when the server answers with status 404`() async throws {
        #expect(try await title(ofPost: 7) == nil)
    }

    @Test(.stubs { $0.on(PostsRequest.self).answer(inOrder: .status(503), .json("[]")) })
    func `The front page is requested again when the server answers with status 503`() async throws {
        #expect(try await frontPage() == [])
        #expect(Stubs.current?.calls.count == 2)
    }
}
