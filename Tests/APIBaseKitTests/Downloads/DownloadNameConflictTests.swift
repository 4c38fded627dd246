import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import APIBaseStreams
@testable import SafeFiles

/// Downloads whose files have the names of each other's parts.
@Suite(.tags(.concurrent), .limited) struct DownloadNameConflictTests {
    private static let count = 100_000
    private let folder = DownloadFolder()

    private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func failure(_ name: String, from server: FileServer) async throws -> DownloadFailure? {
        try await DownloadOutcome(of: Call(base: server.url.absoluteString), to: url(name)).error as? DownloadFailure
    }

    private func obstacle(_ kind: FileObstacle.Kind, _ name: String) -> FileObstacle {
        FileObstacle(kind, at: url(name).resolvingSymlinksInPath().path)
    }

    /// A download that has got as far as it can before the server continues.
    private func begun(_ name: String) async throws -> (FileServer, Outcome<URL, any Error>, AnyCancellable) {
        let server = try FileServer(FileServing(count: Self.count).with { $0.waitsAt = 40_000 })
        let outcome = Outcome<URL, any Error>()
        let download = outcome.subscribe(to: Call(base: server.url.absoluteString).download(to: url(name)))
        let part = url(name + ".partial").path
        #expect(
            try await holds {
                (try? FileManager.default.attributesOfItem(atPath: part))?[.size] as? Int == 40_000
            }
        )
        return (server, outcome, download)
    }

    /// The names of two downloads, of which the second is refused while the first is under way, and what is in its way.
    private static let pairs: [(String, String, FileObstacle.Kind?, String)] = [
        ("file", "file.partial", nil, "file.partial"), ("file", "file.partial-info", nil, "file.partial-info"),
        ("file.partial", "file", .target, "file.partial"), ("file.partial-info", "file", .target, "file.partial-info"),
    ]

    @Test(arguments: pairs)
    func `A download to file.partial fails with inUse while a download to file runs, and vice versa`(
        first: String,
        second: String,
        kind: FileObstacle.Kind?,
        place: String
    )
        async throws
    {
        let (server, outcome, download) = try await begun(first)
        defer { server.stop() }
        let other = try FileServer(FileServing(count: 60_000).with { $0.version = 2 })
        defer { other.stop() }
        let failure = try #require(try await failure(second, from: other))
        #expect(failure.reason == .inUse)
        let part = FileObstacle.Kind.part(of: url("file").resolvingSymlinksInPath())
        #expect(failure.obstacle == obstacle(kind ?? part, place))
        #expect(other.requests.isEmpty)
        #expect(outcome.completion == nil)
        download.cancel()
        server.change { $0.waitsAt = nil }
        let call = Call(base: server.url.absoluteString)
        #expect(try await DownloadOutcome(of: call, to: url(first)).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(try FileSample.isFile(url(first), Self.count))
        #expect(try folder.names == [first])
    }

    @Test(arguments: ["file.partial", "file.partial-info"])
    func `A download to a leftover partial file of another download fails with inUse`(name: String) async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = 40_000 })
        defer { server.stop() }
        #expect(try await folder.download(from: server).error is TransportError)
        server.change { $0.breaksOffAt = nil }
        let failure = try #require(try await failure(name, from: server))
        #expect(failure.reason == .inUse)
        #expect(failure.localizedDescription == "“\(name)” cannot be written: it is the part of a download to “file”.")
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(try FileSample.isFile(folder.file, Self.count))
    }

    @Test(arguments: ["file.partial", "file.partial-info"])
    func `A download fails with EEXIST when an ordinary file has the name of its partial file`(name: String)
        async throws
    {
        let server = try FileServer(FileServing(count: Self.count))
        defer { server.stop() }
        let call = Call(base: server.url.absoluteString)
        #expect(try await DownloadOutcome(of: call, to: url(name)).isWhole)
        let failure = try #require(try await failure("file", from: server))
        #expect(failure.reason == .file(.EEXIST))
        #expect(failure.obstacle == obstacle(.notAPart, name))
        #expect(try FileSample.isFile(url(name), Self.count))
        #expect(try folder.names == [name])
        #expect(server.requests.count == 1)
    }

    @Test func `A download to an unused name that ends in .partial succeeds`() async throws {
        let server = try FileServer(FileServing(count: Self.count))
        defer { server.stop() }
        for name in ["a.partial", "b.partial-info", ".partial", "A.PARTIAL"] {
            #expect(try await DownloadOutcome(of: Call(base: server.url.absoluteString), to: url(name)).isWhole)
            #expect(try FileSample.isFile(url(name), Self.count))
        }
    }

    /// Both at once, again and again: a download that reports success has the file.
    @Test func `Simultaneous downloads to file and file.partial report success only for an intact file`() async throws {
        let (one, two) = (try FileServer(FileServing(count: 30_000)), try FileServer(FileServing(count: 20_000)))
        two.change { $0.version = 2 }
        defer {
            one.stop()
            two.stop()
        }
        for _ in 0..<20 {
            async let first = DownloadOutcome(of: Call(base: one.url.absoluteString), to: url("file"))
            async let second = DownloadOutcome(of: Call(base: two.url.absoluteString), to: url("file.partial"))
            let (isFirst, isSecond) = (try await first, try await second)
            for (outcome, name, count, version) in [
                (isFirst, "file", 30_000, 1), (isSecond, "file.partial", 20_000, 2),
            ]
            where outcome.isWhole {
                #expect(try FileSample.isFile(url(name), count, version: version))
            }
            for outcome in [isFirst, isSecond] where !outcome.isWhole {
                #expect([.inUse, .file(.EEXIST)].contains(outcome.reason), "\(String(describing: outcome.error))")
            }
            for name in try folder.names { try FileManager.default.removeItem(at: url(name)) }
        }
    }
}
