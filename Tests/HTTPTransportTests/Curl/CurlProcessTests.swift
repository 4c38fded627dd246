#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport
import Testing

/// What a session does in a process of its own, seen from outside.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CurlProcessTests {
    private func probe(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(#require(Children()?.program), arguments)
    }

    /// One for each loop, one for the deadlines, and one for each loop while a subscriber computes for long. On a machine
    /// that is busy with other things a thread may seem blocked that only waits for one of those: the best of three runs
    /// counts.
    @Test func threadsStayAtTheNumberOfLoopsAndAFewMore() async throws {
        let loops = CurlSession.Configuration().threads
        var most = Int.max
        for _ in 0..<3 where most > loops + 4 { most = min(most, try await threadsOfAService()) }
        #expect((2...loops + 4).contains(most), "\(most) threads of \(loops) loops")
    }

    /// The most threads of sessions that a service at work was seen with.
    private func threadsOfAService() async throws -> Int {
        let service = try probe("service", "60")
        let ended = Later<(output: Data, end: ChildProcess.End)>()
        let reading = Task { ended.set(try await OpenSSL.offPool { try service.finish() }) }
        defer { reading.cancel() }
        var most = 0
        for _ in 0..<200_000 where !ended.isSet {
            most = max(most, service.threadNames.count { $0 == "HTTPTransport" })
            await Task.yield()
        }
        let (output, end) = try await ended.value(within: 150)
        #expect(end == .exit(0))
        #expect(String(decoding: output, as: UTF8.self).contains("calls: 5760"))
        return most
    }

    @Test func aProcessWithoutDescriptorsSaysSoAndGoesOn() async throws {
        let (output, end) = try await OpenSSL.offPool { [self] in try probe("shortage").finish() }
        let text = String(decoding: output, as: UTF8.self)
        #expect(end == .exit(0), "\(text)")
        #expect(text.contains("No connection could be made") && text.contains("no file descriptor left"))
        #expect(text.hasSuffix("with: ok\n"))
    }
}
#endif
