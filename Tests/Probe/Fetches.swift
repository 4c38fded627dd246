#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport

/// Asks for one URL after another, by the environment's proxy if that is to be asked, and prints what comes: the text, or
/// what went wrong.
///
/// A process of its own, because the environment belongs to all that runs in one.
enum Fetches {
    static func run(environment isAsked: Bool, _ urls: some Sequence<String>) async throws {
        var configuration = CurlSession.Configuration()
        configuration.proxy = isAsked ? .environment : .none
        let session = CurlSession(configuration: configuration)
        for text in urls {
            guard let url = URL(string: text) else { continue }
            switch try await session.result(of: ExchangeRequest(to: url)) {
            case .success(let reply): say(reply.text)
            case .failure(let error): say("\(error.reason)")
            }
        }
    }
}
#endif
