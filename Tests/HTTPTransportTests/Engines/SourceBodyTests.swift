import Basics
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import PortableCombine
import TestTiers
import Testing

/// Request bodies whose bytes come from elsewhere, and let their requests wait, on every engine.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct SourceBodyTests {
    /// A download that is larger than the buffers goes on only while its upload does.
    @Test(arguments: [(2, 10_000), (8, 10_000), (2, 4 << 20), (8, 4 << 20)])
    func `Many uploads whose chunks are downloaded from the same host all end`(connections: Int, size: Int) async throws
    {
        let data = Data.pattern(size)
        let server = try HTTPServer { request in
            request.method == "GET" ? ServerResponse(body: .data(data)) : .text("\(request.body.count)")
        }
        defer { server.stop() }
        let session = Engine.makeSession(connectionsPerHost: connections)
        let download = try ExchangeRequest(port: server.port, limits: .with { $0.responseBytes = .max })
        let body = HTTPBody.sequence {
            session.events(for: download).compactMap { if case .body(let chunk) = $0 { chunk } else { nil } }.values
        }
        let upload = try ExchangeRequest(.post, port: server.port, body: body)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<(size > 1 << 20 ? connections + 2 : 60) {
                group.addTask { try await session.reply(to: upload).text }
            }
            for try await text in group { #expect(text == "\(size)") }
        }
    }

    @Test func `A hundred uploads that have nothing to send do not keep other requests to their host waiting`()
        async throws
    {
        let server = try ScriptedServer(always: reply(body: "ok"))
        defer { server.stop() }
        let session = Engine.makeSession(connectionsPerHost: 8)
        let made = Locked(0)
        let body = HTTPBody.sequence {
            made.withLock { $0 += 1 }
            return AsyncStream<Data> { _ in }
        }
        let calls = try (0..<100).map { _ in
            try session.events(for: ExchangeRequest(.post, port: server.port, body: body)).sink { _ in
            } receiveValue: { _ in
            }
        }
        #expect(try await holds { made.withLock { $0 } == 8 })
        for _ in 0..<20 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok") }
        #expect(made.withLock { $0 } == 8)
        for call in calls { call.cancel() }
        #expect(try await holds { session.runningExchanges == 0 })
        #expect(server.requests.count == 20)
    }
}
