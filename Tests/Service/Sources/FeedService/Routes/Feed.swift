import APIBaseKit
import Hummingbird

/// What three upstreams say, in one.
struct Feed: ResponseCodable, Equatable {
    var weather: Weather
    var headlines: [String]
    var todos: [Todo]

    /// Asks the three at the same time. If the client goes away, or one of them fails, the other calls are cancelled.
    static func of(city: String) async throws -> Feed {
        // Where the responses arrive, without a change of thread for each.
        try await withTaskExecutorPreference(Upstreams.session.executor) {
            async let weather = WeatherRequest(city: city).value()
            async let articles = ArticlesRequest().articles(ofPages: 3)
            async let todos = TodosRequest().value()
            return try await Feed(weather: weather, headlines: articles.map(\.headline), todos: todos)
        }
    }
}
