import APIBaseKit
import DemoServer

/// `apibase serve`: runs the demo server until the process is interrupted.
struct Serve: Job {
    let host: String
    let port: UInt16

    func run(_ context: Context) async throws -> Int32 {
        let server = DemoAPIServer(configuration: .init(host: host, port: port))
        let url = try server.start().absoluteString
        // Before the message, because its reader may stop the server at once.
        let interruption = SignalHandler.interruption()
        context.output.line(
            """
            Server starting on \(url)
              todo API         \(url)/users, /login, /todos
              JSONPlaceholder  \(url)/jsonplaceholder
              Unsplash         \(url)/unsplash
              Apple RSS        \(url)/rss/api/v2
            Press Control-C to stop it.
            """
        )
        for await _ in interruption {}
        server.stop()
        return ExitCode.success
    }
}

extension Command {
    static let serve = Command(
        name: "serve",
        summary: "run the demo server until it is interrupted",
        details: "The todo API is at the root; the others are below /jsonplaceholder, /unsplash and /rss.",
        options: [.host, .port]
    ) { arguments in
        let port = try arguments.number(.port, in: 0...Int(UInt16.max)) ?? 8080
        let host = arguments.value(.host) ?? "localhost"
        return Serve(host: host == "localhost" ? "127.0.0.1" : host, port: UInt16(port))
    }
}

extension Option {
    fileprivate static let host = Option("--host", value: "HOST", "the address to listen on (127.0.0.1)")
    fileprivate static let port = Option("--port", value: "PORT", "the port (8080; 0 for any free port)")
}
