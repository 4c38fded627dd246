import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

@testable import APIBaseCache
@testable import APIBaseCore
@testable import SafeFiles

/// Folders and files that others have made, or may write.
@Suite(.limited) struct FolderStorageTrustTests {
    private let folder = StorageFolder()
    private let key = ResponseKey("a")
    private static let isRoot = geteuid() == 0

    private var storage: FolderStorage { FolderStorage(folder.url) }

    /// The file, its folder, the group, and the version's folder.
    private func place(_ level: Int) -> URL {
        (0..<level).reduce(folder.file(key)) { url, _ in url.deletingLastPathComponent() }
    }

    private func isRefused(_ kind: FileObstacle.Kind, level: Int) async throws {
        let refusal = FileObstacle(kind, at: level == 3 ? folder.root.path : place(level).lastPathComponent)
        guard level > 0 else {
            // What others may have written is not read, and is replaced.
            #expect(try await storage.data(for: key) == nil)
            try await storage.store(Data("new".utf8), for: key)
            #expect(try await storage.data(for: key) == Data("new".utf8))
            return
        }
        let storage = storage
        await #expect(throws: refusal) { try await storage.data(for: key) }
        await #expect(throws: refusal) { try await storage.store(Data("new".utf8), for: key) }
        await storage.flush()
        #expect(try Data(contentsOf: folder.file(key)) == Data("old".utf8))
        #expect(try folder.leftovers().isEmpty)
    }

    @Test(arguments: 0..<4, [0o777, 0o770, 0o722, 0o1777])
    func `A cache folder that others may write throws FileObstacle; such a cache file is replaced`(
        level: Int,
        mode: Int
    )
        async throws
    {
        try await storage.store(Data("old".utf8), for: key)
        #expect(chmod(place(level).path, mode_t(mode)) == 0)
        try await isRefused(.mode(UInt16(mode)), level: level)
    }

    @Test(.enabled(if: isRoot), arguments: 0..<4)
    func `A cache folder of another user throws FileObstacle; a cache file of another user is replaced`(level: Int)
        async throws
    {
        try await storage.store(Data("old".utf8), for: key)
        #expect(chown(place(level).path, 65534, 65534) == 0)
        try await isRefused(.user(65534), level: level)
    }

    @Test func `A cache file that others may read but not write is still read`() async throws {
        try await storage.store(Data("old".utf8), for: key)
        for level in 0..<4 { #expect(chmod(place(level).path, level == 0 ? 0o644 : 0o755) == 0) }
        #expect(try await storage.data(for: key) == Data("old".utf8))
    }

    /// As people make them with a mask of 002, and others in a folder for all.
    @Test(arguments: [0o755, 0o775, 0o777, 0o1777])
    func `FolderStorage works in a parent folder that all may write or that another user owns`(mode: Int) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        #expect(chmod(folder.url.path, mode_t(mode)) == 0)
        if Self.isRoot { #expect(chown(folder.url.path, 65534, 65534) == 0) }
        try await storage.store(Data("text".utf8), for: key)
        #expect(try await storage.data(for: key) == Data("text".utf8))
        try await storage.removeAll(for: key.url)
        #expect(try await storage.data(for: key) == nil)
    }

    @Test func `The description of a FileObstacle has the file's name and its refused owner or mode`() {
        let texts = [FileObstacle.Kind.user(7), .mode(0o770)].map { FileObstacle($0, at: "v1").localizedDescription }
        #expect(
            texts == ["“v1” belongs to another user (number 7).", "“v1” can be written by other users (mode 770)."]
        )
    }

    @Test
    func `FolderStorage reads a folder in place of a stored file as nil and replaces it when it stores`() async throws {
        try await storage.store(Data("old".utf8), for: key)
        try FileManager.default.removeItem(at: folder.file(key))
        let inner = folder.file(key).appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        #expect(try await storage.data(for: key) == nil)
        try await storage.store(Data("new".utf8), for: key)
        #expect(try await storage.data(for: key) == Data("new".utf8))
    }

    /// All of it can be computed: the digests of the URL and of no credentials, and the digest that seals it.
    @Test(.enabled(if: isRoot), arguments: [true, false])
    func `A cache on disk does not serve a forged response whose file belongs to another user`(all: Bool)
        async throws
    {
        let server = try HTTPServer { _ in .text("real", headers: HTTPFields(["Cache-Control": "max-age=3600"])) }
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        #expect(try await CachedCall(base: base, ResponseCache(storage)).value() == "real")
        let paths = try #require(FileManager.default.subpaths(atPath: folder.url.path)?.sorted())
        let file = folder.url.appendingPathComponent(try #require(paths.last))
        let stored = try #require(StoredResponses(Data(contentsOf: file))?.responses.first)
        let forged = StoredResponse(method: .get, varying: [:], stored.head, body: Data("forged".utf8))
        try StoredResponses([forged]).bytes.write(to: file)
        do {
            let text = try await CachedCall(base: base, ResponseCache(storage)).value()
            #expect(text == "forged", "It would be served if it were the user's own.")
        }
        for path in all ? paths : Array(paths.suffix(1)) {
            #expect(chown(folder.url.appendingPathComponent(path).path, 65534, 65534) == 0)
        }
        let failures = Locked<[any Error]>([])
        let cache = ResponseCache(storage) { error in failures.withLock { $0.append(error) } }
        for _ in 0..<3 {
            let text = try await CachedCall(base: base, cache).value()
            #expect(text == "real")
        }
        #expect(
            failures.withLock { $0.map { $0 as? FileObstacle } }
                == (all ? [FileObstacle(.user(65534), at: folder.root.path)] : [])
        )
    }
}
