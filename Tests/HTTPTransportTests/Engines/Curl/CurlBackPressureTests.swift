#if os(Linux)
import LoopbackServer
import Foundation
import HTTPTransport
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

/// A reader that takes nothing holds its own sender, and no other exchange.
@Suite(.tags(.concurrent), .limited) struct CurlBackPressureTests {
    private let session = CurlSession()
    private static let size = 64 << 20

    /// Sends without end in sight, and counts what it could get rid of.
    private static func pouringServer(_ written: Locked<Int>, chunked: Bool) throws -> ScriptedServer {
        try ScriptedServer { request, connection, _ in
            guard request.target == "/much" else { return try connection.write(reply(body: "little")) }
            let portion = Data(repeating: 7, count: 64 << 10)
            let framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"
            try connection.write("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
            for _ in 0..<(size / portion.count) {
                if chunked { try connection.write("10000\r\n") }
                try connection.write(portion, before: .now + .seconds(150))
                if chunked { try connection.write("\r\n") }
                written.withLock { $0 += portion.count }
            }
            if chunked { try connection.write("0\r\n\r\n") }
        }
    }

    @Test(arguments: [false, true])
    func `CurlSession stops receiving a response body that is not read, without delaying other requests`(chunked: Bool)
        async throws
    {
        let written = Locked(0)
        let server = try Self.pouringServer(written, chunked: chunked)
        defer { server.stop() }
        let received = Locked(0)
        let log = EventLog(demand: .max(2)) { event in
            guard case .body(let data) = event else { return .none }
            received.withLock { $0 += data.count }
            return .none
        }
        var limits = ExchangeRequest.Limits.default
        limits.responseBytes = .max
        try session.events(for: ExchangeRequest(port: server.port, "/much", limits: limits)).subscribe(log)
        try await log.wait(for: 2)
        // The sender has stalled when it gets rid of nothing more for a while, though it has more.
        var last = -1
        while case let before = last, try await holds(within: .milliseconds(50), { written.withLock { $0 } > before }) {
            last = written.withLock { $0 }
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "little")
        }
        #expect(last < Self.size / 2, "\(last)")
        log.request(.unlimited)
        #expect(try await log.end.value() == nil)
        #expect(received.withLock { $0 } == Self.size)
        #expect(written.withLock { $0 } == Self.size)
    }

    /// A little that becomes much is undone piece by piece.
    @Test func `CurlSession delivers a decoded gzip bomb in chunks of at most 64 KiB, each on demand`() async throws {
        let zeros = Data(base64Encoded: CurlBomb.gzip) ?? Data()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(zeros.count)\r\n\r\n")
            try connection.write(zeros)
        }
        defer { server.stop() }
        let log = EventLog(demand: .max(1)) { _ in .max(1) }
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        #expect(try await log.end.value() == nil)
        let sizes = log.events.map { if case .body(let data) = $0 { data.count } else { 0 } }
        #expect(sizes.reduce(0, +) == 1_000_000)
        #expect(sizes.allSatisfy { $0 <= 64 << 10 })
    }

    @Test
    func `Hundreds of requests, 64 at a time, succeed with at most connectionsPerHost connections`() async throws {
        // A connection is not to end on a machine that has other things to do.
        var limits = HTTPLimits()
        (limits.idleTime, limits.responseTime) = (.seconds(300), .seconds(300))
        let server = try HTTPServer(limits: limits) { request in
            .text(String(repeating: request.path, count: 5_000))
        }
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<(runsAllTests ? 512 : 128) {
                if number >= 64 { #expect(try await group.next() == true) }
                group.addTask { [session] in
                    let path = "/\(number)/"
                    let reply = try await session.reply(to: ExchangeRequest(port: server.port, path))
                    return reply.text == String(repeating: path, count: 5_000)
                }
            }
            for try await isWhole in group { #expect(isWhole) }
        }
        #expect(server.acceptedConnections <= session.configuration.connectionsPerHost)
    }
}

enum CurlBomb {
    /// A million zeros.
    static let gzip =
        "H4sIAAAAAAACA+3BAQEAAACCIP+vbkhAAQ"
        + String(repeating: "A", count: 1290)
        + "rwaey3kSQEIPAA=="
}
#endif
