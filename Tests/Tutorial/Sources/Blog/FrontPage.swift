// Sources/Blog/FrontPage.swift
import APIBaseKit

/// The lines of the front page.
public func frontPage(posts: Int = 3) async throws -> [String] {
    try await PostsRequest(limit: posts).value().map { post in "- \(post.title)" }
}

/// The title of a post; `nil` if there is no such post.
public func title(ofPost id: Int) async throws -> String? {
    do {
        return try await PostRequest(id: id).value().title
    } catch RequestError.httpFailure(404) {
        return nil
    }
}
