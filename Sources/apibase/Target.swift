import APIBaseKit
import DemoServer

/// The APIs that the command knows.
enum API: Equatable {
    case jsonPlaceholder, unsplash, appleRSS, todoDemo

    /// Where the demo server has it.
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
    func reach(_ api: API, _ call: (URL?) async throws -> Void) async throws {
        switch self {
        case .live: try await call(nil)
        case .url(let url): try await call(url)
        case .demoServer:
            let server = DemoAPIServer()
            let url = try server.start()
            defer { server.stop() }
            try await call(api.demoPath.isEmpty ? url : url.appendingPathComponent(api.demoPath))
        }
    }
}
