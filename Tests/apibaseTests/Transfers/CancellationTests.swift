import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import apibase

/// A job that is cancelled during a response fails.
@Suite(.limited) struct CancellationTests {
    @Test(arguments: [
        ["download", "URL", "--out", "FILE"], ["get", "URL"], ["get", "URL", "--output", "FILE"], ["events", "URL"],
        ["pages", "URL"],
    ])
    func `A get, download, events or pages command canceled in a response exits with 1 and leaves no file`(
        arguments: [String]
    )
        async throws
    {
        let lab = try Lab()
        let server = try ScriptedServer { _, connection, _ in
            let type = arguments[0] == "events" ? "text/event-stream" : "application/json"
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 100\r\n\r\ndata: 1\n\n")
        }
        defer { server.stop() }
        let words = arguments.map { $0 == "URL" ? server.url().absoluteString : $0 == "FILE" ? lab.path("file") : $0 }
        let job = Task { await run(words) }
        #expect(try await holds { server.requests.count == 1 })
        job.cancel()
        #expect(await job.value.code == 1)
        #expect(try !lab.names.contains("file"))
    }
}
