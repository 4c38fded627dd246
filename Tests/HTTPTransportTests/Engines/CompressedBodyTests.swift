import Basics
import Foundation
import HostileServer
import HTTPTransport
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

/// Compressed bodies, on every engine. A server sends them back with the header of the request, and the engine, which
/// decodes them, shows what was compressed.
@Suite(.everyEngine, .limited) struct CompressedBodyTests {
    private struct Broken: Error {}

    private static func echo() throws -> ScriptedServer {
        try ScriptedServer { request, connection, _ in
            let coding = request.values("Content-Encoding").map { "Content-Encoding: \($0)\r\n" }.joined()
            try connection.write("HTTP/1.1 200 OK\r\n\(coding)Content-Length: \(request.body.count)\r\n\r\n")
            try connection.write(request.body)
        }
    }

    @Test(arguments: BodyKind.allCases, [1, 250, 600_000])
    func `A compressed() request body of any kind arrives as gzip that decodes to the original bytes`(
        kind: BodyKind,
        count: Int
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("compressed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try Self.echo()
        defer { server.stop() }
        let data = Data.pattern(count)
        let body = try kind.body(data, file: file)
        let compressed = body.compressed()
        #expect(compressed.isReplayable == body.isReplayable)
        for _ in 0..<(body.isReplayable ? 2 : 1) {
            let request = try ExchangeRequest(.post, port: server.port, body: compressed)
            let reply = try await Engine.makeSession().reply(to: request)
            #expect(reply.data == data)
            let sent = try #require(server.requests.last)
            #expect(sent["Content-Encoding"] == "gzip")
            #expect(sent.body.starts(with: [0x1F, 0x8B]) && sent.body.count < count + 100)
            #expect(count < 1_000 || sent.body.count < count / 10)
        }
    }

    @Test func `A compressed() request body from an async sequence arrives with all its chunks`() async throws {
        let server = try Self.echo()
        defer { server.stop() }
        let body = HTTPBody.sequence {
            AsyncStream<Data> { end in
                for _ in 0..<100 { end.yield(.pattern(10_007)) }
                end.finish()
            }
        }
        let request = try ExchangeRequest(.post, port: server.port, body: body.compressed())
        let expected = (0..<100).reduce(into: Data()) { data, _ in data.append(.pattern(10_007)) }
        #expect(try await Engine.makeSession().reply(to: request).data == expected)
    }

    @Test func `An empty request body with compressed() stays empty and has no Content-Encoding header`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("empty-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try Self.echo()
        defer { server.stop() }
        let stream = HTTPBody.stream(count: 0) { InputStream(data: Data()) }
        for body in [HTTPBody.none, .data(Data()), .file(file), stream] {
            let request = try ExchangeRequest(.post, port: server.port, body: body.compressed())
            _ = try await Engine.makeSession().reply(to: request)
            let sent = try #require(server.requests.last)
            #expect(sent["Content-Encoding"] == nil && sent.body.isEmpty)
        }
    }

    @Test func `Calling compressed() twice on a request body compresses it once`() async throws {
        let server = try Self.echo()
        defer { server.stop() }
        let stream = HTTPBody.stream(count: 3) { InputStream(data: Data("abc".utf8)) }
        for body in [HTTPBody.data(Data("abc".utf8)), stream] {
            let twice = body.compressed().compressed()
            let request = try ExchangeRequest(.post, port: server.port, body: twice)
            #expect(try await Engine.makeSession().reply(to: request).text == "abc")
            #expect(server.requests.last?.values("Content-Encoding") == ["gzip"])
        }
    }

    @Test
    func `An error thrown by the source of a compressed() request body fails the exchange with that error`()
        async throws
    {
        let server = try Self.echo()
        defer { server.stop() }
        let body = HTTPBody.sequence {
            AsyncThrowingStream<Data, any Error> { end in
                end.yield(Data("abc".utf8))
                end.finish(throwing: Broken())
            }
        }
        let request = try ExchangeRequest(.post, port: server.port, body: body.compressed())
        let error = try await Engine.makeSession().failure(of: request)
        #expect(error?.underlying is Broken, "\(String(describing: error))")
    }

    @Test(arguments: [-1, 1])
    func `A compressed() stream body whose length differs from its declared count fails with bodyLength`(
        difference: Int64
    )
        async throws
    {
        let server = try Self.echo()
        defer { server.stop() }
        let body = HTTPBody.stream(count: 3000 + difference) { InputStream(data: .pattern(3000)) }
        let request = try ExchangeRequest(.post, port: server.port, body: body.compressed())
        guard case .bodyLength(let declared, _) = try await Engine.makeSession().failure(of: request)?.reason else {
            Issue.record("The exchange has not failed.")
            return
        }
        #expect(declared == 3000 + difference)
    }

    @Test
    func `A compressed() one-shot stream body fails with bodyNotReplayable when it is sent a second time`() async throws
    {
        let server = try Self.echo()
        defer { server.stop() }
        let body = HTTPBody.once(InputStream(data: Data("abc".utf8)), count: 3).compressed()
        let request = try ExchangeRequest(.post, port: server.port, body: body)
        #expect(try await Engine.makeSession().reply(to: request).text == "abc")
        #expect(try await Engine.makeSession().failure(of: request)?.reason == .bodyNotReplayable)
    }

    @Test func `A 307 redirect sends a compressed() stream body again to the new location`() async throws {
        let server = try ScriptedServer { request, connection, index in
            guard index > 0 else { return try connection.write(reply("307 Moved", ["Location: /there"])) }
            try connection.write(reply(body: "\(request["Content-Encoding"] ?? "none") \(request.body.count > 20)"))
        }
        defer { server.stop() }
        let body = HTTPBody.stream(count: 9) { InputStream(data: .pattern(9)) }.compressed()
        let request = try ExchangeRequest(.post, port: server.port, body: body)
        #expect(try await Engine.makeSession().reply(to: request).text == "gzip true")
        #expect(server.requests.map(\.target) == ["/", "/there"])
    }
}

#if os(Linux)
/// The pace of compression, which only libcurl's engine hands on.
@Suite(.tags(.concurrent), .limited) struct CompressedPaceTests {
    /// Bytes that cannot be compressed: what is repeated in them is further away than gzip looks (32 KiB).
    private final class Noise: InputStream {
        private static let block: [UInt8] = {
            var random = SystemRandomNumberGenerator()
            return (0..<(64 << 10)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }()

        private let taken: Locked<Int>
        private let streams: Locked<Int>
        private let count: Int
        private var status = Status.notOpen

        /// Counts the bytes that are taken, and the streams that there are.
        init(_ count: Int, taken: Locked<Int>, streams: Locked<Int>) {
            (self.count, self.taken, self.streams) = (count, taken, streams)
            super.init(data: Data())
            streams.withLock { $0 += 1 }
        }

        deinit { streams.withLock { $0 -= 1 } }

        override var streamStatus: Status { status }
        override var streamError: (any Error)? { nil }
        override var hasBytesAvailable: Bool { status == .open }
        override func open() { status = .open }
        override func close() { status = .closed }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            taken.withLock { taken in
                let place = taken % Self.block.count
                let made = min(length, count - taken, Self.block.count - place)
                Self.block.withUnsafeBufferPointer { block in
                    guard let start = block.baseAddress else { return }
                    buffer.update(from: start + place, count: made)
                }
                taken += made
                return made
            }
        }
    }

    /// The server reads nothing until it may, so the stream comes as far as the buffers reach. To compress it all takes
    /// long.
    @Test(arguments: runsAllTests ? [true, false] : [true])
    func `A compressed() body stream is read at most 16 MiB ahead while the server reads nothing`(isCanceled: Bool)
        async throws
    {
        let mayRead = DispatchSemaphore(value: 0)
        let server = try ScriptedServer(reading: { head, connection, _ in
            _ = mayRead.wait(timeout: .now() + 120)
            var count = 0
            while case let chunk = try connection.readChunk(), !chunk.isEmpty { count += chunk.count }
            var request = head
            request.body = Array("\(count)".utf8)
            return request
        }) { request, connection, _ in
            try connection.write(reply(body: String(decoding: request.body, as: UTF8.self)))
        }
        defer {
            mayRead.signal()
            server.stop()
        }
        let (taken, streams, length) = (Locked(0), Locked(0), 32 << 20)
        let body = HTTPBody.stream(count: Int64(length)) { Noise(length, taken: taken, streams: streams) }
            .compressed()
        let (session, end) = (CurlSession(), Later<Void>())
        let text = Locked(Data())
        let call = try session.events(for: ExchangeRequest(.post, port: server.port, body: body))
            .sink { _ in
                end.set()
            } receiveValue: { event in
                if case .body(let data) = event { text.withLock { $0.append(data) } }
            }
        #expect(try await holds { taken.withLock { $0 } > 1 << 20 })
        // Until it comes no further.
        var last = 0
        while case let before = last, try await holds(within: .milliseconds(100), { taken.withLock { $0 } > before }) {
            last = taken.withLock { $0 }
        }
        #expect(taken.withLock { $0 } < 16 << 20, "It has read far ahead of the server.")
        if isCanceled {
            #expect(streams.withLock { $0 } > 0)
            call.cancel()
            #expect(try await holds { streams.withLock { $0 } == 0 })
        } else {
            mayRead.signal()
            try await end.value()
            let count = text.withLock { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
            #expect(length..<(length + length / 100) ~= count)
        }
    }
}
#endif
