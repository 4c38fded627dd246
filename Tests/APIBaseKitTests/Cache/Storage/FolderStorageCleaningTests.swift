import APIBaseKit
@testable import APIBaseCache
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct FolderStorageCleaningTests {
    private let folder = StorageFolder()
    private let block = 4_096

    private var keys: [ResponseKey] { (0..<32).map { ResponseKey("\($0)") } }

    /// The storages with the limit, each as in a process that has just begun.
    private func storage(blocks: Int) -> FolderStorage { FolderStorage(folder.url, bytes: blocks * block) }

    /// Stores a value for each of the keys; the first are the oldest.
    private func fill(secondsAgo: (Int) -> Double = { 1_000 - Double($0) }) async throws {
        let storage = storage(blocks: 1_000)
        for (index, key) in keys.enumerated() {
            try await storage.store(Data(repeating: 1, count: block - 1), for: key)
            try StorageFolder.date(folder.file(key), secondsAgo: secondsAgo(index))
        }
        await storage.flush()
    }

    private func stored() -> [Int] {
        keys.indices.filter { FileManager.default.fileExists(atPath: folder.file(keys[$0]).path) }
    }

    @Test func `Cleaning a cache folder removes the least recently used files down to 90% of the limit`() async throws {
        try await fill()
        let storage = storage(blocks: 20)
        // The first use: it is read, and so it is the newest.
        #expect(try await storage.data(for: keys[3]) != nil)
        await storage.flush()
        #expect(stored() == [3] + (15..<32))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).count <= 18)
    }

    @Test func `Cleaning a cache folder removes no file while the files are within the limit`() async throws {
        try await fill()
        let storage = storage(blocks: 32)
        #expect(try await storage.data(for: keys[3]) != nil)
        await storage.flush()
        #expect(stored() == Array(0..<32))
    }

    @Test func `A cache folder is cleaned again when a sixteenth of its limit has been written`() async throws {
        let storage = storage(blocks: 32)
        for (index, key) in keys.enumerated() {
            try await storage.store(Data(repeating: 1, count: block), for: key)
            await storage.flush()
            try StorageFolder.date(folder.file(key), secondsAgo: 1_000 - Double(index))
        }
        #expect(stored().count == 32)
        for index in 0..<3 { try await storage.store(Data(count: 1), for: ResponseKey("more \(index)")) }
        await storage.flush()
        // Of the three others, the cleaning may meet two or all.
        #expect((25...30).contains(stored().count))
        #expect(!stored().contains(0))
    }

    @Test func `Eight storages that clean a cache folder at the same time remove no more than one does`() async throws {
        try await fill()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let storage = storage(blocks: 20)
                    _ = try await storage.data(for: keys[31])
                    await storage.flush()
                }
            }
            try await group.waitForAll()
        }
        #expect(stored() == Array(14..<32))
    }

    @Test func `A read renews the modification date of a cache file at most once a minute`() async throws {
        // The first is less than a minute from now for as long as the test may take.
        try await fill { $0 == 0 ? -30 : 70 }
        let before = try dates()
        let storage = storage(blocks: 32)
        for key in keys { _ = try await storage.data(for: key) }
        await storage.flush()
        let after = try dates()
        #expect(after[0] == before[0])
        #expect(try #require(after[1]) > #require(before[1]))
    }

    private func dates() throws -> [Date?] {
        try keys.map { key in
            try FileManager.default.attributesOfItem(atPath: folder.file(key).path)[.modificationDate] as? Date
        }
    }

    @Test
    func `Temporary and trash files of crashed processes are removed from a cache folder after an hour`() async throws {
        try await fill()
        let names = ["temporary-1-a", "temporary-2-b", "trash-1-a", "trash-2-b", "other"]
        for (index, name) in names.enumerated() {
            let url = folder.root.appendingPathComponent(name)
            if name.hasPrefix("trash") {
                let inner = url.appendingPathComponent(keys[0].url)
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                try Data("text".utf8).write(to: inner.appendingPathComponent(keys[0].user))
            } else {
                try Data("text".utf8).write(to: url)
            }
            try StorageFolder.date(url, secondsAgo: index % 2 == 0 ? 3_660 : 3_540)
        }
        let storage = storage(blocks: 100)
        _ = try await storage.data(for: keys[0])
        await storage.flush()
        #expect(try folder.leftovers().sorted() == ["other", "temporary-2-b", "trash-2-b"])
        #expect(stored().count == 32)
    }

    @Test
    func `A value over a quarter of a folder storage's limit is not stored and removes the old value`() async throws {
        let storage = storage(blocks: 16)
        try await storage.store(Data("old".utf8), for: keys[0])
        try await storage.store(Data(count: 4 * block), for: keys[1])
        #expect(try await storage.data(for: keys[1])?.count == 4 * block)
        try await storage.store(Data(count: 4 * block + 1), for: keys[0])
        #expect(try await storage.data(for: keys[0]) == nil)
    }
}
