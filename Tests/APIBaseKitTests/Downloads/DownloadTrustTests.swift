import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import APIBaseStreams
@testable import SafeFiles

/// Parts that others have put there, or may write.
@Suite(.tags(.concurrent), .limited) struct DownloadTrustTests {
    private static let count = 100_000
    private let folder = DownloadFolder()
    private let files = FileManager.default
    private static let isRoot = geteuid() == 0

    private func brokenOff() async throws -> FileServer {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = 40_000 })
        #expect(try await folder.download(from: server).error is TransportError)
        server.change { $0.breaksOffAt = nil }
        return server
    }

    private func failure(from server: FileServer) async throws -> DownloadFailure? {
        try await folder.download(from: server).error as? DownloadFailure
    }

    private static let evil = Data(repeating: UInt8(ascii: "E"), count: 40_000)

    /// What is done with a part that is left over.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (DownloadFolder) throws -> Void

        init(_ name: String, _ change: @escaping @Sendable (DownloadFolder) throws -> Void) {
            (testDescription, self.change) = (name, change)
        }
    }

    private static let replaced = [
        Change("another file in its place") { folder in
            let other = folder.url.appendingPathComponent("other")
            try evil.write(to: other)
            #expect(rename(other.path, folder.partial.path) == 0)
        },
        Change("a record that others may write") { #expect(chmod($0.info.path, 0o666) == 0) },
        Change("a record that the group may write") { #expect(chmod($0.info.path, 0o660) == 0) },
        Change("a record about another file") { folder in
            let text = try String(contentsOf: folder.info, encoding: .utf8)
            let changed = text.replacing(/"number":\d+/, with: "\"number\":1")
            #expect(changed != text)
            try Data(changed.utf8).write(to: folder.info)
        },
    ]

    @Test(arguments: replaced)
    func `A download starts again if its partial file was replaced or its resume data cannot be trusted`(
        _ change: Change
    ) async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        try change.change(folder)
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
        #expect(server.ranges == [nil, nil])
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: [0o666, 0o664, 0o620, 0o602, 0o777])
    func `A download fails with EPERM when its partial file is writable by other users`(mode: Int) async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        #expect(chmod(folder.partial.path, mode_t(mode)) == 0)
        let failure = try #require(try await failure(from: server))
        #expect(failure.reason == .file(.EPERM))
        #expect(failure.obstacle?.kind == .mode(UInt16(mode)))
        let text =
            "“file” cannot be written: “file.partial” can be written by other users (mode \(String(mode, radix: 8)))."
        #expect(failure.localizedDescription == text)
        #expect(server.requests.count == 1)
        #expect(try FileSample.isFile(folder.partial, 40_000))
        // Once it is the user's alone it is trusted again.
        #expect(chmod(folder.partial.path, 0o600) == 0)
        #expect(try await folder.download(from: server).isWhole)
        #expect(server.ranges == [nil, "bytes=40000-"])
    }

    @Test func `A download fails when its partial file has a second hard link`() async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        let other = folder.url.appendingPathComponent("other")
        try Self.evil.write(to: other)
        #expect(unlink(folder.partial.path) == 0 && link(other.path, folder.partial.path) == 0)
        #expect(try await failure(from: server)?.obstacle?.kind == .severalNames)
        #expect(try Data(contentsOf: other) == Self.evil)
    }

    @Test(.enabled(if: isRoot), arguments: [[true, false], [false, true], [true, true]])
    func `A download fails with EPERM for another user's partial file, with EEXIST for such resume data`(
        _ whose: [Bool]
    ) async throws {
        let server = try await brokenOff()
        defer { server.stop() }
        for (file, isOthers) in zip([folder.partial, folder.info], whose) where isOthers {
            #expect(chown(file.path, 65534, 65534) == 0)
        }
        let failure = try #require(try await failure(from: server))
        // What only looks like a part may be a file of the user's.
        #expect(failure.reason == .file(whose[0] ? .EPERM : .EEXIST))
        #expect(failure.obstacle?.kind == (whose[0] ? .user(65534) : .notAPart))
        if whose[0] {
            let text = "“file” cannot be written: “file.partial” belongs to another user (number 65534)."
            #expect(failure.localizedDescription == text)
        }
        #expect(server.requests.count == 1)
        #expect(try folder.names == ["file.partial", "file.partial-info"])
    }

    /// Whatever it says, and also where it cannot be removed.
    @Test(.enabled(if: isRoot), arguments: [0o777, 0o1777])
    func `Resume data of another user without a partial file does not prevent a download`(mode: Int) async throws {
        let server = try FileServer(FileServing(count: Self.count))
        defer { server.stop() }
        #expect(chmod(folder.url.path, mode_t(mode)) == 0)
        try Data("{}".utf8).write(to: folder.info)
        #expect(chown(folder.info.path, 65534, 65534) == 0 && chmod(folder.info.path, 0o666) == 0)
        #expect(try await folder.download(from: server).isWhole)
        #expect(try FileSample.isFile(folder.file, Self.count))
    }

    // MARK: Meanwhile

    /// What happens to the part of a download that is under way, and the reason that it then ends with.
    private func whole(_ change: (DownloadFolder) throws -> Void) async throws -> DownloadFailure.Reason? {
        try Data("old".utf8).write(to: folder.file)
        let server = try PausedFile(count: Self.count)
        defer { server.stop() }
        let download = try await RunningDownload(from: server.url, to: folder.file)
        try change(folder)
        server.goOn()
        let failure = try await download.failure()
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        return (failure as? DownloadFailure)?.reason
    }

    @Test func `A download fails with EEXIST when its partial file is replaced while it runs`() async throws {
        let reason = try await whole { folder in
            let other = folder.url.appendingPathComponent("other")
            try Self.evil.write(to: other)
            #expect(rename(other.path, folder.partial.path) == 0)
        }
        #expect(reason == .file(.EEXIST))
        #expect(try Data(contentsOf: folder.partial) == Self.evil)
    }

    @Test func `A download fails with ENOENT when its partial file is removed while it runs`() async throws {
        let reason = try await whole { unlink($0.partial.path) }
        #expect(reason == .file(.ENOENT))
    }

    @Test func `A download fails when a pipe is created at its target while it runs`() async throws {
        let server = try PausedFile(count: Self.count)
        defer { server.stop() }
        let download = try await RunningDownload(from: server.url, to: folder.file)
        #expect(mkfifo(folder.file.path, 0o600) == 0)
        server.goOn()
        #expect((try await download.failure() as? DownloadFailure)?.obstacle?.kind == .pipe)
        #expect(try folder.names == ["file", "file.partial", "file.partial-info"])
    }

    // MARK: Rights

    #if os(Linux)
    @Test(arguments: [("022", 0o644), ("002", 0o644), ("077", 0o600), ("000", 0o644)])
    func `A downloaded file and its partial file are not group-writable, and the umask takes other permissions away`(
        mask: String,
        permissions: Int
    ) async throws {
        let server = try FileServer(FileServing(count: Self.count).with { $0.breaksOffAt = 40_000 })
        defer { server.stop() }
        let program = try #require(Children()).program.path
        func run() async throws {
            let child = try ChildProcess(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", "umask \(mask); exec \"$@\"", "sh", program, "download", server.url.absoluteString]
                    + [folder.file.path, "quiet"]
            )
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "child").async { continuation.resume(returning: _ = child.wait()) }
            }
        }
        func rights(_ file: URL) throws -> Int? {
            try files.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }
        try await run()
        #expect(try rights(folder.partial) == permissions)
        #expect(try rights(folder.info) == 0o600)
        server.change { $0.breaksOffAt = nil }
        try await run()
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(try rights(folder.file) == permissions)
        #expect(try folder.names == ["file"])
    }
    #endif
}
