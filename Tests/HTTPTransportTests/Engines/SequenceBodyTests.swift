import Basics
import Foundation
import HostileServer
import HTTPTransport
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

/// Bodies from asynchronous sequences, on every engine.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct SequenceBodyTests {
    private struct Failure: Error {}

    private static func chunks(_ count: Int, of size: Int) -> AsyncStream<Data> {
        AsyncStream { end in
            for _ in 0..<count { end.yield(Data(repeating: 7, count: size)) }
            end.finish()
        }
    }

    /// A server that answers with the number of bytes that it has read.
    private static func countingServer() throws -> ScriptedServer {
        let counts = Locked<[ObjectIdentifier: Int]>([:])
        return try ScriptedServer(reading: { head, connection, _ in
            var count = 0
            if let length = head["Content-Length"].flatMap({ Int($0) }) {
                count = try connection.read(exactly: length, before: .now + .seconds(120)).count
            } else {
                while case let chunk = try connection.readChunk(), !chunk.isEmpty { count += chunk.count }
            }
            counts.withLock { $0[ObjectIdentifier(connection)] = count }
            return head
        }) { _, connection, _ in
            let count = counts.withLock { $0[ObjectIdentifier(connection)] } ?? -1
            try connection.write(reply(body: "\(count)"))
        }
    }

    @Test(arguments: [true, false], [0, 1, 3, 100])
    func `An AsyncSequence request body arrives whole, with and without a declared length`(
        knowsLength: Bool,
        count: Int
    )
        async throws
    {
        let server = try Self.countingServer()
        defer { server.stop() }
        let body = HTTPBody.sequence(length: knowsLength ? Int64(count * 10_007) : nil, type: "text/csv") {
            Self.chunks(count, of: 10_007)
        }
        #expect(body.isReplayable)
        for _ in 1...2 {
            let request = try ExchangeRequest(.post, port: server.port, body: body)
            let reply = try await Engine.makeSession().reply(to: request)
            #expect(reply.text == "\(count * 10_007)")
        }
    }

    @Test func `An AsyncSequence request body of one 20 MiB chunk arrives whole`() async throws {
        let server = try Self.countingServer()
        defer { server.stop() }
        let body = HTTPBody.sequence { Self.chunks(1, of: 20 << 20) }
        let request = try ExchangeRequest(.post, port: server.port, body: body)
        #expect(try await Engine.makeSession().reply(to: request).text == "\(20 << 20)")
    }

    @Test
    func `An error thrown by an AsyncSequence request body is the underlying error of the failure`() async throws {
        let server = try Self.countingServer()
        defer { server.stop() }
        let body = HTTPBody.sequence {
            AsyncThrowingStream<Data, any Error> { end in
                end.yield(Data("abc".utf8))
                end.finish(throwing: Failure())
            }
        }
        let error = try await Engine.makeSession().failure(of: ExchangeRequest(.post, port: server.port, body: body))
        #expect(error?.underlying is Failure, "\(String(describing: error))")
    }

    @Test(arguments: [-1, 1])
    func `An AsyncSequence body whose length differs from the declared one fails with bodyLength`(difference: Int64)
        async throws
    {
        let server = try Self.countingServer()
        defer { server.stop() }
        let body = HTTPBody.sequence(length: 3000 + difference) { Self.chunks(3, of: 1000) }
        let error = try await Engine.makeSession().failure(of: ExchangeRequest(.post, port: server.port, body: body))
        guard case .bodyLength(let declared, _) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(declared == 3000 + difference)
    }

    @Test func `A one-shot AsyncSequence body fails with bodyNotReplayable when it is sent again`() async throws {
        let server = try Self.countingServer()
        defer { server.stop() }
        let body = HTTPBody.once(Self.chunks(2, of: 5), length: 10)
        #expect(!body.isReplayable)
        let request = try ExchangeRequest(.post, port: server.port, body: body)
        #expect(try await Engine.makeSession().reply(to: request).text == "10")
        #expect(try await Engine.makeSession().failure(of: request)?.reason == .bodyNotReplayable)
    }

    /// A sequence that gives nothing holds neither a thread nor a place after the call has ended.
    @Test
    func `Canceling a request ends its AsyncSequence body that yields nothing and frees its connection`() async throws {
        let server = try ScriptedServer { _, connection, _ in try connection.write(reply(body: "ok")) }
        defer { server.stop() }
        let session = Engine.makeSession(connectionsPerHost: 8)
        let (made, ended) = (Locked(0), Locked(0))
        let calls = try (0..<8).map { _ in
            let body = HTTPBody.sequence {
                made.withLock { $0 += 1 }
                return AsyncStream<Data> { end in end.onTermination = { _ in ended.withLock { $0 += 1 } } }
            }
            return try session.events(for: ExchangeRequest(.post, port: server.port, body: body))
                .sink { _ in
                } receiveValue: { _ in
                }
        }
        #expect(try await holds { made.withLock { $0 } == 8 })
        for call in calls { call.cancel() }
        #expect(try await holds { ended.withLock { $0 } == 8 })
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
    }
}

#if os(Linux)
/// The pace of sequences, which only libcurl's engine hands on.
@Suite(.tags(.concurrent), .limited) struct SequencePaceTests {
    /// A gigabyte, which counts the chunks that were asked for, and tells when its iterator is released.
    private struct Gigabyte: AsyncSequence, Sendable {
        let taken = Locked(0)
        let isReleased = Locked(false)

        final class AsyncIterator: AsyncIteratorProtocol {
            private let sequence: Gigabyte
            private let chunk = Data(repeating: 7, count: 1 << 20)

            init(_ sequence: Gigabyte) { self.sequence = sequence }

            deinit { sequence.isReleased.withLock { $0 = true } }

            func next() async -> Data? {
                let number = sequence.taken.withLock { taken in
                    taken += 1
                    return taken
                }
                return number <= 1024 ? chunk : nil
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }

    /// The server takes the head alone, so the sequence comes as far as the buffers reach, and stops with the call.
    @Test
    func `CurlSession reads an AsyncSequence body little ahead of the server, and releases it on cancel`() async throws
    {
        let mayEnd = DispatchSemaphore(value: 0)
        let server = try ScriptedServer(reading: { head, _, _ in
            _ = mayEnd.wait(timeout: .now() + 120)
            return head
        }) { _, _, _ in }
        defer {
            mayEnd.signal()
            server.stop()
        }
        let gigabyte = Gigabyte()
        let body = HTTPBody.sequence(length: 1 << 30) { gigabyte }
        let session = CurlSession()
        let call = try session.events(for: ExchangeRequest(.post, port: server.port, body: body)).sink { _ in
        } receiveValue: { _ in
        }
        #expect(try await holds { gigabyte.taken.withLock { $0 } > 1 })
        // Until it comes no further.
        var last = 0
        while case let before = last,
            try await holds(within: .milliseconds(100), { gigabyte.taken.withLock { $0 } > before })
        {
            last = gigabyte.taken.withLock { $0 }
        }
        #expect(gigabyte.taken.withLock { $0 } < 64, "It has read far ahead of the server.")
        call.cancel()
        #expect(try await holds { gigabyte.isReleased.withLock { $0 } })
    }
}
#endif
