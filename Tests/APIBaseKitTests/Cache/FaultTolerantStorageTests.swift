import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

@testable import APIBaseCache
@testable import APIBaseCore

/// Storages that fail now and then: the answers, and the calls of the failure handler.
@Suite(.tags(.concurrent), .limited) struct FaultTolerantStorageTests {
    private struct Own: Error {}

    private enum Work: CaseIterable { case read, write, remove }

    /// A storage in memory, some of whose operations fail.
    private final class DictionaryStorage: ResponseStorage {
        let contents = Locked<[ResponseKey: Data]>([:])
        let failing = Locked<Set<Work>>([])
        let tried = Locked<[Work]>([])

        private func use<Value>(_ work: Work, _ body: (inout [ResponseKey: Data]) -> Value) throws -> Value {
            tried.withLock { $0.append(work) }
            if failing.withLock({ $0.contains(work) }) { throw Own() }
            return contents.withLockUnchecked(body)
        }

        func data(for key: ResponseKey) async throws -> Data? { try use(.read) { $0[key] } }
        func store(_ data: Data, for key: ResponseKey) async throws { try use(.write) { $0[key] = data } }
        func removeAll(for url: ResponseKey.URLDigest) async throws {
            try use(.remove) { $0 = $0.filter { $0.key.url != url } }
        }
        func removeAll() async throws { try use(.remove) { $0 = [:] } }
    }

    private let backend = DictionaryStorage()
    private let failures = Locked(0)

    private func cache(pause: Duration) -> ResponseCache {
        ResponseCache(backend, pause: pause) { [failures] _ in failures.withLock { $0 += 1 } }
    }

    /// A server that numbers its replies, and what a call of a method and path to it gets.
    private func withServer(
        _ cache: ResponseCache,
        _ body: (_ call: (HTTPMethod, String, Bool) async throws -> String) async throws -> Void
    ) async throws {
        let count = Locked(0)
        let server = try HTTPServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(number)", headers: HTTPFields(["Cache-Control": "max-age=3600"]))
        }
        defer { server.stop() }
        try await body { method, path, asksAnew in
            let call = CachedCall(method, base: "http://127.0.0.1:\(server.port)", cache)
            call.path = path
            if asksAnew { call.headers["Cache-Control"] = "no-cache" }
            return try await call.value()
        }
    }

    @Test
    func `After a failed write, the cache still answers, but tries no write until its pause is over`() async throws {
        let cache = cache(pause: .seconds(3_600))
        try await withServer(cache) { call in
            var texts = [try await call(.get, "/a", false)]
            backend.failing.withLock { $0 = [.write] }
            for path in ["/b", "/a", "/b", "/a"] { texts.append(try await call(.get, path, false)) }
            #expect(texts == ["1", "2", "1", "3", "1"])
        }
        #expect(failures.withLock { $0 } == 1)
        // One was stored, one could not be, and then no more was tried.
        #expect(backend.tried.withLock { $0.filter { $0 == .write }.count } == 2)
    }

    @Test func `The cache reads and writes its storage again when the pause after a failure is over`() async throws {
        let cache = cache(pause: .zero)
        try await withServer(cache) { call in
            backend.failing.withLock { $0 = [.read, .write] }
            var texts = [try await call(.get, "/a", false), try await call(.get, "/a", false)]
            backend.failing.withLock { $0 = [] }
            for _ in 0..<2 { texts.append(try await call(.get, "/a", false)) }
            #expect(texts == ["1", "2", "3", "3"])
        }
    }

    /// Each kind once, until it has worked.
    @Test
    func `The cache reports a failing storage once for reads and once for writes, until they succeed`() async throws {
        let cache = cache(pause: .zero)
        try await withServer(cache) { call in
            var told: [Int] = []
            for failing in [[], [.write], [.write], [], [.write], [.read], [.read], []] as [Set<Work>] {
                backend.failing.withLock { $0 = failing }
                _ = try await call(.get, "/\(told.count)", false)
                told.append(failures.withLock { $0 })
            }
            #expect(told == [0, 1, 1, 1, 2, 3, 3, 3])
        }
    }

    @Test func `A stored response is removed when the newer response cannot be written`() async throws {
        let cache = cache(pause: .seconds(3_600))
        try await withServer(cache) { call in
            for path in ["/a", "/b"] { _ = try await call(.get, path, false) }
            backend.failing.withLock { $0 = [.write] }
            // The first fails to be stored, and for the second that is not tried.
            for path in ["/a", "/b"] { _ = try await call(.get, path, true) }
            #expect(backend.contents.withLock { $0.isEmpty })
            let texts = [try await call(.get, "/a", false), try await call(.get, "/b", false)]
            #expect(texts == ["5", "6"])
        }
    }

    /// A reply that came while nothing could be read takes the place of what is stored all the same.
    @Test
    func `A stored response is not used after a newer one came while the storage could not be read`() async throws {
        let cache = cache(pause: .zero)
        try await withServer(cache) { call in
            var texts = [try await call(.get, "/a", false)]
            backend.failing.withLock { $0 = [.read] }
            texts.append(try await call(.get, "/a", true))
            backend.failing.withLock { $0 = [] }
            texts.append(try await call(.get, "/a", false))
            #expect(texts == ["1", "2", "3"])
        }
    }

    @Test func `PUT and DELETE also remove stored responses during the pause after a storage failure`() async throws {
        let cache = cache(pause: .seconds(3_600))
        try await withServer(cache) { call in
            for path in ["/a", "/b"] { _ = try await call(.get, path, false) }
            backend.failing.withLock { $0 = [.read] }
            _ = try await call(.get, "/a", false)
            backend.failing.withLock { $0 = [.read, .write] }
            _ = try await call(.put, "/a", false)
            #expect(backend.contents.withLock { $0.count } == 1)
            _ = try await call(.delete, "/b", false)
            #expect(backend.contents.withLock { $0.isEmpty })
        }
    }

    /// What could not be removed is, before anything else is read.
    @Test(arguments: [1, 1_100])
    func `A stored response whose removal failed is not used, and is removed before the next read`(count: Int)
        async throws
    {
        let cache = cache(pause: .zero)
        try await withServer(cache) { call in
            let first = try await call(.get, "/a", false)
            backend.failing.withLock { $0 = [.remove] }
            _ = try await call(.put, "/a", false)
            if count > 1 {
                let storage = FaultTolerantStorageTests.storage(of: cache)
                for number in 1..<count { await storage?.removeAll(for: "\(number)") }
            }
            #expect(backend.contents.withLock { $0.count } == 1)
            let second = try await call(.get, "/a", false)
            #expect(first == "1" && second == "3")
            backend.failing.withLock { $0 = [] }
            backend.tried.withLock { $0 = [] }
            let (third, fourth) = (try await call(.get, "/a", false), try await call(.get, "/a", false))
            #expect(third == "4" && fourth == "4")
            #expect(backend.tried.withLock { $0.first } == .remove)
            // Of more than a thousand nothing is known one by one.
            #expect(backend.tried.withLock { $0.filter { $0 == .remove }.count } == 1)
        }
        #expect(failures.withLock { $0 } == 1)
    }

    private static func storage(of cache: ResponseCache) -> FaultTolerantStorage? {
        guard case .storage(let storage) = cache.store(of: nil) else { return nil }
        return storage
    }

    @Test func `A removeAll() of the cache that failed is repeated before the next read`() async throws {
        let cache = cache(pause: .zero)
        try await withServer(cache) { call in
            _ = try await call(.get, "/a", false)
            backend.failing.withLock { $0 = [.remove] }
            await cache.removeAll()
            #expect(backend.contents.withLock { $0.count } == 1)
            backend.failing.withLock { $0 = [] }
            let text = try await call(.get, "/a", false)
            #expect(text == "2")
        }
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible))
    func `A cache on a full disk answers from its files, and stores responses again when space is free`() async throws {
        let disk = try #require(SmallDisk(bytes: 400_000))
        let filler = disk.url.appendingPathComponent("filler")
        let cache = ResponseCache(FolderStorage(disk.url.appendingPathComponent("cache")), pause: .zero) {
            [failures] error in
            #expect((error as? POSIXError)?.code == .ENOSPC)
            failures.withLock { $0 += 1 }
        }
        try await withServer(cache) { call in
            var texts = [try await call(.get, "/a", false), try await call(.get, "/b", false)]
            #expect(throws: (any Error).self) { try Data(count: 1_000_000).write(to: filler) }
            // What is there still answers, what is new is not stored, and what has changed is forgotten.
            for path in ["/a", "/c", "/c"] { texts.append(try await call(.get, path, false)) }
            texts.append(try await call(.put, "/a", false))
            for path in ["/a", "/b"] { texts.append(try await call(.get, path, false)) }
            try FileManager.default.removeItem(at: filler)
            for path in ["/a", "/a", "/c", "/c"] { texts.append(try await call(.get, path, false)) }
            // The room of what was removed may do for one more.
            #expect(texts.prefix(8) == ["1", "2", "1", "3", "4", "5", "6", "2"])
            #expect(texts[8] == texts[9] && texts[10] == texts[11])
        }
        #expect(failures.withLock { $0 } == 1)
    }
    #endif
}
