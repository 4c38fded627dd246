#if os(Linux)
import APIBaseKit
import HostileServer
import TestTiers
import Testing

/// Downloads by processes of their own, which are killed, or have no room.
@Suite(.limited) struct DownloadProcessTests {
    private static let settings = ProcessInfo.processInfo.environment
    /// For longer runs by hand.
    private static let count = settings["DOWNLOAD_BYTES"].flatMap { Int($0) } ?? 20_000_000
    private static let kills = settings["DOWNLOAD_KILLS"].flatMap { Int($0) } ?? (runsAllTests ? 10 : 3)
    private static let wait = settings["DOWNLOAD_WAIT"].flatMap { UInt32($0) } ?? 20_000
    private static let pause = settings["DOWNLOAD_PAUSE"].flatMap { UInt32($0) } ?? 500

    private let folder = DownloadFolder()

    /// The last byte is kept back, so that no download ends before it is killed.
    private static func serving(_ version: Int = 1) -> FileServing {
        FileServing(count: count).with { ($0.version, $0.pause, $0.waitsAt) = (version, pause, count - 1) }
    }

    /// The length of the partial file.
    private var partialCount: Int {
        (try? FileManager.default.attributesOfItem(atPath: folder.partial.path))?[.size] as? Int ?? 0
    }

    /// Starts a download, and kills it: at once, or some time after its first bytes have come.
    ///
    /// - Returns: How many bytes there are then.
    private func kill(_ server: FileServer, early: Bool = false) async throws -> Int {
        guard partialCount < Self.count - 1 else { return partialCount }
        let program = try #require(Children()).program
        let arguments = ["download", server.url.absoluteString, folder.file.path]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue(label: "killer").async {
                continuation.resume(
                    with: Result {
                        let child = try ChildProcess(program, arguments)
                        if !early { #expect(!child.output.availableData.isEmpty) }
                        // The moment is what is random here.
                        usleep(.random(in: 0...Self.wait))
                        child.send(SIGKILL)
                        _ = try child.finish()
                    }
                )
            }
        }
        return partialCount
    }

    private func finish(_ server: FileServer) async throws {
        server.change { ($0.pause, $0.waitsAt) = (0, nil) }
        let children = try #require(Children())
        let lines = try await children.run(["download", server.url.absoluteString, folder.file.path, "quiet"])
            .lines
        #expect(lines.first == "whole", "\(lines)")
        #expect(try folder.names == ["file"])
        if Self.settings["DOWNLOAD_BYTES"] != nil { print(lines, server.requests.count, server.sentBytes, Self.count) }
    }

    @Test func `A download whose process is killed repeatedly resumes and ends with an intact file`() async throws {
        let server = try FileServer(Self.serving())
        defer { server.stop() }
        // How much there was at the start of each process.
        var counts = [0]
        var round = 0
        // A process says that bytes have come before it writes them.
        while round < Self.kills || counts.last == 0 {
            counts.append(try await kill(server, early: round % 4 == 3))
            round += 1
        }
        try await finish(server)
        #expect(try FileSample.isFile(folder.file, Self.count))
        // Each has asked for what was not there. The request of one that was killed early may come late.
        var rest = counts
        for start in server.ranges.map({ $0.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0 }) {
            let place = try #require(rest.firstIndex(of: start), "\(start) of \(counts)")
            rest.remove(at: place)
        }
        #expect(counts == counts.sorted() && server.ranges.contains("bytes=\(counts.last ?? 0)-"))
    }

    @Test
    func `A repeatedly killed download ends with the newest version of a file that changes on the server`() async throws
    {
        let server = try FileServer(Self.serving())
        defer { server.stop() }
        for round in 0..<Self.kills {
            if round % 3 == 2 { server.change { $0 = Self.serving($0.version + 1) } }
            _ = try await kill(server)
        }
        try await finish(server)
        #expect(try FileSample.isFile(folder.file, Self.count, version: server.serving.version))
    }

