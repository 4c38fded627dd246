import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

@Suite(.tags(.concurrent), .everyEngine, .limited) struct BodyPayloadTests {
    /// The last is too long for memory where a stream is read before it is sent.
    private static let sizes = [0, 1, 1_000, 70_000, 600_000, 1_200_000]

    @Test(arguments: BodyKind.allCases)
    func `Request bodies of all kinds arrive whole, chunked only if long and of unknown length`(_ kind: BodyKind)
        async throws
    {
        let server = try ScriptedServer(always: reply(body: "taken"))
        defer { server.stop() }
        let session = Engine.makeSession()
        for size in Self.sizes {
            let data = Data.pattern(size)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            let request = try ExchangeRequest(.post, port: server.port, body: kind.body(data, file: file))
            #expect(try await session.reply(to: request).text == "taken", "\(size)")
            let received = try #require(server.requests.last)
            #expect(received.body.count == size)
            #expect(Data(received.body) == data)
            // A body that is read to its end before it is sent has a length.
            let isChunked = Engine.current == .curl && kind == .unknown && size > 256 << 10
            #expect(received.values("Content-Length") == (isChunked ? [] : ["\(size)"]))
            #expect(received.values("Transfer-Encoding") == (isChunked ? ["chunked"] : []))
            #expect(received["Content-Type"] == (size == 0 ? nil : "application/octet-stream"))
        }
    }

    /// Some servers answer 415 to a type without content.
    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
    func `A request without a body has no Content-Type, whatever its method`(method: String) async throws {
        let server = try ScriptedServer(always: "HTTP/1.1 204 No Content\r\n\r\n")
        defer { server.stop() }
        let request = try ExchangeRequest(HTTPMethod(rawValue: method), port: server.port)
        _ = try await Engine.makeSession().reply(to: request)
        let received = try #require(server.requests.first)
        #expect(received.method == method)
        #expect(received.values("Content-Type").isEmpty)
        if ["POST", "PUT", "PATCH"].contains(method) { #expect(received.values("Content-Length") == ["0"]) }
    }

    @Test(arguments: [0, 3, 5, 100])
    func `A body stream shorter or longer than its declared length fails with bodyLength`(_ actual: Int) async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let data = Data.pattern(actual)
        for body in [HTTPBody.stream(count: 4) { InputStream(data: data) }, .once(InputStream(data: data), count: 4)] {
            let error = try await Engine.makeSession().failure(
                of: ExchangeRequest(.put, port: server.port, body: body)
            )
            guard case .bodyLength(declared: 4, _) = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(server.connections == 0)
    }

    @Test func `A second request with the same one-shot stream fails with bodyNotReplayable`() async throws {
        let server = try ScriptedServer(always: reply(body: "taken"))
        defer { server.stop() }
        let request = try ExchangeRequest(
            .post,
            port: server.port,
            body: .once(InputStream(data: Data.pattern(10)), count: 10)
        )
        #expect(try await Engine.makeSession().reply(to: request).text == "taken")
        let error = try await Engine.makeSession().failure(of: request)
        #expect(error?.reason == .bodyNotReplayable)
        #expect(error?.phase == .request)
        #expect(server.requests.count == 1)
    }

    @Test func `The body stream of an upload is created anew for each 307 redirect`() async throws {
        let server = try ScriptedServer { _, connection, index in
            try connection.write(index < 2 ? reply("307 R", ["Location: /\(index)"]) : reply(body: "taken"))
        }
        defer { server.stop() }
        let made = Locked(0)
        let data = Data.pattern(100_000)
        let body = HTTPBody.stream(count: 100_000) {
            made.withLock { $0 += 1 }
            return InputStream(data: data)
        }
        let request = try ExchangeRequest(.post, port: server.port, body: body)
        #expect(try await Engine.makeSession().reply(to: request).text == "taken")
        #expect(made.withLock { $0 } == 3)
        #expect(server.requests.map(\.body.count) == [100_000, 100_000, 100_000])
    }

    @Test func `A request whose body file is missing or is a folder fails with unreadableFile`() async throws {
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all")
        for url in [nowhere, FileManager.default.temporaryDirectory] {
            let error = try await Engine.makeSession().failure(
                of: ExchangeRequest(.post, port: server.port, body: .file(url))
            )
            #expect(error?.reason == .invalidRequest(.init(.body, .unreadableFile)))
        }
        #expect(server.connections == 0)
    }

    @Test func `An error thrown while creating a body stream is the underlying error of the failure`() async throws {
        struct Broken: Error {}
        let server = try ScriptedServer(always: reply())
        defer { server.stop() }
        let error = try await Engine.makeSession().failure(
            of: ExchangeRequest(.post, port: server.port, body: .stream(count: 1) { throw Broken() })
        )
        #expect(error?.underlying is Broken)
        #expect(server.connections == 0)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `A POST, PUT, PATCH or DELETE request without a body sends Content-Length: 0`(_ method: String) async throws {
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let request = try ExchangeRequest(HTTPMethod(rawValue: method), port: server.port)
        #expect(try await Engine.makeSession().reply(to: request).text == "x")
        #expect(server.requests.first?.values("Content-Length") == ["0"])
        #expect(server.requests.first?["Content-Type"] != "application/x-www-form-urlencoded")
    }

    @Test func `A Content-Type or User-Agent header set by the caller is sent unchanged`() async throws {
        let server = try ScriptedServer(always: reply(body: "x"))
        defer { server.stop() }
        let request = try ExchangeRequest(
            .post,
            port: server.port,
            headers: ["content-type": "text/plain", "user-agent": "mine"],
            body: .data(Data.pattern(1))
        )
        _ = try await Engine.makeSession().reply(to: request)
        #expect(server.requests.first?.values("Content-Type") == ["text/plain"])
        #expect(server.requests.first?.values("User-Agent") == ["mine"])
    }

    @Test func `A response with Content-Encoding: gzip is decompressed`() async throws {
        // gzip of "hello" as one stored block (RFC 1951, section 3.2.4; RFC 1952).
        let packed: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
            + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            try connection.write(packed)
        }
        defer { server.stop() }
        let progress = Locked<[ExchangeRequest.Progress]>([])
        let text = Later<String>()
        let subscription = try Engine.makeSession().response(to: ExchangeRequest(port: server.port)) { step in
            progress.withLock { $0.append(step) }
        }.sink { _ in
        } receiveValue: { data, _ in
            text.set(String(decoding: data, as: UTF8.self))
        }
        defer { subscription.cancel() }
        #expect(try await text.value() == "hello")
        #expect(progress.withLock { $0.last } == .received(5, expected: nil))
        #expect(server.requests.first?["Accept-Encoding"]?.contains("gzip") == true)
    }
}
