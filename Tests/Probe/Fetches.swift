#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport

/// Fetches URLs one after another, through the environment's proxy if requested, and prints the text or the error.
///
/// Needs its own process, because all code of a process shares the environment.
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
