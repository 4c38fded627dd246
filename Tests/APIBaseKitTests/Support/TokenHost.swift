import Basics
import LoopbackServer

/// A host that keeps the tokens that it is sent.
final class TokenHost: Sendable {
    let tokens = Locked<[String]>([])
    let server: HTTPServer
    /// The name of the host in the list of a source.
    var name: String { "127.0.0.1:\(server.port)" }

    init() throws {
        server = try HTTPServer { [tokens] request in
            tokens.withLock { $0.append(request.headers.values(for: "Authorization").first ?? "none") }
            return .text("")
        }
    }
}
