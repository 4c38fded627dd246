#if os(Linux)
import LoopbackServer
import Dispatch
import Glibc
import HostileServer
import HTTPTransport

/// The first exchange of a process without free descriptors: it fails, and the next one succeeds when there
/// are free ones again.
enum Shortage {
    static func run() async throws {
        // The main queue opens its descriptor when it is first used, or when the main thread ends. Without one, libdispatch
        // ends the process.
        await withCheckedContinuation { served in DispatchQueue.main.async { served.resume() } }
        let server = try HTTPServer { _ in .text("ok") }
        let request = try ExchangeRequest(port: server.port)
        var taken: [Int32] = []
        while case let descriptor = dup(1), descriptor >= 0 { taken.append(descriptor) }
        let session = CurlSession()
        let error = try await session.failure(of: request)
        say("without: \(error.map { "\($0.reason), \($0)" } ?? "no error")")
        for descriptor in taken { close(descriptor) }
        say("with: \(try await session.reply(to: request).text)")
        server.stop()
    }
}
#endif
