#if os(Linux)
import LoopbackServer
import Foundation
@testable import HTTPTransport
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

/// Deliveries on the threads of the event loops: subscribers may block there.
@Suite(.tags(.concurrent), .limited) struct EventLoopTests {
    private let session = CurlSession()

    /// `DemandTests` has a dozen of them on every engine.
    @Test(.heavy) func `A hundred subscribers blocked in receive(_:) do not delay other requests`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let gate = DispatchSemaphore(value: 0)
        let count = 100
        defer { for _ in 0..<count { gate.signal() } }
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
        #expect(try await holds { inside.withLock { $0 } == count })
        for _ in 0..<20 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok") }
        for _ in logs { gate.signal() }
        for log in logs { #expect(try await log.end.value() == nil) }
        #expect(logs.allSatisfy { $0.data == Data("ok".utf8) && $0.overlaps == 0 })
    }

    @Test func `An event loop that has retired does not retain a request that is granted to it afterwards`() {
        let group = EventLoopGroup(CurlSession.Configuration())
        let loop = EventLoop(0)
        loop.retire(in: group)
        weak var late: CurlTask?
        do {
            let task = CurlTask(in: group)
            late = task
            var limiter = ConnectionLimiter<CurlTask>(perOrigin: 1)
            let grant = limiter.enter(task, to: Origin(scheme: "https", host: "a", port: 443))
            #expect(grant != nil)
            if let grant { loop.start(grant, in: group) }
        }
        #expect(late == nil)
    }

    /// They run a little between two looks of the watchdog.
    @Test func `Subscribers that poll with short sleeps in receive(_:) do not delay other requests`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        var configuration = CurlSession.Configuration()
        configuration.threads = 1
        let session = CurlSession(configuration: configuration)
        let isOver = Locked(false)
        let inside = Locked(0)
        let logs = (0..<4).map { _ in
            EventLog { event in
                guard case .head = event else { return .none }
                inside.withLock { $0 += 1 }
                for _ in 0..<30_000 where !isOver.withLock({ $0 }) { usleep(1_000) }
                return .none
            }
        }
        for log in logs { try session.events(for: ExchangeRequest(port: server.port)).subscribe(log) }
        #expect(try await holds { inside.withLock { $0 } == 4 })
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        isOver.withLock { $0 = true }
        for log in logs { #expect(try await log.end.value() == nil) }
        await session.shutdown()
    }

    /// Each delivery asks for the next, without end.
    @Test func `A subscriber that repeats its request on every failure does not starve other requests`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        var configuration = CurlSession.Configuration()
        configuration.threads = 1
        let session = CurlSession(configuration: configuration)
        let again = Again(session)
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        again.go()
        #expect(try await holds { again.count > 20 })
        for _ in 0..<5 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok") }
        // It still does.
        let count = again.count
        #expect(try await holds { again.count > count })
        again.stop()
        await session.shutdown()
    }

    /// Subscribes to a hop that fails at once, again whenever it has failed.
    private final class Again: Sendable {
        private let session: CurlSession
        private let state = Locked((count: 0, isOver: false))

        init(_ session: CurlSession) { self.session = session }

        var count: Int { state.withLock { $0.count } }

        func stop() { state.withLock { $0.isOver = true } }

        func go() {
            let goesOn = state.withLock { state in
                state.count += 1
                return !state.isOver && state.count < 10_000_000
            }
            guard goesOn, let url = URL(string: "ftp://nowhere/") else { return }
            // Nothing cancels this subscription: the failure may come before this thread could keep it.
            let end = Subscribers.Sink<ExchangeRequest.Event, TransportError> { [self] _ in
                go()
            } receiveValue: { _ in
            }
            session.exchange(ExchangeRequest(to: url)).subscribe(end)
        }
    }

    @Test func `Slow subscribers still get all events after their session is shut down`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        for _ in 0..<load(20) {
            let session = CurlSession()
            let logs = (0..<24).map { _ in EventLog.slow(.milliseconds(1)) }
            for log in logs { try session.events(for: ExchangeRequest(port: server.port)).subscribe(log) }
            await session.shutdown()
            for log in logs { #expect(try await log.end.value() == nil) }
        }
    }

    /// As a program does that bridges to code which cannot wait otherwise.
    @Test func `A subscriber may wait in receive(_:) for other requests of the same CurlSession`() async throws {
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
        #expect(try await log.end.value() == nil)
        #expect(answers.withLock { $0 } == (0..<5).map { "/\($0)" })
    }

    /// A session on event loops that are not its own.
    private final class LoopSession: EngineSession {
        let loops: EventLoopGroup

        init(_ loops: EventLoopGroup) { self.loops = loops }

        func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
            hop(request)
        }
        func makeTask() -> any EngineTask { CurlTask(in: loops) }
    }

    /// Each thread keeps the group of the event loops.
    @Test func `EventLoopGroup.close() ends all its threads, also those started for slow subscribers`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        var group: EventLoopGroup? = EventLoopGroup(.init())
        weak let kept = group
        for _ in 0..<3 {
            // Longer than the timeout of the watchdog, so that other threads are started.
            let log = EventLog.slow(.milliseconds(10))
            let request = try ExchangeRequest(port: server.port)
            let loops = try #require(group)
            LoopSession(loops).hop(request).subscribe(log)
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
