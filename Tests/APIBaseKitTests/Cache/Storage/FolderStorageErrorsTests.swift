import APIBaseKit
@testable import APIBaseCache
@testable import SafeFiles
import TestTiers
import Testing

/// Folders that can't be used, or that somebody has put something into.
@Suite(.limited) struct FolderStorageErrorsTests {
    private let folder = StorageFolder()
    private let key = ResponseKey("a")
    private let files = FileManager.default

    private var storage: FolderStorage { FolderStorage(folder.url) }

    /// A value in the folder, and another one outside, of which the path is returned.
    private func outside() async throws -> URL {
        try await storage.store(Data("inside".utf8), for: key)
        let outside = folder.url.appendingPathComponent("outside/\(key.url)")
        try files.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data("outside".utf8).write(to: outside.appendingPathComponent(key.user))
        return outside
    }

    @Test
    func `All operations of a folder storage fail with ENOTDIR if its folder is a file or below a file`() async throws {
        try files.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("file")
        try Data("text".utf8).write(to: file)
        for url in [file, file.appendingPathComponent("below"), file.appendingPathComponent("far/below")] {
            let storage = FolderStorage(url)
            await #expect(throws: POSIXError(.ENOTDIR)) { try await storage.store(Data(), for: key) }
            await #expect(throws: POSIXError(.ENOTDIR)) { try await storage.data(for: key) }
            await #expect(throws: POSIXError(.ENOTDIR)) { try await storage.removeAll(for: key.url) }
            await #expect(throws: POSIXError(.ENOTDIR)) { try await storage.removeAll() }
            await storage.flush()
        }
        #expect(try Data(contentsOf: file) == Data("text".utf8))
    }

    @Test(.enabled(if: geteuid() != 0))
    func `A write to a read-only cache folder fails with EACCES, and reads still succeed`() async throws {
        try await storage.store(Data("old".utf8), for: key)
        try files.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.root.path)
        defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.root.path) }
        await #expect(throws: POSIXError(.EACCES)) { try await storage.store(Data("new".utf8), for: key) }
        #expect(try await storage.data(for: key) == Data("old".utf8))
    }

    #if os(Linux)
    @Test func `FileDescriptor.write(_:) to a full device throws POSIXError ENOSPC`() throws {
        let full = FileDescriptor(open("/dev/full", O_WRONLY | O_CLOEXEC))
        #expect(throws: POSIXError(.ENOSPC)) { try full.write(Data("text".utf8)) }
    }

    @Test
    func `A FIFO in place of a cache file reads as nil without waiting, and the next write replaces it`() async throws {
        try await storage.store(Data("text".utf8), for: key)
        try files.removeItem(at: folder.file(key))
        #expect(mkfifo(folder.file(key).path, 0o600) == 0)
        #expect(try await storage.data(for: key) == nil)
        try await storage.store(Data("new".utf8), for: key)
        #expect(try await storage.data(for: key) == Data("new".utf8))
    }
    #endif

    @Test func `A cache file with a size of 4 TiB is read as nil and removed`() async throws {
        try await storage.store(Data("text".utf8), for: key)
        #expect(truncate(folder.file(key).path, 1 << 42) == 0)
        let storage = storage
        #expect(try await storage.data(for: key) == nil)
        await storage.flush()
        #expect(!files.fileExists(atPath: folder.file(key).path))
    }

    /// In place of the file, of its folder, of the group, and of the version's.
    @Test(arguments: 0..<4)
    func `Reading through a symbolic link inside a cache folder throws POSIXError and follows no link`(level: Int)
        async throws
    {
        let outside = try await outside()
        var (link, target) = (folder.file(key), outside.appendingPathComponent(key.user))
        for _ in 0..<level {
            link.deleteLastPathComponent()
            target.deleteLastPathComponent()
        }
        if level == 3 {
            try files.moveItem(at: outside, to: outside.deletingLastPathComponent().appendingPathComponent("x"))
        }
        try files.removeItem(at: link)
        try files.createSymbolicLink(at: link, withDestinationURL: target)
        let before = try files.subpathsOfDirectory(atPath: folder.url.appendingPathComponent("outside").path)

        let storage = storage
        await #expect(throws: POSIXError.self) { try await storage.data(for: key) }
        // What is stored replaces the link to a file; a link in place of a folder is an error.
        let isStored = (try? await storage.store(Data("new".utf8), for: key)) != nil
        #expect(isStored == (level == 0))
        if level == 0 { #expect(try await storage.data(for: key) == Data("new".utf8)) }
        try? await storage.removeAll(for: key.url)
        try? await storage.removeAll()
        await storage.flush()
        #expect(try files.subpathsOfDirectory(atPath: folder.url.appendingPathComponent("outside").path) == before)
        let kept = folder.url.appendingPathComponent("outside/\(level == 3 ? "x" : key.url)/\(key.user)")
        #expect(try Data(contentsOf: kept) == Data("outside".utf8))
    }

    @Test func `A folder storage with a negative limit stores nothing`() async throws {
        let storage = FolderStorage(folder.url, bytes: .min)
        try await storage.store(Data(), for: key)
        #expect(try await storage.data(for: key) == nil)
    }

    @Test func `A storage folder that is itself a symbolic link is followed`() async throws {
        let target = folder.url.appendingPathComponent("target")
        try files.createDirectory(at: target, withIntermediateDirectories: true)
        let link = folder.url.appendingPathComponent("link")
        try files.createSymbolicLink(at: link, withDestinationURL: target)
        try await FolderStorage(link).store(Data("text".utf8), for: key)
        #expect(try await FolderStorage(target).data(for: key) == Data("text".utf8))
    }
}
