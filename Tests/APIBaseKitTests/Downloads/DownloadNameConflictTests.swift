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

    @Test(arguments: ["file.partial", "file.partial-info", ".partial", "FILE.PARTIAL"])
    func `A download to a name that ends in .partial or .partial-info fails with EINVAL, without a request`(
        name: String
    ) async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = 40_000 })
        defer { server.stop() }
        #expect(try await folder.download(from: server).error is TransportError)
        server.change { $0.breaksOffAt = nil }
        let failure = try #require(try await failure(name, from: server))
        #expect(failure.reason == .file(.EINVAL) && failure.obstacle == obstacle(.partName, name))
        #expect(failure.localizedDescription == "“\(name)” cannot be written: it has the name of a partial file.")
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: ["file.partial", "file.partial-info"])
    func `A download fails with EEXIST when an ordinary file has the name of its partial file`(name: String)
        async throws
    {
        let server = try FileServer(FileServing(count: Self.count))
        defer { server.stop() }
        let contents = Data("mine".utf8)
        try contents.write(to: url(name))
        let failure = try #require(try await failure("file", from: server))
        #expect(failure.reason == .file(.EEXIST))
        #expect(failure.obstacle == obstacle(.notAPart, name))
        #expect(try Data(contentsOf: url(name)) == contents)
        #expect(try folder.names == [name])
        #expect(server.requests.isEmpty)
    }
}
