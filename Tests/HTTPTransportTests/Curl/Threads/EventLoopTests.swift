#if os(Linux)
import DemoServer
import Foundation
@testable import HTTPTransport
import HostileServer
import Basics
import PortableCombine
import Testing

/// Deliveries on the threads of the event loops: subscribers may block there.
@Suite(.timeLimit(.minutes(3))) struct EventLoopTests {
    private let session = CurlSession()

    @Test func subscribersThatBlockHoldUpNoOtherExchange() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let gate = DispatchSemaphore(value: 0)
        let count = 100
        let inside = Locked(0)
        let logs = (0..<count).map { _ in
            EventLog { event in
                guard case .head = event else { return .none }
                inside.withLock { $0 += 1 }
                gate.wait()
                return .none
            }
        }
        for log in logs { try session.events(for: ExchangeRequest(port: server.port)).subscribe(log) }
        #expect(try await holds(within: .seconds(100)) { inside.withLock { $0 } == count })
        for _ in 0..<20 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok") }
        for _ in logs { gate.signal() }
        for log in logs { #expect(try await log.end.value(within: 150) == nil) }
        #expect(logs.allSatisfy { $0.data == Data("ok".utf8) && $0.overlaps == 0 })
    }

    @Test func aClosedSessionDeliversWhatHasCome() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        for _ in 0..<20 {
            let session = CurlSession()
            let logs = (0..<24).map { _ in EventLog.slow(.milliseconds(1)) }
            for log in logs { try session.events(for: ExchangeRequest(port: server.port)).subscribe(log) }
            await session.shutdown()
            for log in logs { #expect(try await log.end.value(within: 150) == nil) }
        }
    }

    /// As a program does that bridges to code which cannot wait otherwise.
    @Test func aSubscriberMayWaitForOtherExchangesOfTheSession() async throws {
        let server = try HTTPServer { request in .text(request.path) }
        defer { server.stop() }
        let answers = Locked<[String]>([])
        let requests = try (0..<5).map { try ExchangeRequest(port: server.port, "/\($0)") }
        let log = EventLog { [session] event in
            guard case .head = event else { return .none }
            for request in requests {
                let done = DispatchSemaphore(value: 0)
                let inner = session.response(to: request)
                    .sink { _ in
                        done.signal()
                    } receiveValue: { data, _ in
                        answers.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
                    }
                done.wait()
                inner.cancel()
            }
            return .none
        }
        try session.events(for: ExchangeRequest(port: server.port, "/outer")).subscribe(log)
        #expect(try await log.end.value(within: 150) == nil)
        #expect(answers.withLock { $0 } == (0..<5).map { "/\($0)" })
    }

    /// Each thread keeps the group of the event loops.
    @Test func sessionsLeaveNoThreads() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        var group: EventLoopGroup? = EventLoopGroup(.init())
        weak let kept = group
        for _ in 0..<10 {
            // Longer than the watchdog has patience, so that other threads are started.
            let log = EventLog.slow(.milliseconds(10))
            let request = try ExchangeRequest(port: server.port)
            let loops = try #require(group)
            session.hop(request) { CurlTask(in: loops) }.subscribe(log)
            #expect(try await log.end.value() == nil)
            log.forget()
        }
        #expect(kept != nil)
        let closed = Later<Void>()
        group?.close { closed.set() }
        group = nil
        try await closed.value()
        #expect(try await holds { kept == nil })
    }
}
#endif
