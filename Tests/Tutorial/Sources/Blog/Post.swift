// Sources/Blog/Post.swift

/// An article of the blog.
struct Post: Codable, Equatable, Sendable {
    var id: Int?
    var title: String
    var body: String

    init(id: Int? = nil, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
