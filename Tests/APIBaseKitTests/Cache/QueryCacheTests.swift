import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The responses to `QUERY` in a cache (RFC 10008, section 2.7).
@Suite(.tags(.concurrent), .limited) struct QueryCacheTests {
    private let cache = ResponseCache()

    /// Numbers its answers, and says what was asked; a 304 if the tag is its own.
    private func stubs(_ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]) -> Stubs {
        let (stubs, count) = (Stubs(clock: .manual(movedWithin: nil)), Locked(0))
        stubs.on().answer { call in
            if let tag = headers["ETag"], call.headers["If-None-Match"] == tag { return .status(304, headers: headers) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(number)", headers: headers)
        }
        return stubs
    }

    private func query(
        _ text: String = "a",
        type: String = "application/sql",
        base: String = "http://api.example",
        in cache: ResponseCache? = nil,
        _ change: (CachedCall) -> Void = { _ in }
    ) -> CachedCall {
        let call = CachedCall(.query, base: base, cache ?? self.cache)
        call.content = .data(Data(text.utf8), type: type)
        change(call)
        return call
    }

    /// Each differs from the first in a thing that the key MUST have: the content, and its metadata (RFC 9110, section 8).
    static let others: [(what: String, isOther: Bool, change: @Sendable (CachedCall) -> Void)] = [
        ("nothing", false, { _ in }),
        ("a header that is no part of the key", false, { $0.headers["Accept"] = "a/b" }),
        ("its method", true, { ($0.method, $0.content) = (.get, nil) }),
        ("its URL", true, { $0.path = "/y" }),
        ("its body", true, { $0.content = .data(Data("b".utf8), type: "application/sql") }),
        ("an empty body", true, { $0.content = .data(Data(), type: "application/sql") }),
        ("its media type", true, { $0.content = .data(Data("a".utf8), type: "text/plain") }),
        ("a parameter of its type", true, { $0.content = .data(Data("a".utf8), type: "application/sql;v=2") }),
        ("its coding", true, { $0.headers["Content-Encoding"] = "br" }),
        ("its language", true, { $0.headers["content-language"] = "de" }),
        ("its location", true, { $0.headers["Content-Location"] = "/q" }),
        ("its credentials", true, { $0.authorization = .bearer("b") }),
    ]

    @Test(arguments: others.indices, [false, true])
    func `A stored response to QUERY answers the same content with the same metadata only, also from files`(
        index: Int,
        isInFiles: Bool
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let count = Locked(0)
        let server = try HTTPServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(number)", headers: HTTPFields(["Cache-Control": "max-age=60"]))
        }
        defer { server.stop() }
        let cache = isInFiles ? ResponseCache(FolderStorage(folder)) : ResponseCache()
        let base = "http://127.0.0.1:\(server.port)"
        let (_, isOther, change) = Self.others[index]
        let texts = [
            try await query(base: base, in: cache).value(), try await query(base: base, in: cache, change).value(),
            // Neither has replaced the other.
            try await query(base: base, in: cache).value(), try await query(base: base, in: cache, change).value(),
        ]
        #expect(texts == (isOther ? ["1", "2", "1", "2"] : ["1", "1", "1", "1"]))
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `A stored response to GET does not answer a QUERY, and one to QUERY no GET or HEAD`(method: HTTPMethod)
        async throws
    {
        let stubs = stubs()
        try await stubs.run {
            _ = try await CachedCall(.get, cache).value()
            let text = try await query().value()
            #expect(text == "2")
        }
        let (other, stubsOfQuery) = (ResponseCache(), self.stubs())
        try await stubsOfQuery.run {
            _ = try await query(in: other).value()
            _ = try await CachedCall(method, other).value()
        }
        #expect(stubsOfQuery.calls.count == 2)
    }

    /// What RFC 9111 says of `Location` and `Content-Location` is for unsafe methods only.
    @Test func `A successful QUERY removes nothing that is stored`() async throws {
        let stubs = stubs([
            "Cache-Control": "max-age=60", "Location": "http://api.example/x", "Content-Location": "/x",
        ])
        try await stubs.run {
            _ = try await CachedCall(.get, cache).value()
            for text in ["a", "b"] { _ = try await query(text).value() }
            let texts = [
                try await CachedCall(.get, cache).value(), try await query("a").value(), try await query("b").value(),
            ]
            #expect(texts == ["1", "2", "3"])
        }
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, HTTPMethod(rawValue: "MERGE")], [false, true])
    func `An unsafe method removes the responses to QUERY of its URL, of all bodies`(
        method: HTTPMethod,
        isInFiles: Bool
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let count = Locked(0)
        let server = try HTTPServer { request in
            if request.method == "QUERY" { count.withLock { $0 += 1 } }
            return .text("", headers: HTTPFields(["Cache-Control": "max-age=60"]))
        }
        defer { server.stop() }
        let (cache, base) = (
            isInFiles ? ResponseCache(FolderStorage(folder)) : ResponseCache(), "http://127.0.0.1:\(server.port)"
        )
        func queries() async throws -> Int {
            for text in ["a", "b"] { _ = try await query(text, base: base, in: cache).value() }
            _ = try await query(base: base, in: cache) { $0.path = "/y" }.value()
            return count.withLock { $0 }
        }
        #expect(try await queries() == 3)
        #expect(try await queries() == 3)
        _ = try await CachedCall(method, base: base, cache).value()
        #expect(try await queries() == 5)
    }

    /// RFC 10008, section 2.6: the condition is about the response to this content.
    @Test func `A stale response to QUERY is validated by a QUERY with its body and its own ETag`() async throws {
        let stubs = stubs(["Cache-Control": "no-cache", "ETag": "\"a\""])
        try await stubs.run {
            _ = try await query("a").value()
            let second = query("a")
            let texts = [try await second.value(), try await query("b").value()]
            #expect(texts == ["1", "2"])
            #expect(second.story == ["began", "sent", "head 304", "validated", "ended 200"])
        }
        #expect(stubs.calls.map { $0.headers["If-None-Match"] } == [nil, "\"a\"", nil])
        #expect(stubs.calls.map { $0.method } == [.query, .query, .query])
        #expect(stubs.calls.map { String(decoding: $0.body, as: UTF8.self) } == ["a", "a", "b"])
    }

    @Test func `A stale response to QUERY is used while a QUERY with its body revalidates it`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let (stubs, bodies) = (Stubs(clock: clock), Locked<[String]>([]))
        stubs.on(.query).answer { call in
            bodies.withLock { $0.append(String(decoding: call.body, as: UTF8.self)) }
            return .text("ok", headers: ["Cache-Control": "max-age=10, stale-while-revalidate=60"])
        }
        try await stubs.run {
            _ = try await query().value()
            clock.advance(by: .seconds(20))
            let second = query()
            _ = try await second.value()
            #expect(second.story == ["began", "stale", "ended 200"])
        }
        #expect(try await holds { bodies.withLock { $0 } == ["a", "a"] })
    }

    @Test(arguments: ["If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"])
    func `A QUERY with a condition of its own or a range goes to the server`(name: String) async throws {
        let stubs = stubs()
        try await stubs.run {
            _ = try await query().value()
            _ = try await query { $0.headers[name] = "x" }.value()
        }
        #expect(stubs.calls.count == 2)
    }

    @Test func `Vary holds for the header fields of a QUERY`() async throws {
        let stubs = stubs(["Cache-Control": "max-age=60", "Vary": "Accept"])
        try await stubs.run {
            var texts: [String] = []
            for type in ["a/b", "a/c", "a/b"] {
                texts.append(try await query { $0.headers["Accept"] = type }.value())
            }
            #expect(texts == ["1", "2", "1"])
        }
    }

    @Test func `Directives of a QUERY hold as for GET: no-store leaves nothing, only-if-cached sends nothing`()
        async throws
    {
        let stubs = stubs()
        try await stubs.run {
            await #expect(throws: RequestError.self) {
                try await query { $0.headers["Cache-Control"] = "only-if-cached" }.value()
            }
            _ = try await query { $0.headers["Cache-Control"] = "no-store" }.value()
            _ = try await query().value()
            let text = try await query { $0.headers["Cache-Control"] = "only-if-cached" }.value()
            #expect(text == "2")
        }
        #expect(stubs.calls.count == 2)
    }

    /// Its digest is not known before it is sent.
    @Test func `The response to a QUERY whose body has to be read is not stored`() async throws {
        let stubs = stubs()
        try await stubs.run {
            for _ in 0..<2 {
                let call = query()
                call.content = .stream(count: 1, type: "application/sql") { InputStream(data: Data("a".utf8)) }
                _ = try await call.value()
            }
            // A body in memory is another matter.
            _ = try await query().value()
            _ = try await query().value()
        }
        #expect(stubs.calls.count == 3)
    }

    @Test func `A QUERY that was redirected to another URL is not stored`() async throws {
        let count = Locked(0)
        let server = try HTTPServer { request in
            let headers = HTTPFields(["Cache-Control": "max-age=60", "Location": "/end"])
            guard request.path == "/end" else { return .text("", status: 308, headers: headers) }
            count.withLock { $0 += 1 }
            return .text("ok", headers: headers)
        }
        defer { server.stop() }
        for _ in 0..<2 { _ = try await query(base: "http://127.0.0.1:\(server.port)").value() }
        #expect(count.withLock { $0 } == 2)
    }
}
