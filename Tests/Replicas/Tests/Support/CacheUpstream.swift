import Foundation
import Synchronization

@testable import LoopbackServer

/// An upstream whose resources may be kept for a minute. It counts the requests for each.
public final class CacheUpstream: Sendable {
    private let mutex = Mutex<[String: Int]>([:])
    private let server = Mutex<HTTPServer?>(nil)

    /// Starts it.
    public init() throws {
        let new = try HTTPServer { [weak self] in self?.response(to: $0) ?? .error(503, "") }
        server.withLock { $0 = new }
    }

    /// Where it is.
    public var url: URL? { server.withLock { $0?.url } }

    /// The number of requests of each path.
    public var counts: [String: Int] { mutex.withLock { $0 } }

    /// The number of all requests.
    public var count: Int { counts.values.reduce(0, +) }

    private func response(to request: ServerRequest) -> ServerResponse {
        let count = mutex.withLock { counts in
            counts[request.path, default: 0] += 1
            return counts[request.path] ?? 0
        }
        let user = (request.headers["Authorization"] ?? "").replacingOccurrences(of: "Bearer secret-token-", with: "")
        let body = "\"body \(count) of \(request.pathSegments.last ?? "") for user \(user)\""
        return .json(Data(body.utf8), headers: HTTPFields(["Cache-Control": "max-age=60"]))
    }
}
