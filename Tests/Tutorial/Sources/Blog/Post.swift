// Sources/Blog/Post.swift

/// An article of the blog.
struct Post: Codable, Equatable, Sendable {
    var id: Int?
    var title: String
    var body: String
}
