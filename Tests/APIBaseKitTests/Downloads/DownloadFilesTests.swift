import APIBaseKit
import HostileServer
import TestTiers
import Testing

/// Files and folders that are in the way.
@Suite(.tags(.concurrent), .limited) struct DownloadFilesTests {
    private static let count = 100_000
    private let folder = DownloadFolder()
    private let files = FileManager.default

    private func server(breaksOffAt end: Int? = nil) throws -> FileServer {
        try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = end })
    }

    private func reason(_ target: URL) async throws -> DownloadFailure.Reason? {
        let call = Call()
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data("new".utf8))
        let outcome = try await DownloadOutcome(of: call, to: target)
        #expect(outcome.isWhole == false)
        #expect(call.request == nil)
        return outcome.reason
    }

    @Test
    func `A download to a path that cannot be a file fails with a POSIX error and sends no request`() async throws {
        try Data("old".utf8).write(to: folder.file)
        let web = try #require(URL(string: "http://api.example/file"))
        let places: [(URL, POSIXErrorCode)] = [
            (folder.url, .EISDIR), (folder.url.appendingPathComponent("missing/file"), .ENOENT),
            (folder.file.appendingPathComponent("file"), .ENOTDIR), (URL(fileURLWithPath: "/"), .EISDIR),
            (folder.url.appendingPathComponent(String(repeating: "a", count: 250)), .ENAMETOOLONG), (web, .EINVAL),
        ]
        for (place, code) in places { #expect(try await reason(place) == .file(code), "\(place)") }
        #expect(try folder.names == ["file"])
    }

    @Test(.enabled(if: geteuid() != 0))
    func `A download into a folder without write permission fails with EACCES`() async throws {
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        #expect(try await reason(folder.file) == .file(.EACCES))
    }

    @Test
    func `A download fails with a POSIX error when a link, folder or pipe is in place of its partial file`()
        async throws
    {
        let outside = folder.url.appendingPathComponent("outside")
        try Data("outside".utf8).write(to: outside)
        try files.createSymbolicLink(at: folder.partial, withDestinationURL: outside)
        #expect(try await reason(folder.file) == .file(.ELOOP))
        #expect(try Data(contentsOf: outside) == Data("outside".utf8))
        try files.removeItem(at: folder.partial)
        try files.createSymbolicLink(atPath: folder.partial.path, withDestinationPath: "/dev/full")
        #expect(try await reason(folder.file) == .file(.ELOOP))
        try files.removeItem(at: folder.partial)
        try files.createDirectory(at: folder.partial, withIntermediateDirectories: false)
        #expect(try await reason(folder.file) == .file(.EISDIR))
        try files.removeItem(at: folder.partial)
        #expect(mkfifo(folder.partial.path, 0o600) == 0)
        #expect(try await reason(folder.file) == .file(.EINVAL))
        #expect(try folder.names == ["file.partial", "outside"])
    }

    /// What is in the way, and how the failure says it.
    private static let obstacles: [(String, @Sendable (DownloadFolder) -> Int32, String)] = [
        ("a pipe as a part", { mkfifo($0.partial.path, 0o600) }, "“file.partial” is a pipe"),
        ("a folder as a part", { mkdir($0.partial.path, 0o700) }, "“file.partial” is a folder"),
        ("a link as a part", { symlink("/dev/null", $0.partial.path) }, "“file.partial” is a symbolic link"),
        ("a pipe", { mkfifo($0.file.path, 0o600) }, "it is a pipe"),
        ("a folder", { mkdir($0.file.path, 0o700) }, "it is a folder"),
        ("a link to a device", { symlink("/dev/null", $0.file.path) }, "“null” is a device or a socket"),
        ("a dangling link", { symlink("nowhere", $0.file.path) }, "it is a symbolic link that leads nowhere"),
        ("a link to itself", { symlink("file", $0.file.path) }, "it is a symbolic link that leads nowhere"),
    ]

    @Test(arguments: obstacles)
    func `The error message of a download names the obstacle in its way, such as a pipe or a folder`(
        name: String,
        _ make: @Sendable (DownloadFolder) -> Int32,
        text: String
    ) async throws {
        #expect(make(folder) == 0)
        let outcome = try await DownloadOutcome(of: Call(), to: folder.file)
        #expect(outcome.error?.localizedDescription == "“file” cannot be written: \(text).")
    }

    @Test
    func `A download to a pipe or device fails with EINVAL, one to a link to a folder with EISDIR`() async throws {
        #expect(mkfifo(folder.file.path, 0o600) == 0)
        #expect(try await reason(folder.file) == .file(.EINVAL))
        #expect(try await reason(URL(fileURLWithPath: "/dev/null")) == .file(.EINVAL))
        try files.removeItem(at: folder.file)
        try files.createSymbolicLink(atPath: folder.file.path, withDestinationPath: "/dev/full")
        #expect(try await reason(folder.file) == .file(.EINVAL))
        try files.removeItem(at: folder.file)
        try files.createSymbolicLink(atPath: folder.file.path, withDestinationPath: folder.url.path)
        #expect(try await reason(folder.file) == .file(.EISDIR))
        #expect(try folder.names == ["file"])
    }

    @Test func `A download to a symbolic link writes to the file that the link points to`() async throws {
        let outside = folder.url.appendingPathComponent("outside")
        try Data("outside".utf8).write(to: outside)
        try files.createSymbolicLink(at: folder.file, withDestinationURL: outside)
        let server = try server()
        defer { server.stop() }
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(outside, Self.count))
        #expect(try files.destinationOfSymbolicLink(atPath: folder.file.path) == outside.path)
    }

    @Test
    func `A folder created at the target during a download makes the next download fail with EISDIR`() async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.waitsAt = 40_000 })
        defer { server.stop() }
        let download = try await RunningDownload(from: server.url, to: folder.file, count: 40_000)
        try files.createDirectory(at: folder.file, withIntermediateDirectories: false)
        download.cancel()
        server.change { $0.waitsAt = nil }
        #expect(try await folder.download(from: server).reason == .file(.EISDIR))
        try files.removeItem(at: folder.file)
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-"])
    }

    @Test
    func `Only 1 of 8 simultaneous downloads to the same file succeeds; the others fail with inUse`() async throws {
        let server = try PausedFile(count: Self.count)
        defer { server.stop() }
        let outcomes = try await withThrowingTaskGroup(of: DownloadOutcome.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await DownloadOutcome(of: Call(base: server.url.absoluteString), to: self.folder.file)
                }
            }
            var outcomes: [DownloadOutcome] = []
            for try await outcome in group {
                outcomes.append(outcome)
                // The one that has the file ends when the others have.
                if outcomes.count == 7 { server.goOn() }
            }
            return outcomes
        }
        #expect(outcomes.filter(\.isWhole).count == 1)
        #expect(outcomes.filter { $0.reason == .inUse }.count == 7)
        #expect(server.requests.count == 1)
        #expect(try FileSample.isFile(folder.file, Self.count))
    }

    // MARK: What is known

    private static let rubbish: [String] = [
        "", "{}", "[]", "null", "rubbish", "{\"url\":1}",
        "{\"url\":\"u\",\"validator\":\"\\\"v1\\\"\",\"total\":100000}",
        String(repeating: " ", count: 1 << 20),
    ]

    private func isWholeWith(_ info: (URL) throws -> Void) async throws {
        let server = try server(breaksOffAt: 40_000)
        defer { server.stop() }
        #expect(try await folder.download(from: server).error is TransportError)
        server.change { $0.breaksOffAt = nil }
        try info(folder.info)
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        try files.removeItem(at: folder.file)
    }

    @Test(arguments: rubbish)
    func `A download still saves the whole file when its resume data is garbage`(_ text: String) async throws {
        try await isWholeWith { try Data(text.utf8).write(to: $0) }
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [
        ("\"total\":100000", "\"total\":-1"), ("\"total\":100000", "\"total\":-9223372036854775808"),
        ("\"total\":100000", "\"total\":9223372036854775807"), ("\"total\":100000", "\"total\":0"),
        ("\"total\":100000", "\"total\":1e99"), ("v1", "v\\r\\nX-Other: 1"), ("v1", "ü"), ("\\\"v1\\\"", ""),
        ("v1", "v2"),
    ])
    func `A download still saves the whole file when the total or validator in its resume data is wrong`(
        _ part: String,
        _ other: String
    ) async throws {
        try await isWholeWith { info in
            let text = try String(contentsOf: info, encoding: .utf8)
            let changed = text.replacingOccurrences(of: part, with: other)
            #expect(changed != text)
            try Data(changed.utf8).write(to: info)
        }
    }

    @Test
    func `A download still saves the whole file when its resume data is replaced by a pipe or a folder`() async throws {
        try await isWholeWith { info in
            try files.removeItem(at: info)
            #expect(mkfifo(info.path, 0o600) == 0)
        }
        #expect(try folder.names.isEmpty)
        try await isWholeWith { info in
            try files.removeItem(at: info)
            try files.createDirectory(at: info, withIntermediateDirectories: false)
        }
    }

    @Test func `The resume data of a download contains neither query secrets nor the host`() async throws {
        let server = try server(breaksOffAt: 40_000)
        defer { server.stop() }
        _ = try await folder.download(from: server) { $0.query["key"] = "hidden" }
        let info = try String(contentsOf: folder.info, encoding: .utf8)
        #expect(!info.contains("hidden") && !info.contains("127.0.0.1"))
    }
}
