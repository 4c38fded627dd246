import APIBaseKit
import APIBaseStubs
import Basics
import TestTiers
import Testing

/// Updates that send what has changed.
@Suite(.limited) struct MergePatchUpdateTests {
    private final class Leaf<Model: Codable & Sendable>: JSONAPI, Request {
        typealias ModelType = Model
        override init() { super.init(.get("http://api.example/x")) }
    }

    private struct Book: Codable, Equatable, Sendable {
        var title: String?
        var pages: UInt64?
        var price: Decimal?
        var tags: [String] = []
        var author: Author?
        struct Author: Codable, Equatable, Sendable { var name: String?, born: Int? }
    }

    /// A server with one resource, which it changes by merge patches on condition.
    private final class Server: Sendable {
        let stubs = Stubs()
        private let state: Locked<(text: String, version: Int)>

        init(_ text: String) {
            state = Locked((text, 0))
            stubs.on(.get, "/x").answer { [state] _ in
                let (text, version) = state.withLock { $0 }
                return .json(text, headers: ["ETag": "\"\(version)\""])
            }
            stubs.on(.patch, "/x").optional().answer { [state] call in
                let old = state.withLock { $0 }
                guard call.headers["If-Match"] == "\"\(old.version)\"" else { return .status(412) }
                let new = try JSONDecoder().decode(JSONValue.self, from: Data(old.text.utf8)).merging(call.json())
                state.withLock { $0 = ("\(new)", old.version + 1) }
                return .json("\(new)")
            }
        }

        /// Changes the resource, as another client does.
        func set(_ text: String) { state.withLock { $0 = (text, $0.version + 1) } }

        var text: String { state.withLock { $0.text } }
        var patches: [String] {
            stubs.calls.filter { $0.method == .patch }.map { String(decoding: $0.body, as: UTF8.self) }
        }
    }

