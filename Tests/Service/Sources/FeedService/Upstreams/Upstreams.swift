import APIBaseKit

/// The servers that the service calls.
enum Upstreams {
    #if os(Linux)
    static let session: CurlSession = {
        var configuration = CurlSession.Configuration()
        configuration.connectionsPerHost = 32
        return CurlSession(configuration: configuration)
    }()
    #else
    static let session = DefaultSession.shared
    #endif

    /// The variables of the environment that say where an upstream is.
    private static let variables: [String: UpstreamAPI.Type] = [
        "WEATHER_URL": WeatherAPI.self, "NEWS_URL": NewsAPI.self, "TODO_URL": TodoAPI.self,
        "ARCHIVE_URL": ArchiveAPI.self, "TICKER_URL": TickerAPI.self,
    ]

    /// Has the calls go where the environment says.
    static func find(in environment: [String: String]) {
        for (name, api) in variables {
            if let url = environment[name].flatMap({ URL(string: $0) }) { api.useBaseURL(url) }
        }
    }
}