    /// What is done with the files of a download that was killed, and what the next one then ends with; nil for the
    /// file.
    private static let plants: [(String, @Sendable (DownloadFolder) throws -> Void, String?)] = [
        ("nothing", { _ in }, nil),
        ("another part", { folder in try evil.write(to: folder.partial, options: .atomic) }, nil),
        ("no part", { unlink($0.partial.path) }, nil),
        ("no record", { unlink($0.info.path) }, "EEXIST"),
        ("a cut record", { truncate($0.info.path, 20) }, nil),
        ("a record for others", { chmod($0.info.path, 0o666) }, nil),
        ("a part for others", { chmod($0.partial.path, 0o666) }, "EPERM"),
        (
            "a link to a part",
            { folder in
                try FileManager.default.moveItem(at: folder.partial, to: folder.url.appendingPathComponent("other"))
                symlink("other", folder.partial.path)
            }, "ELOOP"
        ),
    ]

    private static let evil = Data(repeating: UInt8(ascii: "E"), count: 40_000)

    /// Without processes of their own, these are in ``DownloadTrustTests``.
    @Test(.heavy, arguments: plants)
    func `A download restarted after a kill starts over or fails if its partial file was tampered with`(
        name: String,
        _ plant: @Sendable (DownloadFolder) throws -> Void,
        error: String?
    ) async throws {
        let server = try FileServer(Self.serving())
        defer { server.stop() }
        while try await kill(server) == 0 {}
        try plant(folder)
        server.change { ($0.pause, $0.waitsAt) = (0, nil) }
        let arguments = ["download", server.url.absoluteString, folder.file.path, "quiet"]
        let lines = try await #require(Children()).run(arguments).lines
        if let error {
            #expect(lines.first?.contains(error) == true, "\(lines)")
            #expect(!FileManager.default.fileExists(atPath: folder.file.path))
        } else {
            #expect(lines.first == "whole", "\(lines)")
            #expect(try FileSample.isFile(folder.file, Self.count))
            #expect(try folder.names == ["file"])
        }
        #expect((server.ranges.last != .some(nil)) == (name == "nothing"))
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `A download that failed with ENOSPC resumes when the disk has room again`() async throws {
        let disk = try #require(SmallDisk(bytes: 400_000))
        let (file, filler) = (disk.url.appendingPathComponent("file"), disk.url.appendingPathComponent("filler"))
        let server = try FileServer(FileServing(count: 200_000))
        defer { server.stop() }
        try Data(count: 300_000).write(to: filler)
        let call = Call(base: server.url.absoluteString)
        #expect(try await DownloadOutcome(of: call, to: file).reason == .file(.ENOSPC))
        try FileManager.default.removeItem(at: filler)
        #expect(try await DownloadOutcome(of: call, to: file).isWhole)
        #expect(try FileSample.isFile(file, 200_000))
        #expect(server.ranges.last != .some(nil))
    }

    @Test
    func `A download that fails with EFBIG at the file size limit keeps the old file and the partial file`()
        async throws
    {
        let server = try FileServer(FileServing(count: 100_000))
        defer { server.stop() }
        try Data("old".utf8).write(to: folder.file)
        let children = try #require(Children())
        let arguments = ["download", server.url.absoluteString, folder.file.path, "60000"]
        let lines = try await children.run(arguments).lines
        #expect(
            lines.first.map { $0.hasPrefix("file(") && $0.contains("EFBIG") || $0.contains("\(EFBIG)") } == true,
            "\(lines)"
        )
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        #expect(try Data(contentsOf: folder.partial).count == 60_000)
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, 100_000))
        #expect(server.ranges == [nil, "bytes=60000-"])
    }

    /// It is measured in a process of its own, with a file of 100 MB.
    @Test(.heavy) func `The memory of a download does not grow with the size of the file`() async throws {
        let children = try #require(Children())
        var peaks: [Int] = []
        for count in [1_000_000, 100_000_000] {
            let server = try FileServer(FileServing(count: count).with { $0.chunk = 1 << 18 })
            let lines = try await children.run(["download", server.url.absoluteString, folder.file.path, "quiet"]).lines
            server.stop()
            #expect(lines.first == "whole", "\(lines)")
            peaks.append(lines.last.flatMap { Int($0.dropFirst("peak: ".count)) } ?? .max)
        }
        guard !isSanitized else { return }
        // Of the 100 MB no third is ever held; how much the buffers take beside them depends on the threads.
        #expect(peaks[1] - peaks[0] < 32 << 10, "\(peaks) KiB")
    }
}
#endif
