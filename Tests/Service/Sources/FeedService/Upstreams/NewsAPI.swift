import APIBaseKit

class NewsAPI: UpstreamAPI {
    override class var baseURL: URL? { URL(string: "https://news.example") }
}

/// Articles, page by page: each reply has a `Link` to the next one.
final class ArticlesRequest: NewsAPI, LinkPagedRequest {
    typealias ModelType = [Article]
    override init() { super.init(.get("/articles")) }

    /// The articles of the first pages.
    func articles(ofPages count: Int) async throws -> [Article] {
        try await eachPage(atMost: count).reduce(into: []) { $0 += $1 }
    }
}

struct Article: Codable, Hashable, Sendable {
    var id: Int
    var headline: String
}
