import APIBaseTesting

@testable import FeedService

extension Stubs {
    /// The upstreams of `/feed`, as this name has them. Its todos are for those with its token.
    func answerFeed(of name: String) {
        on(WeatherRequest.self).answer(.json(Weather(sky: name, degrees: 21)))
        on(ArticlesRequest.self).answer(.pages([1, 2].map { [Article(id: $0, headline: "\(name) \($0)")] }))
        on(TokenRequest.self).answer(.json(TokenRequest.ModelType(token: name)))
        on(TodosRequest.self, headers: ["Authorization": .equals("Bearer \(name)")])
            .answer(.json([Todo(id: 1, title: name)]))
    }
}
