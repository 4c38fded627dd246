import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Caches that keep their replies elsewhere.
@Suite(.tags(.concurrent), .limited) struct CacheStorageTests {
    private struct Own: Error {}

    /// A storage in memory, whose operations may fail or change the bytes.
    private final class DictionaryStorage: ResponseStorage {
        let contents = Locked<[ResponseKey: Data]>([:])
        let failure = Locked<(any Error)?>(nil)
        let calls = Locked(0)

        private func use<Value>(_ body: (inout [ResponseKey: Data]) -> Value) throws -> Value {
            calls.withLock { $0 += 1 }
            if let failure = failure.withLock({ $0 }) { throw failure }
            return contents.withLockUnchecked(body)
        }

        func data(for key: ResponseKey) async throws -> Data? { try use { $0[key] } }
        func store(_ data: Data, for key: ResponseKey) async throws { try use { $0[key] = data } }
        func removeAll(for url: ResponseKey.URLDigest) async throws {
            try use { $0 = $0.filter { $0.key.url != url } }
        }
        func removeAll() async throws { try use { $0 = [:] } }
    }

    private func withServer(_ body: (_ base: String, _ sent: () -> Int) async throws -> Void) async throws {
        let count = Locked(0)
        let server = try HTTPServer { request in
            count.withLock { $0 += 1 }
            let etag = "\"1\""
            if request.headers.values(for: "If-None-Match") == [etag] { return .text("", status: 304) }
            return .text(request.path, headers: HTTPFields(["Cache-Control": "max-age=3600", "ETag": etag]))
        }
        defer { server.stop() }
        try await body("http://127.0.0.1:\(server.port)") { count.withLock { $0 } }
    }

    @Test
    func `A new cache answers from the files in its folder until a PUT or removeAll() removes them`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withServer { base, sent in
            for _ in 0..<3 {
                let cache = ResponseCache(FolderStorage(folder))
                do {
                    let text = try await CachedCall(base: base, cache).value()
                    #expect(text == "/x")
                }
            }
            #expect(sent() == 1)
            _ = try await CachedCall(.put, base: base, ResponseCache(FolderStorage(folder))).value()
            do {
                let text = try await CachedCall(base: base, ResponseCache(FolderStorage(folder))).value()
                #expect(text == "/x")
            }
            #expect(sent() == 3)
            await ResponseCache(FolderStorage(folder)).removeAll()
            do {
                let text = try await CachedCall(base: base, ResponseCache(FolderStorage(folder))).value()
                #expect(text == "/x")
            }
            #expect(sent() == 4)
        }
    }

    @Test func `A cache storage gets keys of 64 hexadecimal digits for the URL and for the credentials`() async throws {
        let backend = DictionaryStorage()
        try await withServer { base, _ in
            let call = CachedCall(base: base, ResponseCache(backend))
            call.authorization = .bearer("canary4711")
            _ = try await call.value()
        }
        let keys = backend.contents.withLock { Array($0.keys) }
        #expect(keys.count == 1)
        #expect(keys.allSatisfy { [$0.url, $0.user].allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil } })
    }

    @Test
    func `A cache storage that failed is not called by the next calls, and its error is reported once`() async throws {
        let backend = DictionaryStorage()
        backend.failure.withLock { $0 = Own() }
        let failures = Locked(0)
        let cache = ResponseCache(backend) { error in
            #expect(error is Own)
            failures.withLock { $0 += 1 }
        }
        try await withServer { base, sent in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await CachedCall(base: base, cache).value() } }
                for try await text in group { #expect(text == "/x") }
            }
            #expect(sent() == 20)
        }
        #expect(failures.withLock { $0 } == 1)
        let calls = backend.calls.withLock { $0 }
        try await withServer { base, _ in _ = try await CachedCall(base: base, cache).value() }
        #expect(backend.calls.withLock { $0 } == calls)
    }

    @Test func `A cache storage stays in use after it throws CancellationError`() async throws {
        let backend = DictionaryStorage()
        backend.failure.withLock { $0 = CancellationError() }
        let cache = ResponseCache(backend) { _ in Issue.record("The cache is off.") }
        try await withServer { base, sent in
            _ = try await CachedCall(base: base, cache).value()
            backend.failure.withLock { $0 = nil }
            for _ in 0..<2 { _ = try await CachedCall(base: base, cache).value() }
            #expect(sent() == 2)
        }
    }

    /// Under stubs, replies go into a memory of their own.
    @Test func `Calls answered by stubs are cached in memory, not in the cache's storage`() async throws {
        let backend = DictionaryStorage()
        let stubs = Stubs()
        stubs.on().answer(.text("1", headers: ["Cache-Control": "max-age=60"]))
        let cache = ResponseCache(backend)
        try await stubs.run { for _ in 0..<2 { _ = try await CachedCall(.get, cache).value() } }
        #expect(stubs.calls.count == 1)
        #expect(backend.calls.withLock { $0 } == 0)
    }

    @Test func `A cache in memory sends a call to the server again after removeAll()`() async throws {
        let cache = ResponseCache()
        try await withServer { base, sent in
            for _ in 0..<2 { _ = try await CachedCall(base: base, cache).value() }
            await cache.removeAll()
            _ = try await CachedCall(base: base, cache).value()
            #expect(sent() == 2)
        }
    }

    @Test
    func `A POST removes the responses to its URL and to the URL in Location from the cache storage`() async throws {
        let backend = DictionaryStorage()
        let count = Locked(0)
        let server = try HTTPServer { request in
            if request.method == "POST" { return .text("", status: 201, headers: HTTPFields(["Location": "/new"])) }
            count.withLock { $0 += 1 }
            return .text("1", headers: HTTPFields(["Cache-Control": "max-age=3600"]))
        }
        defer { server.stop() }
        func send(_ path: String, _ method: HTTPMethod = .get) async throws {
            let call = CachedCall(method, base: "http://127.0.0.1:\(server.port)", ResponseCache(backend))
            call.path = path
            _ = try await call.value()
        }
        for path in ["/x", "/new", "/x", "/new"] { try await send(path) }
        #expect(count.withLock { $0 } == 2)
        try await send("/x", .post)
        for path in ["/x", "/new"] { try await send(path) }
        #expect(count.withLock { $0 } == 4)
    }

    /// Another server decides for itself what has changed there.
    @Test func `A PUT redirected to another server does not invalidate that server's responses`() async throws {
        let count = Locked(0)
        let other = try HTTPServer { _ in
            count.withLock { $0 += 1 }
            return .text("1", headers: HTTPFields(["Cache-Control": "max-age=3600"]))
        }
        defer { other.stop() }
        let (elsewhere, cache) = ("http://127.0.0.1:\(other.port)", ResponseCache())
        let server = try HTTPServer { _ in
            .text("", status: 307, headers: HTTPFields(["Location": elsewhere + "/x"]))
        }
        defer { server.stop() }
        _ = try await CachedCall(base: elsewhere, cache).value()
        _ = try await CachedCall(.put, base: "http://127.0.0.1:\(server.port)", cache).value()
        #expect(count.withLock { $0 } == 2)
        _ = try await CachedCall(base: elsewhere, cache).value()
        #expect(count.withLock { $0 } == 2)
    }

    /// Whatever error a storage has for it.
    @Test func `A cache storage stays in use if it throws its own error after its call is canceled`() async throws {
        let storage = Interrupted()
        let cache = ResponseCache(storage) { _ in Issue.record("The cache is off.") }
        let outcome = Outcome<String, any Error>()
        let subscription = outcome.subscribe(to: CachedCall(base: "http://127.0.0.1:1", cache).start())
        #expect(try await holds { storage.reads.withLock { $0 } == 1 })
        subscription.cancel()
        #expect(try await holds { storage.failures.withLock { $0 } == 1 })
        // Asked again, it is still there.
        storage.isEmpty.withLock { $0 = true }
        try await withServer { base, _ in _ = try await CachedCall(base: base, cache).value() }
        #expect(storage.reads.withLock { $0 } > 1)
    }

    /// Reads until it is interrupted, and then fails with an error of its own.
    private final class Interrupted: ResponseStorage {
        let (reads, failures, isEmpty) = (Locked(0), Locked(0), Locked(false))

        func data(for key: ResponseKey) async throws -> Data? {
            reads.withLock { $0 += 1 }
            if isEmpty.withLock({ $0 }) { return nil }
            try? await Task.sleep(for: .seconds(3_600))
            failures.withLock { $0 += 1 }
            throw Own()
        }

        func store(_ data: Data, for key: ResponseKey) async throws {}
        func removeAll(for url: ResponseKey.URLDigest) async throws {}
        func removeAll() async throws {}
    }

    @Test
    func `A PUT redirected on the same server invalidates stored responses to the redirect's target`() async throws {
        let count = Locked(0)
        let server = try HTTPServer { request in
            if request.method == "PUT", request.path == "/x" {
                return .text("", status: 307, headers: HTTPFields(["Location": "/end"]))
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(number)", headers: HTTPFields(["Cache-Control": "max-age=3600"]))
        }
        defer { server.stop() }
        let (base, cache) = ("http://127.0.0.1:\(server.port)", ResponseCache())
        func read() async throws -> String {
            let call = CachedCall(base: base, cache)
            call.path = "/end"
            return try await call.value()
        }
        let before = [try await read(), try await read()]
        _ = try await CachedCall(.put, base: base, cache).value()
        let after = try await read()
        #expect(before == ["1", "1"])
        #expect(after == "3")
    }

    @Test func `A cache in a folder below a file reports one failure, and calls still get responses`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let failures = Locked(0)
        let cache = ResponseCache(FolderStorage(file.appendingPathComponent("below"))) { _ in
            failures.withLock { $0 += 1 }
        }
        try await withServer { base, _ in
            for _ in 0..<3 {
                let text = try await CachedCall(base: base, cache).value()
                #expect(text == "/x")
            }
        }
        #expect(failures.withLock { $0 } == 1)
    }

    @Test(arguments: [Data(), Data("garbage".utf8), Data(count: 100_000)])
    func `Stored cache bytes that cannot be decoded are replaced by a new response of the server`(bytes: Data)
        async throws
    {
        let backend = DictionaryStorage()
        let cache = ResponseCache(backend)
        try await withServer { base, sent in
            _ = try await CachedCall(base: base, cache).value()
            backend.contents.withLock { contents in contents = contents.mapValues { _ in bytes } }
            for _ in 0..<2 {
                let text = try await CachedCall(base: base, cache).value()
                #expect(text == "/x")
            }
            #expect(sent() == 2)
        }
    }

    #if os(Linux)
    @Test func `Calls that validate a stored response reuse one connection`() async throws {
        let server = try HTTPServer { request in
            if request.headers.values(for: "If-None-Match").first != nil { return .text("", status: 304) }
            return .text("text", headers: HTTPFields(["Cache-Control": "no-cache", "ETag": "\"1\""]))
        }
        defer { server.stop() }
        let cache = ResponseCache()
        let session = CurlSession()
        for _ in 0..<20 {
            let call = CachedCall(base: "http://127.0.0.1:\(server.port)", cache)
            call.session = session
            do {
                let text = try await call.value()
                #expect(text == "text")
            }
        }
        #expect(server.acceptedConnections == 1)
    }
    #endif

    /// What a redirect led to is not stored under the URL that led there.
    @Test func `A response reached by a redirect is not stored under the URL that redirected to it`() async throws {
        let count = Locked(0)
        let server = try HTTPServer { request in
            count.withLock { $0 += 1 }
            guard request.path == "/x" else {
                return .text("end", headers: HTTPFields(["Cache-Control": "max-age=3600"]))
            }
            return .text("", status: 302, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        let cache = ResponseCache()
        for _ in 0..<2 {
            do {
                let text = try await CachedCall(base: "http://127.0.0.1:\(server.port)", cache).value()
                #expect(text == "end")
            }
        }
        #expect(count.withLock { $0 } == 4)
    }
}
