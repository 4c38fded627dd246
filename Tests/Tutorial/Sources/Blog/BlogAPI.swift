// Sources/Blog/BlogAPI.swift
import APIBaseKit

/// What all calls of the blog's API share.
class BlogAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "http://127.0.0.1:8080/jsonplaceholder") }

    override func configure() {
        super.configure()
        retry = .standard
    }
}
