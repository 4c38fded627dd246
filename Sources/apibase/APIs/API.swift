import APIBaseKit
import AppleRSS
import DemoServer
import JSONPlaceholder
import TodoDemo
import Unsplash

/// The APIs that the command knows.
enum API: Equatable {
    case jsonPlaceholder, unsplash, appleRSS, todoDemo

    var base: APIBase.Type {
        switch self {
        case .jsonPlaceholder: JSONPlaceholderAPI.self
        case .unsplash: UnsplashAPI.self
        case .appleRSS: AppleRSSAPI.self
        case .todoDemo: TodoDemoAPI.self
        }
    }

    func demoURL(at server: URL) -> URL {
        switch self {
        case .jsonPlaceholder: server.appendingPathComponent("jsonplaceholder")
        case .unsplash: server.appendingPathComponent("unsplash")
        case .appleRSS: server.appendingPathComponent("rss/api/v2")
        case .todoDemo: server
        }
    }
}

/// The server that a call goes to.
enum Target: Equatable {
    case demoServer
    case live
    case url(URL)

    /// From `--live` or `--base-url URL`.
    init(_ arguments: Arguments) throws {
        let url = try arguments.value(.baseURL, expected: "an absolute URL, such as http://localhost:8080") { text in
            URL(string: text).flatMap {
                ["http", "https"].contains($0.scheme?.lowercased()) && $0.host != nil ? $0 : nil
            }
        }
        if arguments.has(.live), url != nil { throw UsageError.conflict(Option.live.name, Option.baseURL.name) }
        self = url.map { .url($0) } ?? (arguments.has(.live) ? .live : .demoServer)
    }

    /// Runs the call with the base URL of the API; `nil` for its default. A replay needs no server.
    func reach(_ api: API, startsServer: Bool, _ call: (URL?) async throws -> Void) async throws {
        switch self {
        case .live: try await call(nil)
        case .url(let url): try await call(url)
        case .demoServer where !startsServer: try await call(api.demoURL(at: Self.placeholder))
        case .demoServer:
            let server = DemoAPIServer()
            let url = try server.start()
            defer { server.stop() }
            try await call(api.demoURL(at: url))
        }
    }

    /// The URL of the demo server in a replay. Nothing is sent there.
    static let placeholder = URL(string: "http://demo.invalid") ?? URL(fileURLWithPath: "/")
}

extension Option {
    static let live = Option("--live", "call the real host of the API (for todos, localhost:8080)")
    static let baseURL = Option("--base-url", value: "URL", "call another server")
}
