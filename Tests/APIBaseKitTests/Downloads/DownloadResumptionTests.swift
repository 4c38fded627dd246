import APIBaseKit
import HostileServer
import TestTiers
import Testing

/// Downloads that go on where another has broken off.
@Suite(.limited) struct DownloadResumptionTests {
    private static let count = 100_000
    private static let part = 40_000
    private let folder = DownloadFolder()

    /// A server whose file has broken off, which leaves a part only if it is of use.
    private func brokenOff(
        leavesPart: Bool = true,
        _ change: (inout FileServing) -> Void = { _ in }
    ) async throws -> FileServer {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = Self.part }.with(change))
        let outcome = try await folder.download(from: server)
        #expect(outcome.error is TransportError)
        #expect(try folder.names == (leavesPart ? ["file.partial", "file.partial-info"] : []))
        if leavesPart { #expect(try Data(contentsOf: folder.partial).count == Self.part) }
        server.change { $0.breaksOffAt = nil }
        return server
    }

    @Test(.everySession)
    func `An interrupted download resumes with a Range request that begins after the last received byte`() async throws
    {
        let server = try await brokenOff()
        defer { server.stop() }
        let outcome = try await folder.download(from: server)
        #expect(outcome.isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(try folder.names == ["file"])
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(server.requests.map { $0["If-Range"] } == [nil, "\"v1\""])
        #expect(server.sentBytes == Self.count)
        let progress = outcome.progress.filter { $0.received > 0 }
        #expect(progress.allSatisfy { $0.received > Self.part && $0.expected == Self.count })
        #expect(progress.last?.received == Int64(Self.count))
        try FileManager.default.removeItem(at: folder.file)
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var version = 1
        /// Whether the reply is of no use, and all has to be asked for again.
        var asksAgain = true
        let change: @Sendable (inout FileServing) -> Void

        init(
            _ name: String,
            version: Int = 1,
            asksAgain: Bool = true,
            _ change: @escaping @Sendable (inout FileServing) -> Void
        ) {
            (testDescription, self.version, self.asksAgain, self.change) = (name, version, asksAgain, change)
        }
    }

    private static func range(_ range: @escaping @Sendable (Int, Int) -> String)
        -> @Sendable (inout FileServing) -> Void
    {
        { $0.contentRange = range }
    }

    private static let changes = [
        Change("nothing", asksAgain: false) { _ in },
        Change("does not know parts any more", asksAgain: false) { $0.knowsRanges = false },
        Change("part in chunks", asksAgain: false) { $0.hasLength = false },
        Change("length not known", asksAgain: false, range { "bytes \($0)-\($1 - 1)/*" }),
        Change("another file", version: 2, asksAgain: false) { $0.version = 2 },
        Change("another file, If-Range ignored", version: 2) { ($0.version, $0.heedsIfRange) = (2, false) },
        Change("no tag any more, If-Range ignored", version: 2) {
            ($0.version, $0.heedsIfRange, $0.tag) = (2, false, nil)
        },
        Change("weak tag now, If-Range ignored") { ($0.heedsIfRange, $0.tag) = (false, "W/\"v*\"") },
        Change("a shorter file, If-Range ignored") { ($0.count, $0.heedsIfRange) = (30_000, false) },
        Change("the file ends where the part does") { ($0.count, $0.heedsIfRange) = (40_000, false) },
        Change("a longer file with the same tag") { $0.count = 100_001 },
        Change("another total", range { "bytes \($0)-\($1 - 1)/\($1 + 1)" }),
        Change("another beginning", range { "bytes \($0 - 1)-\($1 - 1)/\($1)" }),
        Change("the end is missing", range { "bytes \($0)-\($1 - 2)/\($1)" }),
        Change("another unit", range { "lines \($0)-\($1 - 1)/\($1)" }),
        Change("no numbers", range { _, _ in "rubbish" }),
        Change("too large numbers", range { _, _ in "bytes 40000-9223372036854775807/*" }),
        Change("compressed part") { $0.fields = { $0 ? ["Content-Encoding: gzip"] : [] } },
        Change("no such part") {
            $0.status = "416 Range Not Satisfiable"; $0.next = Self.good
        },
    ]

    private static let good: @Sendable () -> FileServing = { FileServing(count: count) }

    @Test(arguments: changes)
    func `A resumed download ends with the server's current file, even if the reply does not fit its Range`(
        _ change: Change
    )
        async throws
    {
        let server = try await brokenOff()
        defer { server.stop() }
        server.change(change.change)
        let count = server.serving.count
        let outcome = try await folder.download(from: server)
        #expect(outcome.isWhole, "\(String(describing: outcome.error))")
        #expect(try FileSample.isFile(folder.file, count, version: change.version))
        #expect(server.ranges == [nil, "bytes=40000-"] + (change.asksAgain ? [nil] : []))
        #expect(try folder.names == ["file"])
    }

    @Test(
        arguments: [
            ("W/\"v*\"", nil, nil), (nil, nil, nil), ("", nil, nil), ("v*", nil, "v1"), ("\"ä\"", nil, nil),
            ("\"a, b\"", nil, "\"a, b\""), (nil, "Sun, 06 Nov 1994 08:48:38 GMT", nil),
            (nil, "Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT"),
            (nil, "Mon, 07 Nov 1994 08:48:37 GMT", nil), (nil, "yesterday", nil),
            ("W/\"v*\"", "Sun, 06 Nov 1994 08:00:00 GMT", nil),
            ("\"v*\"", "Sun, 06 Nov 1994 08:00:00 GMT", "\"v1\""),
        ] as [(String?, String?, String?)]
    )
    func `A download resumes only with a strong ETag or Last-Modified as its validator`(
        tag: String?,
        modified: String?,
        condition: String?
    ) async throws {
        let server = try await brokenOff(leavesPart: condition != nil) { ($0.tag, $0.modified) = (tag, modified) }
        defer { server.stop() }
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges == [nil, condition.map { _ in "bytes=40000-" }])
        #expect(server.requests.last?["If-Range"] == condition)
    }

    @Test func `A download is not resumed when the server has sent Accept-Ranges: none`() async throws {
        let server = try await brokenOff(leavesPart: false) { $0.fields = { _ in ["Accept-Ranges: none"] } }
        defer { server.stop() }
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `A download by POST starts again from the beginning after an interruption`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = Self.part })
        defer { server.stop() }
        #expect(try await folder.download(from: server) { $0.method = .post }.error is TransportError)
        server.change { $0.breaksOffAt = nil }
        #expect(try await folder.download(from: server) { $0.method = .post }.isWhole)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `A download from another URL to the same file does not resume the partial file`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        #expect(try await folder.download(from: server) { $0.query["other"] = 1 }.isWhole)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `A download whose partial file is already complete requests only the last byte`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        try FileSample.bytes(0..<Self.count).write(to: folder.partial)
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges == [nil, "bytes=99999-"])
    }

    @Test func `A partial file longer than the whole file is discarded and the download starts again`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        try FileSample.bytes(0..<Self.count + 1).write(to: folder.partial)
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges == [nil, nil])
    }

    @Test func `A partial file is kept when the server answers a resumed download with a 503`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        server.change { $0.status = "503 Service Unavailable" }
        #expect(try await folder.download(from: server).error is RequestError)
        server.change { $0.status = nil }
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-", "bytes=40000-"])
    }

    @Test func `A resumed download fails when the server sends more bytes than Content-Range announces`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        server.change { serving in
            (serving.count, serving.hasLength) = (Self.count + 500_000, false)
            serving.contentRange = { start, _ in "bytes \(start)-\(Self.count - 1)/\(Self.count)" }
            // The rest does not come until it is read, so the client has to notice by itself.
            serving.waitsAt = Self.count + 100_000
        }
        guard case .length(Int64(Self.count), let received)? = try await folder.download(from: server).reason else {
            Issue.record("The length has not been checked.")
            return
        }
        #expect(received > Self.count && received <= Self.count + 100_000)
        #expect(try folder.names.isEmpty)
    }

    @Test
    func `A resumed download that gets fewer bytes than its Content-Range fails and can be resumed again`() async throws
    {
        let server = try await brokenOff()
        defer { server.stop() }
        server.change { serving in
            (serving.count, serving.hasLength) = (Self.count - 1_000, false)
            serving.contentRange = { start, _ in "bytes \(start)-\(Self.count - 1)/\(Self.count)" }
        }
        let reason = try await folder.download(from: server).reason
        #expect(reason == .length(expected: Int64(Self.count), received: Int64(Self.count - 1_000)))
        server.change { $0 = FileServing(count: Self.count) }
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges.last == "bytes=99000-")
    }

    @Test func `A resumed download with a Content-Length of Int.max fails and can be resumed again`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        server.change { ($0.length, $0.closes) = ({ _ in .max }, true) }
        #expect(try await folder.download(from: server).error is TransportError)
        server.change { $0 = FileServing(count: Self.count) }
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
    }

    @Test func `A failed download leaves no files when resuming is off`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        server.change { $0.breaksOffAt = 60_000 }
        #expect(try await folder.download(from: server, resuming: false).error is TransportError)
        #expect(try folder.names.isEmpty)
        server.change { $0.breaksOffAt = nil }
        #expect(try await folder.download(from: server, resuming: false).isWhole)
        #expect(server.ranges == [nil, nil, nil])
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(try folder.names == ["file"])
    }
}
