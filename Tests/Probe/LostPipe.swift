#if os(Linux)
import Foundation
import Glibc
import HostileServer
import HTTPTransport

/// Sends bodies over TLS to a server that resets the connection, and then writes to a pipe without a reader. The first
/// must not end the process, the second must.
enum LostPipe {
    static func run(_ text: String, authority: String) async throws {
        signal(SIGPIPE, SIG_DFL)
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = URL(fileURLWithPath: authority)
        let session = CurlSession(configuration: configuration)
        var (lost, rounds) = (0, 0)
        while let url = URL(string: text), rounds < 10 {
            rounds += 1
            let request = ExchangeRequest(.put, to: url, body: .data(Data(count: 16 << 20)))
            let result = try await session.result(of: request)
            if case .failure(let error) = result, error.reason == .connectionLost {
                lost += 1
            } else {
                say("\(result)")
            }
        }
        say("lost: \(lost)")
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        close(ends[0])
        _ = write(ends[1], "x", 1)
        say("not reached")
    }
}
#endif
