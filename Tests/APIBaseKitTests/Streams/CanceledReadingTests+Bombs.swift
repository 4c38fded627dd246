import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Compressed responses that grow without end, for what reads a response. Here, since a cancel of all calls ends these
/// too.
extension CanceledReadingTests {
    /// A server of gzip's shortest code for zeros, without end.
    private static func bomb(_ reading: Reading) throws -> ScriptedServer {
        try ScriptedServer { _, connection, _ in
            try connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: \(reading.type)\r\nContent-Encoding: gzip\r\n\r\n"
            )
            try connection.write(Gzip.endlessZeros.start)
            let more = (0..<1_000).flatMap { _ in Gzip.endlessZeros.more }
            for _ in 0..<10_000 { try connection.write(more) }
        }
    }

    /// Each reads 16 or 32 MB, which takes its time.
    @Test(arguments: runsAllTests ? Reading.allCases : [.replyEvents])
    func `An endless gzip response fails with eventTooLong at 16 MiB of events, else tooLarge at 32 MiB`(
        _ reading: Reading
    )
        async throws
    {
        #if os(Linux)
        // Foundation decompresses without end before it tells of a byte.
        guard !(EverySession.current is URLSession) else { return }
        #endif
        let server = try Self.bomb(reading)
        defer { server.stop() }
        let alive = Alive()
        do {
            try await reading.loop(server.url(""), alive) { _ in Issue.record("a value") }
            Issue.record("an end")
        } catch RequestError.eventTooLong(let limit) {
            #expect(reading.isOfEvents && limit == 1 << 24)
        } catch let error as TransportError {
            #expect(!reading.isOfEvents && error.reason == .tooLarge(.responseBytes, limit: 32 << 20))
        }
        #expect(try await holds { server.openConnections == 0 && alive.count == 0 })
    }
}
