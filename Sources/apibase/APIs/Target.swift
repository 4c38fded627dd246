import APIBaseKit
import AppleRSS
import DemoServer
import JSONPlaceholder
import TodoDemo
import Unsplash

/// The APIs that the command knows.
enum API: Equatable {
    case jsonPlaceholder, unsplash, appleRSS, todoDemo

    /// The class that all of its requests inherit from.
    var base: APIBase.Type {
        switch self {
        case .jsonPlaceholder: JSONPlaceholderAPI.self
        case .unsplash: UnsplashAPI.self
        case .appleRSS: AppleRSSAPI.self
        case .todoDemo: TodoDemoAPI.self
        }
    }

    /// The path of the API on the demo server.
    var demoPath: String {
        switch self {
        case .jsonPlaceholder: "jsonplaceholder"
        case .unsplash: "unsplash"
        case .appleRSS: "rss/api/v2"
        case .todoDemo: ""
        }
    }
}

/// The server that a call goes to.
enum Target: Equatable {
    /// A demo server of the command's own, for as long as the call runs.
    case demoServer
    /// The host that the API really lives on.
    case live
    /// Any other server.
    case url(URL)

    /// Runs the call with the base URL of the API, or with `nil` for the API's own.
    ///
    /// Without a server to start, the demo server's is a URL that stands for it: a replay has nobody to talk to.
    func reach(_ api: API, startingServer: Bool, _ call: (URL?) async throws -> Void) async throws {
        switch self {
        case .live: try await call(nil)
        case .url(let url): try await call(url)
        case .demoServer where !startingServer: try await call(api.demoURL(at: Self.absentServer))
        case .demoServer:
            let server = DemoAPIServer()
            let url = try server.start()
            defer { server.stop() }
            try await call(api.demoURL(at: url))
        }
    }

    /// The URL that a replay uses for the demo server. Nothing is sent there.
    static let absentServer = URL(string: "http://demo.invalid") ?? URL(fileURLWithPath: "/")
}

extension API {
    /// The URL of this API on a demo server at `url`.
    func demoURL(at url: URL) -> URL {
        demoPath.isEmpty ? url : url.appendingPathComponent(demoPath)
    }
}

extension Target {
    /// From `--live` or `--base-url URL`.
    init(_ arguments: Arguments) throws(UsageError) {
        switch (arguments.has(.live), arguments.value(.baseURL)) {
        case (true, _?): throw .notTogether(Option.live.name, Option.baseURL.name)
        case (true, nil): self = .live
        case (false, nil): self = .demoServer
        case (false, let text?):
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
            else {
                throw .badValue(
                    option: Option.baseURL.name,
                    value: text,
                    expected: "an absolute URL, such as http://localhost:8080"
                )
            }
            self = .url(url)
        }
    }
}

extension Option {
    static let live = Option("--live", "call the API's real host (todos: localhost:8080)")
    static let baseURL = Option("--base-url", value: "URL", "call another server")
}
