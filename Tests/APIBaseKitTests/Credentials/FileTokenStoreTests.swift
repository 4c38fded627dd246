import APIBaseKit
@testable import APIBaseSignIn
@testable import SafeFiles
import Basics
import HostileServer
import TestTiers
import Testing

/// The file of a token: who may read it, what is refused, and its lock.
@Suite(.tags(.concurrent), .limited) struct FileTokenStoreTests {
    private let folder = StorageFolder()
    private var file: URL { folder.url.appendingPathComponent("inner/token.json") }
    private var store: FileTokenStore { FileTokenStore(at: file) }

    private static let token = StoredToken(
        "a1",
        expiresAt: Date(timeIntervalSince1970: 1_700_000_000.123_456_7),
        refreshToken: "r1",
        server: "https://api.example:443"
    )

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func obstacle(_ work: () async throws -> Void) async -> FileObstacle.Kind? {
        let error = await #expect(throws: FileObstacle.self) { try await work() }
        return error?.kind
    }

    @Test
    func `A FileTokenStore loads what it stored, and replaces a token only if it is the expected one`() async throws {
        #expect(try await store.load() == nil)
        #expect(try await store.replace(nil, with: Self.token) == Self.token)
        #expect(try await store.load() == Self.token)
        let next = StoredToken("a2")
        #expect(try await store.replace(Self.token, with: next) == next)
        #expect(try await store.replace(Self.token, with: Self.token) == next)
        #expect(try await store.load() == next)
        try await store.removeAll()
        try await store.removeAll()
        #expect(try await store.load() == nil)
        await #expect(throws: CancellationError.self) { try await store.replace(next, with: next) }
    }

    @Test func `A token file has mode 600 and its folder mode 700, also after a replacement`() async throws {
        _ = try await store.replace(nil, with: Self.token)
        #expect(try mode(file) == 0o600)
        #expect(try mode(file.deletingLastPathComponent()) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        #expect(names.sorted() == ["token.json", "token.json.lock"])
        // Replaced, and not written into.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        _ = try await store.replace(Self.token, with: StoredToken("a2"))
        #expect(try mode(file) == 0o600)
    }

    @Test func `A symbolic link in place of the token file or of its lock fails with FileObstacle`() async throws {
        _ = try await store.replace(nil, with: Self.token)
        let other = folder.url.appendingPathComponent("other")
        try FileManager.default.moveItem(at: file, to: other)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        #expect(await obstacle { _ = try await store.load() } == .link)
        #expect(await obstacle { _ = try await store.replace(nil, with: Self.token) } == .link)
        try FileManager.default.removeItem(at: file)
        let lock = file.appendingPathExtension("lock")
        try FileManager.default.removeItem(at: lock)
        try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: other)
        #expect(await obstacle { _ = try await store.replace(nil, with: Self.token) } == .link)
    }

    @Test
    func `A token file fails with FileObstacle if all may write it, another user owns it or it is hard-linked`()
        async throws
    {
        _ = try await store.replace(nil, with: Self.token)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
        #expect(await obstacle { _ = try await store.load() } == .mode(0o666))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let second = folder.url.appendingPathComponent("second")
        try FileManager.default.linkItem(at: file, to: second)
        #expect(await obstacle { _ = try await store.load() } == .severalNames)
        try FileManager.default.removeItem(at: second)
        let inner = file.deletingLastPathComponent()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: inner.path)
        #expect(await obstacle { _ = try await store.load() } == .mode(0o777))
        #expect(await obstacle { _ = try await store.replace(Self.token, with: Self.token) } == .mode(0o777))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: inner.path)
        #expect(try await store.load() == Self.token)
        guard geteuid() == 0 else { return }
        chown(file.path, 12_345, 0)
        #expect(await obstacle { _ = try await store.load() } == .user(12_345))
    }

    @Test(arguments: ["", "{", "[]", #"{"value": 7}"#, #"{"access": "a"}"#, "long"])
    func `A token file without a valid token fails with notAToken until removeAll() removes it`(contents: String)
        async throws
    {
        _ = try await store.replace(nil, with: Self.token)
        let text = contents == "long" ? #"{"value": "\#(String(repeating: "x", count: 2 << 20))"}"# : contents
        try Data(text.utf8).write(to: file)
        #expect(await obstacle { _ = try await store.load() } == .notAToken)
        #expect(await obstacle { _ = try await store.replace(nil, with: Self.token) } == .notAToken)
        try await store.removeAll()
        #expect(try await store.load() == nil)
    }

    @Test func `A folder in place of the token file fails with FileObstacle`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(await obstacle { _ = try await store.load() } == .folder)
        await #expect(throws: (any Error).self) { try await store.replace(nil, with: Self.token) }
    }

    // MARK: The lock

    @Test func `Closures that twenty tasks pass to exclusively() of one token file run one at a time`() async throws {
        let running = Locked((now: 0, most: 0))
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let store = FileTokenStore(at: file)
                    try await store.exclusively {
                        running.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                        // Neither waits for the lock that the task has.
                        _ = try await store.replace(try await store.load(), with: Self.token)
                        try await store.exclusively { await Task.yield() }
                        running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1)
    }

    @Test func `Canceling a wait for the lock of a token file throws CancellationError`() async throws {
        let (began, goes) = (Later<Void>(), Later<Void>())
        let store = store
        let holder = Task {
            try await store.exclusively {
                began.set()
                try await goes.value()
            }
        }
        try await began.value()
        let waiting = Task { try await store.exclusively { Issue.record("It has not been released.") } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        goes.set()
        try await holder.value
        try await store.exclusively {}
    }

    /// A task that outlives the exclusive part has the lock no more.
    @Test
    func `A task that outlives an exclusively block of a FileTokenStore waits for the lock to write`() async throws {
        let (goes, store) = (Later<Void>(), store)
        let late = try await store.exclusively {
            Task {
                try await goes.value()
                _ = try await store.replace(nil, with: Self.token)
            }
        }
        let (began, ends) = (Later<Void>(), Later<Void>())
        let holder = Task {
            try await store.exclusively {
                began.set()
                try await ends.value()
            }
        }
        try await began.value()
        goes.set()
        // Time for one that does not wait.
        try await Task.sleep(for: .milliseconds(20))
        #expect(try await store.load() == nil)
        ends.set()
        try await holder.value
        try await late.value
        #expect(try await store.load() == Self.token)
    }
}
