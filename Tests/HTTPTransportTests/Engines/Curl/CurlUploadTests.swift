#if os(Linux)
import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

/// Bodies on their way out: when they come slowly, when the server answers early, and when a connection is lost.
@Suite(.tags(.concurrent), .limited) struct CurlUploadTests {
    private let session = CurlSession()

    /// Answers the first request of its first connection, closes that one when the second has come as far as `reads`
    /// says, and answers all on later connections.
    private static func dyingServer(reads: Double) throws -> ScriptedServer {
        let connections = Locked<Set<ObjectIdentifier>>([])
        return try ScriptedServer(reading: { head, connection, index in
            guard index == 1 else { return try connection.readBody(of: head) }
            var head = head
            let length = head["Content-Length"].flatMap { Int($0) } ?? 0
            head.body = try connection.read(exactly: Int(Double(length) * reads), before: .now + .seconds(120))
            return head
        }) { _, connection, index in
            connections.withLock { _ = $0.insert(ObjectIdentifier(connection)) }
            if index == 1 { return connection.close() }
            try connection.write(reply(body: "ok"))
        }
    }

    /// Calls `test` after a first response, with a server that reads nothing of the next body and with one that reads
    /// it all, and with a temporary file.
    private func onDyingServers(_ test: (ScriptedServer, _ file: URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        for reads in [0, 1.0] {
            let server = try Self.dyingServer(reads: reads)
            defer { server.stop() }
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
            try await test(server, file)
        }
    }

    /// RFC 9110, section 9.2.2: repeating it does no more than doing it once.
    @Test(
        arguments: BodyKind.allCases,
        [HTTPMethod.put, .query].flatMap { method in
            [200, 300_000, 2 << 20].map { (method, $0) }
        }
    )
    func `If a kept-alive connection closes, a short replayable PUT or QUERY is resent and a one-shot one fails`(
        kind: BodyKind,
        test: (method: HTTPMethod, count: Int)
    ) async throws {
        let (method, count) = test
        try await onDyingServers { server, file in
            let data = Data.pattern(count)
            let body = try kind.body(data, file: file)
            let headers = ["Content-Type": "text/plain"]
            let request = try ExchangeRequest(method, port: server.port, headers: headers, body: body)
            let result = try await session.result(of: request)
            // The second request did come over the kept connection.
            #expect(server.requests.count >= 2)
            switch result {
            case .success(let reply):
                #expect(reply.text == "ok")
                #expect(kind != .once)
                #expect(server.connections == 2)
                #expect(server.requests.last?.method == method.rawValue)
                // Not in the expectation, which would print both.
                let isWhole = Data(server.requests.last?.body ?? []) == data
                #expect(isWhole)
            case .failure(let error):
                // A stream that is gone, and a send that failed before libcurl could know that nothing had come.
                #expect(error.reason == .connectionLost)
                #expect(kind == .once || count > 200)
            }
        }
    }

    @Test(arguments: BodyKind.allCases, [0, 200, 300_000])
    func `A POST on a kept-alive connection that closes fails with connectionLost and is sent once`(
        kind: BodyKind,
        count: Int
    ) async throws {
        try await onDyingServers { server, file in
            let body = try kind.body(Data.pattern(count), file: file)
            let error = try await session.failure(of: ExchangeRequest(.post, port: server.port, body: body))
            #expect(error?.reason == .connectionLost, "\(String(describing: error))")
            #expect(server.requests.filter { $0.method == "POST" }.count == 1)
        }
    }

    /// A stream that has nothing to give for a while holds neither its thread's neighbours nor the session.
    @Test
    func `CurlSession uploads a slow body stream as its bytes come, without delaying other requests`() async throws {
        let pipe = Pipe()
        let source = URL(fileURLWithPath: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        let arrived = Locked("")
        let server = try ScriptedServer(reading: { head, connection, _ in
            guard head.method == "POST" else { return head }
            while case let chunk = try connection.readChunk(), !chunk.isEmpty {
                arrived.withLock { $0 += String(decoding: chunk, as: UTF8.self) }
            }
            return head
        }) { _, connection, _ in try connection.write(reply(body: "taken")) }
        defer { server.stop() }
        let log = EventLog()
        let body = HTTPBody.stream(count: nil) { InputStream(url: source) ?? InputStream(data: Data()) }
        try session.events(for: ExchangeRequest(.post, port: server.port, body: body)).subscribe(log)
        for word in ["one ", "two ", "three"] {
            let text = arrived.withLock { $0 } + word
            try pipe.fileHandleForWriting.write(contentsOf: Data(word.utf8))
            #expect(try await holds { arrived.withLock { $0 } == text })
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "taken")
        }
        try pipe.fileHandleForWriting.close()
        #expect(try await log.end.value() == nil)
        #expect(String(decoding: log.data, as: UTF8.self) == "taken")
    }

    /// The server has said everything, and reads no more.
    @Test(arguments: ["413 Too Large", "200 OK"])
    func `A response that arrives before the whole request body is sent is delivered`(status: String) async throws {
        let mayEnd = DispatchSemaphore(value: 0)
        let server = try ScriptedServer(reading: { head, _, _ in head }) { request, connection, _ in
            try connection.write(reply(status, body: "enough"))
            if request.method == "POST" {
                _ = mayEnd.wait(timeout: .now() + 120)
                connection.close()
            }
        }
        defer { server.stop() }
        let body = HTTPBody.data(Data(count: 32 << 20))
        let result = try await session.result(of: ExchangeRequest(.post, port: server.port, body: body))
        mayEnd.signal()
        #expect(try result.get().text == "enough")
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "enough")
    }

    /// Refusals in the pieces that they are written in.
    private static let refusals = [
        ["HTTP/1.1 413 Too Large\r\nContent-Length: 6\r\n\r\ndenied"],
        ["HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 6\r\n\r\n", "denied"],
        ["HTTP/1.1 413 Too Large\r\nTransfer-Encoding: chunked\r\n\r\n3;of=6\r\nden\r\n", "3\r\nied\r\n0\r\n\r\n"],
        ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\nContent-Length: 6\r\n\r\ndenied"],
    ]

    /// RFC 9112, section 9.5. The reset makes the next write fail; what the server has said before is there to be read.
    @Test(arguments: BodyKind.allCases, refusals)
    func `A 413 response sent before a TCP reset during an upload is still delivered`(kind: BodyKind, refusal: [String])
        async throws
    {
        let server = try ScriptedServer(reading: { head, _, _ in head }) { request, connection, _ in
            guard request.method == "POST" else { return try connection.write(reply(body: "good")) }
            for piece in refusal { try connection.write(piece) }
            connection.reset()
        }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let data = Data.pattern(4 << 20)
        let rounds = load(20)
        for _ in 0..<rounds {
            let request = try ExchangeRequest(.post, port: server.port, body: kind.body(data, file: file))
            let answer = try await session.reply(to: request)
            #expect(answer.status == 413)
            #expect(answer.text == "denied")
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "good")
        }
        // Nothing of a body was taken for a request, and no connection was used after its answer.
        #expect(server.requests.map(\.method) == Array(repeating: ["POST", "GET"], count: rounds).flatMap { $0 })
        #expect(server.connections == rounds + 1)
    }

    @Test func `Upload progress rises to the length of the body, and the request has no Expect header`() async throws {
        let server = try ScriptedServer(always: reply(body: "taken"))
        defer { server.stop() }
        let log = EventLog(demand: .unlimited)
        let request = try ExchangeRequest(.post, port: server.port, body: .data(Data(count: 3 << 20)))
        session.events(for: request).subscribe(log)
        #expect(try await log.end.value() == nil)
        let counts = log.events.compactMap {
            if case .sent(let bytes, let expected) = $0 { (bytes, expected) } else { nil }
        }
        #expect(counts.last?.0 == 3 << 20)
        #expect(counts.allSatisfy { $0.1 == 3 << 20 })
        let sent = counts.map { $0.0 }
        #expect(sent == sent.sorted())
        #expect(server.requests.first?["Expect"] == nil)
    }

    /// Reading happens ahead of sending, but not far.
    @Test func `CurlSession sends less than 32 MiB of a 40 MiB upload while the server reads nothing`() async throws {
        let mayRead = DispatchSemaphore(value: 0)
        let server = try ScriptedServer(reading: { head, connection, _ in
            _ = mayRead.wait(timeout: .now() + 300)
            return try connection.readBody(of: head)
        }) { _, connection, _ in try connection.write(reply(body: "taken")) }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let size = 40 << 20
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(size))
        let log = EventLog(demand: .unlimited)
        try session.events(for: ExchangeRequest(.put, port: server.port, body: .file(file))).subscribe(log)
        try await log.wait(for: 1)
        // The size of the system's buffers is not known, but it is less. They are full when no more is sent.
        var sent: Int64 = 0
        while case let before = sent, try await holds(within: .milliseconds(100), { log.sentBytes > before }) {
            sent = log.sentBytes
        }
        #expect(sent < 32 << 20, "\(sent)")
        mayRead.signal()
        #expect(try await log.end.value() == nil)
    }

    @Test(arguments: [HTTPMethod.post, .patch], ["", "body"])
    func `A request that must not be repeated was sent, also if the server takes no other connection`(
        method: HTTPMethod,
        body: String
    ) async throws {
        let server = try Replay.Server(dies: true)
        defer { server.stop() }
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).status == 200)
        let request = try ExchangeRequest(method, port: server.port, body: .data(Data(body.utf8)))
        let error = try await session.failure(of: request)
        #expect(error?.reason == .connectionLost && error?.phase != .connect, "\(error as Any)")
        #expect(server.requests == ["1 GET 0/0", "1 \(method) \(body.utf8.count)/\(body.utf8.count)"])
    }
}
#endif
