import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Downloads of several calls that are one download for the caller.
@Suite(.limited) struct DownloadVariantTests {
    private static let count = 100_000
    private let folder = DownloadFolder()

    @Test(.everySession) func `The progress of a download that is resumed never falls`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAfter = 30_000 })
        defer { server.stop() }
        let outcome = try await folder.download(from: server) { call in
            call.retry = RetryPolicy(attempts: 2, backoff: .none)
        }
        #expect(outcome.isWhole)
        let received = outcome.progress.map(\.received)
        #expect(received == received.sorted())
        #expect(outcome.progress.last ?? (0, 0) == (100_000, 100_000))
        try FileManager.default.removeItem(at: folder.file)
    }

    /// The body of the 503 has 40,000 bytes.
    @Test func `The body of a 503 between two parts of a download does not count as progress`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAfter = 60_000 })
        defer { server.stop() }
        server.change {
            $0.next = {
                FileServing(count: Self.count).with { serving in
                    serving.status = "503 Service Unavailable"
                    serving.next = { FileServing(count: Self.count) }
                }
            }
        }
        let outcome = try await folder.download(from: server) { call in
            call.retry = RetryPolicy(attempts: 3, backoff: .none)
        }
        #expect(outcome.isWhole)
        let received = outcome.progress.map(\.received)
        #expect(received == received.sorted())
        #expect(outcome.progress.allSatisfy { [0, 100_000].contains($0.expected) })
    }
}
