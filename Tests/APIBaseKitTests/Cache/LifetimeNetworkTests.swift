import APIBaseKit
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private final class Kept: JSONAPI, Request {
    typealias ModelType = String
    private let chosen: Duration?

    init(_ base: URL, _ cache: ResponseCache, _ chosen: Duration? = .seconds(3_600)) {
        self.chosen = chosen
        super.init(.get("/x"))
        (baseURL, session, self.cache) = (base, EverySession.current, cache)
        limits.responseBytes = 1 << 20
    }

    override func lifetime(of response: HTTPURLResponse) -> Duration? { chosen }
}

/// What an API's lifetime does with responses of a server that misbehaves.
@Suite(.tags(.concurrent), .everySession, .limited) struct LifetimeNetworkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Data
        /// Whether the first call has a value, and whether the second is answered from the cache.
        let hasValue: Bool
        let isKept: Bool

        init(_ name: String, _ head: String, _ body: some Sequence<UInt8> = [], hasValue: Bool, isKept: Bool) {
            testDescription = name
            answer = Data("HTTP/1.1 \(head)\r\nConnection: close\r\n\r\n".utf8) + Data(body)
            (self.hasValue, self.isKept) = (hasValue, isKept)
        }
    }

    private static let text = "200 OK\r\nContent-Type: text/plain\r\n"

    private static let cases = [
        Case("a whole response", text + "Content-Length: 2", "ok".utf8, hasValue: true, isKept: true),
        Case("a body until the end", String(text.dropLast(2)), "ok".utf8, hasValue: true, isKept: true),
        Case("a body that breaks off", text + "Content-Length: 3", "ok".utf8, hasValue: false, isKept: false),
        Case(
            "a chunk that breaks off",
            text + "Transfer-Encoding: chunked",
            "5\r\nok".utf8,
            hasValue: false,
            isKept: false
        ),
        Case(
            "a part",
            "206 X\r\nContent-Range: bytes 0-1/9\r\nContent-Type: text/plain\r\nContent-Length: 2",
            "ok".utf8,
            hasValue: true,
            isKept: false
        ),
        Case(
            "too long",
            text + "Content-Length: 2097152",
            repeatElement(0x61, count: 2 << 20),
            hasValue: false,
            isKept: false
        ),
        Case("no text", text + "Content-Length: 1", [0xFF], hasValue: false, isKept: true),
        Case("a false date", text + "Date: 99 Foo 99999\r\nContent-Length: 2", "ok".utf8, hasValue: true, isKept: true),
        Case(
            "an age that is no number",
            text + "Age: -1\r\nContent-Length: 2",
            "ok".utf8,
            hasValue: true,
            isKept: true
        ),
        Case(
            "an endless age",
            text + "Age: 99999999999999999999\r\nContent-Length: 2",
            "ok".utf8,
            hasValue: true,
            isKept: false
        ),
        Case(
            "compressed",
            text + "Content-Encoding: gzip",
            Gzip.stored(Array("ok".utf8)),
            hasValue: true,
            isKept: true
        ),
    ]

    @Test(arguments: cases)
    func `The cache keeps a response with a chosen lifetime if whole, not if cut off, partial, huge or old`(_ one: Case)
        async throws
    {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(one.answer)
            connection.close()
        }
        defer { server.stop() }
        let cache = ResponseCache()
        for number in 0..<2 {
            let value = try? await Kept(server.url(""), cache).value()
            #expect(value == (one.hasValue ? "ok" : nil))
            #expect(server.requests.count == (one.isKept ? 1 : number + 1))
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1), .zero])
    func `A lifetime of Int64.max seconds keeps a response in the cache; Int64.min, zero and 1 ns do not`(
        chosen: Duration
    )
        async throws
    {
        let server = try ScriptedServer(always: reply("200 OK", ["Content-Type: text/plain"], body: "ok"))
        defer { server.stop() }
        let folder = DownloadFolder()
        for storage in [nil, FolderStorage(folder.file.appendingPathExtension("cache"))] {
            let cache = storage.map { ResponseCache($0) } ?? ResponseCache()
            let before = server.requests.count
            for _ in 0..<2 { #expect(try await Kept(server.url(""), cache, chosen).value() == "ok") }
            #expect(server.requests.count - before == (chosen > .seconds(1) ? 1 : 2))
        }
    }

    /// A stream that is left before its end is not kept.
    @Test(arguments: [false, true])
    func `The cache stores a streamed response that is read to its end, not if the reader stops early`(isLeft: Bool)
        async throws
    {
        let server = try ScriptedServer { _, connection, index in
            guard isLeft, index == 0 else {
                return try connection.write(reply("200 OK", ["Content-Type: text/plain"], body: "ok"))
            }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nok")
            _ = try? connection.readToEnd()
        }
        defer { server.stop() }
        let cache = ResponseCache()
        for try await _ in CallSequence(Kept(server.url(""), cache).sendStream().flatMap(\.body)) where isLeft { break }
        #expect(try await Kept(server.url(""), cache).value() == "ok")
        #expect(server.requests.count == (isLeft ? 2 : 1))
    }

    @Test
    func `A response after a redirect to another origin is not stored despite a lifetime from the API`() async throws {
        let other = try ScriptedServer(always: reply("200 OK", ["Content-Type: text/plain"], body: "ok"))
        let server = try ScriptedServer(always: reply("302 X", ["Location: \(other.url("/y"))"]))
        defer {
            server.stop()
            other.stop()
        }
        let cache = ResponseCache()
        for _ in 0..<2 { #expect(try await Kept(server.url(""), cache).value() == "ok") }
        // The response belongs to another URL than that of the request.
        #expect(server.requests.count == 2 && other.requests.count == 2)
    }
}
