import APIBaseKit
import DemoServer

/// `apibase serve`: the demo server, until the process is told to end.
struct Serve: Job {
    let host: String
    let port: UInt16

    func run(_ context: Context) async throws -> Int32 {
        let server = DemoAPIServer(configuration: .init(host: host, port: port))
        let url = try server.start()
        // Whoever reads that the server is there may stop it.
        let (source, interruption) = Self.interruption()
        context.output.line(
            """
            Server starting on \(url.absoluteString)
              todo API         \(url.absoluteString)/users, /login, /todos
              JSONPlaceholder  \(url.absoluteString)/jsonplaceholder
              Unsplash         \(url.absoluteString)/unsplash
              Apple RSS        \(url.absoluteString)/rss/api/v2
            Press Control-C to stop it.
            """
        )
        for await _ in interruption {}
        source.cancel()
        server.stop()
        return ExitCode.success
    }

    /// A stream that ends when the process receives SIGINT or SIGTERM, and what sees to it.
    private static func interruption() -> (any DispatchSourceSignal, AsyncStream<Never>) {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        Interruption.handle { continuation.finish() }
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { continuation.finish() }
        source.resume()
        return (source, stream)
    }
}

extension Command {
    static let serve = Command(
        name: "serve",
        summary: "run the demo server until it is stopped",
        details: "The todo API is at the root; the others are below /jsonplaceholder, /unsplash and /rss.",
        options: [.host, .port]
    ) { arguments throws(UsageError) in
        let port = try arguments.number(.port, in: 0...Int(UInt16.max)) ?? 8080
        let host = arguments.value(.host) ?? "localhost"
        return Serve(host: host == "localhost" ? "127.0.0.1" : host, port: UInt16(port))
    }
}

extension Option {
    fileprivate static let host = Option("--host", value: "HOST", "where to listen (127.0.0.1)")
    fileprivate static let port = Option("--port", value: "PORT", "on which port (8080; 0 is any free one)")
}
