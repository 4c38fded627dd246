import APIBaseKit
@testable import APIBaseCache
import Basics
import HostileServer
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct FolderStorageTests {
    private let folder = StorageFolder()

    private var storage: FolderStorage { FolderStorage(folder.url) }

    @Test func `A value in a folder storage is found until it is replaced or removed`() async throws {
        let storage = storage
        let keys = [ResponseKey("a", "1"), ResponseKey("a", "2"), ResponseKey("b", "1")]
        for (index, key) in keys.enumerated() {
            #expect(try await storage.data(for: key) == nil)
            try await storage.store(Data("old \(index)".utf8), for: key)
            try await storage.store(Data("\(index)".utf8), for: key)
        }
        for (index, key) in keys.enumerated() {
            #expect(try await self.storage.data(for: key) == Data("\(index)".utf8))
        }
        try await storage.removeAll(for: keys[0].url)
        #expect(try await storage.data(for: keys[0]) == nil)
        #expect(try await storage.data(for: keys[1]) == nil)
        #expect(try await storage.data(for: keys[2]) == Data("2".utf8))
        try await storage.removeAll()
        #expect(try await storage.data(for: keys[2]) == nil)
        try await storage.store(Data(), for: keys[2])
        #expect(try await storage.data(for: keys[2]) == Data())
        #expect(try folder.leftovers().isEmpty)
    }

    @Test func `The storage folder is not created before the first value is stored`() async throws {
        let storage = storage
        let key = ResponseKey("a")
        #expect(try await storage.data(for: key) == nil)
        try await storage.removeAll(for: key.url)
        try await storage.removeAll()
        await storage.flush()
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    }

    @Test func `Files of a folder storage have mode 600 and their folders mode 700`() async throws {
        let key = ResponseKey("a")
        let below = folder.url.appendingPathComponent("b/c d")
        try await FolderStorage(below).store(Data("text".utf8), for: key)
        var mode = try permissions(below.appendingPathComponent("v2/\(key.group)/\(key.url)/\(key.user)"))
        #expect(mode == 0o600)
        for path in ["b", "b/c d", "b/c d/v2", "b/c d/v2/\(key.group)", "b/c d/v2/\(key.group)/\(key.url)"] {
            mode = try permissions(folder.url.appendingPathComponent(path))
            #expect(mode == 0o700)
        }
    }

    private func permissions(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test(arguments: [
        "", "a", "../../../etc/passwd", String(repeating: "a", count: 63), String(repeating: "a", count: 65),
        String(repeating: "A", count: 64), String(repeating: "g", count: 64), String(repeating: "/", count: 64),
        "../" + String(repeating: "a", count: 61), String(repeating: "a", count: 63) + "\u{0}",
        String(repeating: "\u{661}", count: 32), String(repeating: "a", count: 62) + "\u{E9}",
    ])
    func `A folder storage throws EINVAL for a key that is no SHA-256 digest, and creates no folder`(text: String)
        async throws
    {
        let digest = SHA256.hex(of: "a")
        for key in [ResponseKey(url: text, user: digest), ResponseKey(url: digest, user: text)] {
            await #expect(throws: POSIXError(.EINVAL)) { try await storage.data(for: key) }
            await #expect(throws: POSIXError(.EINVAL)) { try await storage.store(Data(), for: key) }
        }
        await #expect(throws: POSIXError(.EINVAL)) { try await storage.removeAll(for: text) }
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    }

    @Test
    func `Eight tasks that share a folder storage read only whole values and leave no temporary files`() async throws {
        let storage = FolderStorage(folder.url, bytes: 200_000)
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask { try await use(storage, seed: UInt64(task)) }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
        await storage.flush()
        #expect(try folder.leftovers().isEmpty)
    }

    /// Reads, writes and removes at random; how many values were not right.
    private func use(_ storage: FolderStorage, seed: UInt64) async throws -> Int {
        var numbers = RandomNumbers(seed: seed)
        var wrong = 0
        for step in 0..<load(1_000) {
            let (url, user) = (Int.random(in: 0..<2, using: &numbers), Int.random(in: 0..<2, using: &numbers))
            let key = ResponseKey(url: StorageSample.digest(url), user: StorageSample.digest(user))
            switch step % 20 {
            case 0: try await storage.removeAll(for: key.url)
            case 10 where step % 100 == 10: try await storage.removeAll()
            case 1..<10:
                let version = Int.random(in: 0..<1_000, using: &numbers)
                try await storage.store(StorageSample.value(url: url, user: user, version: version), for: key)
            default:
                guard let value = try await storage.data(for: key) else { continue }
                if StorageSample.version(of: value, url: url, user: user) == nil { wrong += 1 }
            }
        }
        return wrong
    }
}
