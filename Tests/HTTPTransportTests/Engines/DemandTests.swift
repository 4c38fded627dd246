import LoopbackServer
import Foundation
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

@testable import HTTPTransport

/// A subscriber gets as many events as it demands, and does not delay other exchanges.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct DemandTests {
    private let session = Engine.makeSession()

    @Test func `A subscription opens no connection before its first demand`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port)
        let logs = [EventLog(demand: .none), EventLog(demand: .none)]
        session.events(for: request).subscribe(logs[0])
        session.exchange(request).subscribe(logs[1])
        // Another exchange has come and gone in the meantime.
        #expect(try await session.reply(to: request).text == "ok")
        #expect(server.acceptedConnections == 1)
        for log in logs {
            #expect(log.events.isEmpty)
            log.request(.unlimited)
            #expect(try await log.end.value() == nil)
            #expect(log.data == Data("ok".utf8))
        }
    }

    @Test func `Each subscription to a publisher sends a request of its own`() async throws {
        let count = Locked(0)
        let server = try HTTPServer { _ in
            count.withLock { $0 += 1 }
            return .text("ok")
        }
        defer { server.stop() }
        let publisher = try session.events(for: ExchangeRequest(port: server.port))
        for number in 1...3 {
            let log = EventLog(demand: .unlimited)
            publisher.subscribe(log)
            #expect(try await log.end.value() == nil)
            #expect(count.withLock { $0 } == number)
        }
    }

    /// One event at a time, across a redirect; the server has long been done.
    @Test func `A subscriber gets no more events than it has demanded, also across a redirect`() async throws {
        let server = try HTTPServer { request in
            guard request.path == "/" else { return .text(String(repeating: "x", count: 300_000)) }
            return .text("moved", status: 302, headers: HTTPFields(["Location": "/end"]))
        }
        defer { server.stop() }
        let log = EventLog(demand: .none)
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        var demanded = 0
        while log.data.count < 300_000 {
            demanded += 1
            log.request(.max(1))
            try await log.wait(for: demanded)
            #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/end")).status == 200)
            #expect(log.events.count == demanded)
        }
        #expect(try await log.end.value() == nil)
        #expect(log.ends == 1)
        #expect(demanded > 2)
    }

    @Test
    func `A subscriber that returns a demand of one event from receive(_:) gets the whole response`() async throws {
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 300_000)) }
        defer { server.stop() }
        let log = EventLog(demand: .max(1)) { _ in .max(1) }
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        #expect(try await log.end.value() == nil)
        #expect(log.data.count == 300_000)
    }

    #if canImport(FoundationNetworking)
    @Test
    func `A URLSession response over queuedBytes fails with bufferOverflow after the bytes that came`() async throws {
        guard Engine.current == .urlSession else { return }
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 300_000)) }
        defer { server.stop() }
        var limits = ExchangeRequest.Limits.default
        limits.queuedBytes = 100_000
        let (session, isOver) = (session, DispatchSemaphore(value: 0))
        let log = EventLog(demand: .max(1)) { event in
            if case .head = event { isOver.wait() }
            return .unlimited
        }
        try session.events(for: ExchangeRequest(port: server.port, limits: limits)).subscribe(log)
        #expect(try await holds { session.runningExchanges == 0 })
        isOver.signal()
        let error = try await log.end.value()
        #expect(error?.reason == .bufferOverflow(limit: 100_000))
        #expect((100_000..<300_000).contains(log.data.count))
    }
    #endif

    /// More of them than there are cores, so that no pool of threads could hide it.
    @Test func `Twelve subscribers blocked in receive(_:) do not delay other requests on any engine`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let gate = DispatchSemaphore(value: 0)
        let count = 12
        defer { for _ in 0..<count { gate.signal() } }
        let logs = (0..<count).map { _ in
            EventLog(demand: .unlimited) { event in
                if case .head = event { gate.wait() }
                return .none
            }
        }
        for log in logs { try session.events(for: ExchangeRequest(port: server.port)).subscribe(log) }
        for log in logs { try await log.wait(for: 1) }
        for _ in 0..<20 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok") }
        #expect(logs.allSatisfy { $0.ends == 0 })
        for _ in 0..<count { gate.signal() }
        for log in logs { #expect(try await log.end.value() == nil) }
    }

    @Test func `Waiting for a free connection does not count toward the idle time limit`() async throws {
        let hasCome = Later<Void>()
        let mayEnd = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            hasCome.set()
            _ = mayEnd.wait(timeout: .now() + 120)
            return .text("ok")
        }
        defer { server.stop() }
        let session = Engine.makeSession(connectionsPerHost: 1)
        let first = EventLog()
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(first)
        try await hasCome.value()
        let waiting = EventLog()
        let limits = ExchangeRequest.Limits.with { $0.idle = .milliseconds(50) }
        try session.events(for: ExchangeRequest(port: server.port, limits: limits)).subscribe(waiting)
        #expect(try await !holds(within: .milliseconds(120)) { waiting.ends > 0 })
        #expect(server.acceptedConnections == 1)
        // Canceled, since the limit would be too short for an answer.
        waiting.cancel()
        mayEnd.signal()
        #expect(try await first.end.value() == nil)
        #expect(waiting.events.isEmpty && waiting.ends == 0)
    }
}
