#if os(Linux)
import LoopbackServer
import HostileServer
import HTTPTransport
import TestTiers
import Testing

/// The state that a transfer leaves to the next one, which may use the same of libcurl's handles.
@Suite(.tags(.concurrent), .limited) struct TransferTests {
    private let session: CurlSession

    init() {
        var configuration = CurlSession.Configuration()
        configuration.threads = 1
        session = CurlSession(configuration: configuration)
    }

    /// libcurl repeats a request five times at most, and counts for a handle what it has repeated for other requests.
    @Test func `Each of 20 requests in a row is resent when its kept-alive connection has closed`() async throws {
        let listener = try SocketListener { connection in
            guard (try? connection.readHead()) != nil else { return }
            try? connection.write(reply(body: "ok"))
            // The second request finds that the kept connection ends.
            _ = try? connection.readHead()
        }
        defer { listener.stop() }
        for number in 1...20 {
            #expect(try await session.reply(to: ExchangeRequest(port: listener.port)).text == "ok")
            #expect(listener.acceptedConnections == number)
        }
    }
}
#endif
