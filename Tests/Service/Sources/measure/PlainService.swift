import AsyncHTTPClient
import Foundation
import Hummingbird

/// The service's `/feed`, on AsyncHTTPClient and `JSONDecoder`, and without logs, times and traces.
enum PlainService {
    static func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let upstreams = PlainUpstreams(client: client, environment: environment)
        let router = Router()
        router.get("feed") { request, _ in
            try await PlainFeed.of(city: request.uri.queryParameters.get("city") ?? "Rome", from: upstreams)
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: {
                print("listening on port \($0.localAddress?.port ?? 0)")
                fflush(nil)
            }
        )
        try await application.runService()
        try await client.shutdown()
    }
}

struct PlainFeed: ResponseCodable {
    struct Weather: Codable {
        var sky: String
        var degrees: Int
    }
    struct Article: Codable {
        var id: Int
        var headline: String
    }
    struct Todo: Codable {
        var id: Int
        var title: String
    }

    var weather: Weather
    var headlines: [String]
    var todos: [Todo]

    static func of(city: String, from upstreams: PlainUpstreams) async throws -> PlainFeed {
        async let weather = upstreams.weather(city: city)
        async let articles = upstreams.articles(ofPages: 3)
        async let todos = upstreams.todos()
        return try await PlainFeed(weather: weather, headlines: articles.map(\.headline), todos: todos)
    }
}