    /// A resource, a change of it, the patch, and the resource after it.
    private static let changes: [(String, @Sendable (inout Book) -> Void, String?, String)] = [
        ("{\"tags\":[]}", { $0.title = "a" }, #"{"title":"a"}"#, #"{"tags":[],"title":"a"}"#),
        // What the type does not know stays.
        (
            #"{"isbn":"1","tags":[],"title":"a"}"#, { $0.title = "b" }, #"{"title":"b"}"#,
            #"{"isbn":"1","tags":[],"title":"b"}"#
        ),
        (#"{"tags":[],"title":"a"}"#, { $0.title = nil }, #"{"title":null}"#, #"{"tags":[]}"#),
        (#"{"tags":["a"]}"#, { $0.tags.append("b") }, #"{"tags":["a","b"]}"#, #"{"tags":["a","b"]}"#),
        (
            #"{"author":{"name":"a","role":"x"},"tags":[]}"#, { $0.author?.born = 1 }, #"{"author":{"born":1}}"#,
            #"{"author":{"born":1,"name":"a","role":"x"},"tags":[]}"#
        ),
        (
            #"{"author":{"name":"a"},"tags":[]}"#, { $0.author = .init(born: 1) },
            #"{"author":{"born":1,"name":null}}"#, #"{"author":{"born":1},"tags":[]}"#
        ),
        (
            #"{"author":{"name":"a"},"tags":[]}"#, { $0.author = nil }, #"{"author":null}"#, #"{"tags":[]}"#
        ),
        (#"{"tags":[]}"#, { $0.author = .init() }, #"{"author":{}}"#, #"{"author":{},"tags":[]}"#),
        (
            #"{"tags":[]}"#, { $0.title = "\"\n/é" }, #"{"title":"\"\n/é"}"#, #"{"tags":[],"title":"\"\n/é"}"#
        ),
        // Nothing to send.
        (#"{"tags":["a"],"title":"a"}"#, { $0.title = "a" }, nil, #"{"tags":["a"],"title":"a"}"#),
        ("{\"tags\":[]}", { _ in }, nil, "{\"tags\":[]}"),
    ]

    @Test(arguments: changes.indices)
    func `Calling update(sending: .mergePatch) sends by PATCH what has changed`(index: Int) async throws {
        let (before, change, patch, after) = Self.changes[index]
        let server = Server(before)
        let book = try await server.stubs.run { try await Leaf<Book>().update(sending: .mergePatch, change) }
        #expect(server.patches == [patch].compactMap(\.self))
        #expect(server.text == after)
        #expect(try book == JSONDecoder().decode(Book.self, from: Data(after.utf8)))
        guard patch != nil else { return }
        let sent = try #require(server.stubs.calls.last)
        #expect(sent.headers["Content-Type"] == "application/merge-patch+json" && sent.headers["If-Match"] == "\"0\"")
    }

    /// As a `Double` they are the same.
    @Test func `A merge patch has numbers of more than 64 bits as they are`() async throws {
        let book = #"{"pages":18446744073709551614,"price":0.10000000000000000001,"tags":[]}"#
        let stubs = Stubs()
        stubs.on(.get, "/x").answer(.json(book, headers: ["ETag": "\"0\""]))
        let write = stubs.on(.patch, "/x").answer(.status(204))
        _ = try await stubs.run {
            try await Leaf<Book>().update(sending: .mergePatch) { book in
                book.pages = 18_446_744_073_709_551_615
                book.price = Decimal(string: "0.10000000000000000002")
            }
        }
        let patches = write.calls.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(patches == [#"{"pages":18446744073709551615,"price":0.10000000000000000002}"#])
    }

    /// Values of any JSON before and after, and the patch.
    @Test(
        arguments: [
            (["a": nil], ["a": nil, "b": nil], nil), (["a": 1], ["a": nil], #"{"a":null}"#),
            (["a": nil], [:], #"{"a":null}"#), (["a": [["x": 1]]], ["a": [["x": 2]]], #"{"a":[{"x":2}]}"#),
            (["a": 1], [1], "[1]"), ([1], ["a": 1], #"{"a":1}"#), ([1], [1], nil), ("a", nil, "null"),
            (["a": ["b": ["c": 1, "d": 2]]], ["a": ["b": ["c": 1]]], #"{"a":{"b":{"d":null}}}"#),
            (["a": "x"], ["a": ["b": 1]], #"{"a":{"b":1}}"#), (["b": 1, "a": 1], ["a": 2, "b": 2], #"{"a":2,"b":2}"#),
            (["é": 1], ["e\u{301}": 1], "{\"e\u{301}\":1,\"é\":null}"), (["a": 1.0], ["a": 1], nil),
        ] as [(JSONValue, JSONValue, String?)]
    )
    func `A merge patch has null for what is missing, arrays whole, and names by their code points`(
        before: JSONValue,
        after: JSONValue,
        patch: String?
    ) async throws {
        let server = Stubs()
        server.on(.get, "/x").answer(.json("\(before)", headers: ["ETag": "\"0\""]))
        let writes = server.on(.patch, "/x").optional().answer(.status(204))
        let value = try await server.run { try await Leaf<JSONValue>().update(sending: .mergePatch) { $0 = after } }
        #expect(writes.calls.map { String(decoding: $0.body, as: UTF8.self) } == [patch].compactMap(\.self))
        #expect(value == after)
    }

    @Test func `After status 412, a merge patch is made of the value that is read again`() async throws {
        let server = Server(#"{"tags":["a"],"title":"a"}"#)
        var isFirst = true
        let call = Leaf<Book>()
        call.idempotencyKey = .automatic
        let book = try await server.stubs.run {
            try await call.update(sending: .mergePatch) { book in
                if isFirst { server.set(#"{"pages":1,"tags":["b"]}"#) }
                isFirst = false
                book.title = nil
                book.tags.append("c")
            }
        }
        #expect(server.patches == [#"{"tags":["a","c"],"title":null}"#, #"{"tags":["b","c"]}"#])
        #expect(book == Book(pages: 1, tags: ["b", "c"]))
        #expect(server.stubs.calls.map(\.method) == [.get, .patch, .get, .patch])
        let keys = server.stubs.calls.compactMap { $0.headers["Idempotency-Key"] }
        #expect(Set(keys).count == 2)
    }

    @Test func `A merge patch whose response is lost is not sent anew, and equals the value that is read again`()
        async throws
    {
        let stubs = Stubs()
        stubs.on(.get, "/x").answer(
            inOrder: .json(#"{"tags":[],"title":"a"}"#, headers: ["ETag": "\"0\""]),
            .json(#"{"isbn":"1","tags":[],"title":"b"}"#, headers: ["ETag": "\"1\""])
        )
        stubs.on(.patch, "/x").answer(inOrder: .fault(.connectionLost), .status(412))
        let call = Leaf<Book>()
        (call.retry, call.idempotencyKey) = (.standard, .automatic)
        let book = try await stubs.run { try await call.update(sending: .mergePatch) { $0.title = "b" } }
        #expect(book == Book(title: "b") && stubs.calls.count == 4)
    }

    @Test func `A merge patch takes another method and the Content-Type of the headers`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/x").answer(.json(#"{"tags":[]}"#, headers: ["ETag": "\"0\""]))
        let write = stubs.on(.post, "/x").answer(.status(204))
        let call = Leaf<Book>()
        call.headers["Content-Type"] = "application/json"
        _ = try await stubs.run {
            try await call.update(sending: .mergePatch, method: .post) { $0.title = "a" }
        }
        #expect(write.calls.map { $0.headers["Content-Type"] } == ["application/json"])
    }

    @Test func `Without an ETag, no merge patch is sent`() async {
        let stubs = Stubs()
        stubs.on(.get, "/x").answer(.json(#"{"tags":[]}"#))
        await #expect(throws: RequestError.missingETag) {
            try await stubs.run { _ = try await Leaf<Book>().update(sending: .mergePatch) { $0.title = "a" } }
        }
    }
}
