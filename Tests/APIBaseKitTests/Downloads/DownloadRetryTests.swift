import APIBaseKit
@testable import APIBaseCore
@testable import APIBaseStreams
import Basics
import HostileServer
import TestTiers
import Testing

/// Downloads that go on within one call, because there is a retry policy; and digests.
@Suite(.limited) struct DownloadRetryTests {
    private static let count = 100_000
    private let folder = DownloadFolder()

    private func download(from server: FileServer, attempts: Int) async throws -> DownloadOutcome {
        try await folder.download(from: server) { $0.retry = RetryPolicy(attempts: attempts, backoff: .none) }
    }

    @Test(.everySession)
    func `A download continues beyond its retry limit while each attempt receives new bytes`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAfter = 30_000 })
        defer { server.stop() }
        let outcome = try await download(from: server, attempts: 2)
        #expect(outcome.isWhole, "\(String(describing: outcome.error))")
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges == [nil, "bytes=30000-", "bytes=60000-", "bytes=90000-"])
        #expect(server.sentBytes == Self.count)
        #expect(outcome.progress.last?.received == Int64(Self.count))
        try FileManager.default.removeItem(at: folder.file)
    }

    @Test func `A download with 3 attempts fails after 3 attempts in a row that receive no new bytes`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAfter = 30_000 })
        defer { server.stop() }
        server.change { $0.next = { FileServing(count: Self.count).with { $0.breaksOffAfter = 0 } } }
        #expect(try await download(from: server, attempts: 3).error is TransportError)
        #expect(server.ranges == [nil, "bytes=30000-", "bytes=30000-", "bytes=30000-"])
        #expect(try folder.names == ["file.partial", "file.partial-info"])
    }

    @Test func `A download whose file changes before each retry fails when its attempts are used up`() async throws {
        @Sendable func changing(_ version: Int) -> FileServing {
            FileServing(count: Self.count).with { serving in
                (serving.version, serving.breaksOffAt) = (version, 30_000)
                serving.next = { changing(version + 1) }
            }
        }
        let server = try FileServer(changing(1))
        defer { server.stop() }
        #expect(try await download(from: server, attempts: 3).error is TransportError)
        #expect(server.requests.count == 4)
    }

    @Test func `A download without an ETag or Last-Modified starts from the beginning on each retry`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { ($0.breaksOffAt, $0.tag) = (30_000, nil) })
        defer { server.stop() }
        #expect(try await download(from: server, attempts: 3).error is TransportError)
        // Each but the first has brought nothing further.
        #expect(server.ranges == [nil, nil, nil, nil])
        #expect(try folder.names.isEmpty)
        server.change { $0.next = { FileServing(count: Self.count).with { $0.tag = nil } } }
        #expect(try await download(from: server, attempts: 2).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
    }

    @Test func `A download by POST is not retried after a broken connection`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { ($0.breaksOffAt, $0.tag) = (30_000, nil) })
        defer { server.stop() }
        let outcome = try await folder.download(from: server) { call in
            call.method = .post
            call.retry = RetryPolicy(attempts: 3, backoff: .none)
        }
        #expect(outcome.error is TransportError)
        #expect(server.requests.count == 1)
    }

    /// Its ranges are of little use (RFC 10008, section 2.8).
    @Test func `A download by QUERY is retried from the beginning after a broken connection`() async throws {
        let server = try FileServer(
            FileServing(count: Self.count).with { serving in
                serving.breaksOffAt = 30_000
                serving.next = { FileServing(count: Self.count) }
            }
        )
        defer { server.stop() }
        let outcome = try await folder.download(from: server) { call in
            (call.method, call.content) = (.query, .data(Data("q".utf8), type: "text/plain"))
            call.retry = RetryPolicy(attempts: 3, backoff: .none)
        }
        #expect(outcome.isWhole)
        #expect(server.ranges == [nil, nil])
        #expect(server.requests.map(\.method) == ["QUERY", "QUERY"])
    }

    @Test func `A download that gets a 503 while resuming is retried from the same byte`() async throws {
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
        #expect(try await download(from: server, attempts: 3).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges == [nil, "bytes=60000-", "bytes=60000-"])
    }
}

/// What the server says of the whole (RFC 9530).
@Suite(.limited) struct DownloadDigestTests {
    private static let count = 100_000
    /// Of the first version.
    private static let digest = SHA256.digest(of: FileSample.bytes(0..<count))
    private static let right = FileServing.digest(Data(digest).base64EncodedString())
    private static let wrong = FileServing.digest(Data(digest.reversed()).base64EncodedString())
    private let folder = DownloadFolder()

    private func serving(_ fields: @escaping @Sendable (Bool) -> [String]) -> FileServing {
        FileServing(count: Self.count).with { $0.fields = fields }
    }

    @Test func `A download succeeds when its bytes match the digest in the Repr-Digest header`() async throws {
        let server = try FileServer(serving { _ in [Self.right] })
        defer { server.stop() }
        #expect(try await folder.download(from: server).isWhole)
    }

    @Test
    func `A download whose bytes do not match its Repr-Digest header fails and keeps the existing file`() async throws {
        let server = try FileServer(serving { _ in [Self.wrong] })
        defer { server.stop() }
        try Data("old".utf8).write(to: folder.file)
        #expect(try await folder.download(from: server).reason == .digest)
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        #expect(try folder.names == ["file"])
    }

    /// The reply that says the digest is the first, the second, or both. The tag stays when the file changes.
    @Test(arguments: [false, true], [[true], [false], [true, false]])
    func `The Repr-Digest of a resumed download is checked over all bytes of the file`(changes: Bool, said: [Bool])
        async throws
    {
        let server = try FileServer(serving { said.contains($0) ? [Self.right] : [] }.with { $0.breaksOffAt = 40_000 })
        defer { server.stop() }
        server.change { $0.tag = "\"same\"" }
        #expect(try await folder.download(from: server).error is TransportError)
        server.change { ($0.breaksOffAt, $0.version) = (nil, changes ? 2 : 1) }
        let outcome = try await folder.download(from: server)
        #expect(outcome.isWhole != changes)
        #expect(outcome.reason == (changes ? .digest : nil))
        #expect(try folder.names == (changes ? [] : ["file"]))
    }
}
