import APIBaseKit
import DemoServer

/// `apibase serve`: the demo server, until the process is told to end.
struct Serve {
    let host: String
    let port: UInt16
    let output: Output

    func run() async throws {
        let server = DemoAPIServer(configuration: .init(host: host, port: port))
        let url = try server.start()
        output.line(
            """
            Server starting on \(url.absoluteString)
              todo API         \(url.absoluteString)/users, /login, /todos
              JSONPlaceholder  \(url.absoluteString)/jsonplaceholder
              Unsplash         \(url.absoluteString)/unsplash
              Apple RSS        \(url.absoluteString)/rss/api/v2
            Press Control-C to stop it.
            """
        )
        await Self.interruption()
        server.stop()
    }

    /// Returns when the process receives SIGINT or SIGTERM.
    private static func interruption() async {
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number)
        }
        let stream = AsyncStream<Void> { continuation in
            for source in signals {
                source.setEventHandler { continuation.yield() }
                source.resume()
            }
        }
        for await _ in stream { break }
        for source in signals { source.cancel() }
    }
}
