#if os(Linux)
import APIBaseKit
import ServiceLifecycle

/// Closes the connections to the upstreams at the end, when the requests that need them have been answered.
struct UpstreamConnections: Service {
    let session: CurlSession

    func run() async throws {
        try? await gracefulShutdown()
        await session.shutdown()
    }
}
#endif
