#if os(Linux)
import Basics
import Dispatch
import Foundation
import HostileServer
import HTTPTransport
import TestTiers
import Testing

/// A session in a separate process, seen from outside.
@Suite(.limited) struct CurlProcessTests {
    private func probe(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(#require(Children()?.program), arguments)
    }

    /// One for each loop, one for the deadlines, and one for each loop while a subscriber computes for long. On a
    /// machine that is busy with other things a thread may seem blocked that only waits for one of those: the best of
    /// five runs counts.
    @Test(.heavy, .disabled(if: isSanitized, "the sanitizer has short deliveries compute for long"))
    func `A busy CurlSession has at most four more threads than event loops`() async throws {
        let loops = CurlSession.Configuration().threads
        let range = 2...loops + 4
        var most = 0
        for _ in 0..<5 where !range.contains(most) {
            most = try await OpenSSL.offPool { [self] in try threadsOfAService() }
        }
        #expect(range.contains(most), "\(most) threads of \(loops) loops")
    }

    /// The most threads of sessions that a service at work was seen with. Blocks.
    private func threadsOfAService() throws -> Int {
        let service = try probe("service", "20")
        let isOver = Locked(false)
        let sampling = DispatchGroup()
        let counts = Locked(0)
        DispatchQueue(label: "samples").async(group: sampling) {
            for _ in 0..<100_000 where !isOver.withLock({ $0 }) {
                let count = service.threadNames.count { $0 == "HTTPTransport" }
                counts.withLock { $0 = max($0, count) }
                usleep(2_000)
            }
        }
        let (output, end) = try service.finish()
        isOver.withLock { $0 = true }
        sampling.wait()
        #expect(end == .exit(0))
        #expect(String(decoding: output, as: UTF8.self).contains("calls: 1920"))
        return counts.withLock { $0 }
    }

    /// With a new session: the old one's threads are not there.
    @Test(.disabled(if: isSanitized, "the sanitizer ends a forked process that starts threads"))
    func `A new CurlSession in a forked child process completes its requests`() async throws {
        let (output, end) = try await OpenSSL.offPool { [self] in try probe("forkandgoon").finish() }
        #expect(end == .exit(0))
        #expect(String(decoding: output, as: UTF8.self) == "child: 7, signal 0\n")
    }

    /// Old versions of libcurl write to lost connections without asking for no signal.
    @Test(.enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"))
    func `A lost TLS connection raises no SIGPIPE in the process`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"))
        let relay = try TLSRelay(to: server.port, patience: 1 << 20)
        defer {
            relay.stop()
            server.stop()
            authority.remove()
        }
        let (output, end) = try await OpenSSL.offPool { [self] in
            try probe("lostpipe", "https://localhost:\(relay.port)/", authority.certificate.path).finish()
        }
        #expect(String(decoding: output, as: UTF8.self) == "lost: 10\n")
        // Writes of the process itself still raise the signal.
        #expect(end == .signal(SIGPIPE))
    }

    @Test
    func `A request fails with a clear error while no file descriptor is free, and succeeds later`() async throws {
        let (output, end) = try await OpenSSL.offPool { [self] in try probe("shortage").finish() }
        let text = String(decoding: output, as: UTF8.self)
        #expect(end == .exit(0), "\(text)")
        #expect(text.contains("No connection could be made") && text.contains("no file descriptor left"))
        #expect(text.hasSuffix("with: ok\n"))
    }
}
#endif
