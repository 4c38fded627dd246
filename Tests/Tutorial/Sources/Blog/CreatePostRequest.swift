// Sources/Blog/CreatePostRequest.swift
import APIBaseKit

/// `POST /posts`: creates a post. The reply is the post with its id.
final class CreatePostRequest: BlogAPI, Request {
    typealias ModelType = Post
    init(_ post: Post) { super.init(.post("/posts", json: post)) }
}
