// Sources/Blog/PostRequests.swift
import APIBaseKit

/// `GET /posts`: the first posts.
final class PostsRequest: BlogAPI, Request {
    typealias ModelType = [Post]
    init(limit: Int) { super.init(.get("/posts", query: ["_limit": limit])) }
}

/// `GET /posts/{id}`: one post.
final class PostRequest: BlogAPI, Request {
    typealias ModelType = Post
    init(id: Int) { super.init(.get("/posts/\(segment: id)")) }
}
