import Dispatch
import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import TestTiers
import Testing

/// The calls that every engine gets from the exchange, whatever it supports.
@Suite(.tags(.concurrent), .limited) struct EngineTaskTests {
    private let url = URL(string: "http://127.0.0.1/") ?? URL(fileURLWithPath: "/")
    private let chunk = Data(repeating: 1, count: 100_000)

    @Test
    func `Too many unread bytes pause the engine's transfer, and reading them resumes the transfer`() async throws {
        let session = ManualSession()
        let log = EventLog(demand: .max(1))
        session.events(for: ExchangeRequest(to: url, limits: .with { $0.idle = nil })).subscribe(log)
        let exchange = try #require(session.tasks.first)
        exchange.answer(url)
        try await log.wait(for: 1)
        for _ in 0..<2 { exchange.observer?.received(chunk) }
        #expect(!exchange.isPaused)
        for _ in 0..<8 { exchange.observer?.received(chunk) }
        #expect(exchange.isPaused)
        log.request(.max(5))
        try await log.wait(for: 6)
        #expect(exchange.isPaused, "half a megabyte still waits")
        log.request(.max(5))
        #expect(try await holds { !exchange.isPaused })
        exchange.observer?.finished(nil)
        _ = try await log.end.value()
        #expect(exchange.calls == ["start", "pause", "resume"])
    }

    /// The sender and the reader go as fast as they can, each on its own thread.
    @Test func `A paused transfer is always resumed when its sender and reader run concurrently`() async throws {
        let session = ManualSession()
        let log = EventLog(demand: .max(1)) { _ in .max(1) }
        let request = ExchangeRequest(
            to: url,
            limits: .with { limits in
                limits.responseBytes = .max
                limits.idle = nil
            }
        )
        session.events(for: request).subscribe(log)
        let exchange = try #require(session.tasks.first)
        exchange.answer(url)
        let (chunk, count) = (chunk, load(2_000))
        let sender = Task.detached {
            for _ in 0..<count {
                guard try await holds({ !exchange.isPaused }) else { return false }
                exchange.observer?.received(chunk)
            }
            exchange.observer?.finished(nil)
            return true
        }
        #expect(try await sender.value)
        #expect(try await log.end.value() == nil)
        #expect(log.events.count == count + 1)
        #expect(log.overlaps == 0)
        #expect(exchange.log.withLock { $0.overlaps } == 0)
    }

    @Test func `A transfer does not reach the idle time limit while paused, but does once resumed`() async throws {
        var idle = Duration.milliseconds(30)
        while true {
            let session = ManualSession()
            let log = EventLog(demand: .max(1))
            session.events(for: ExchangeRequest(to: url, limits: .with { $0.idle = idle })).subscribe(log)
            let exchange = try #require(session.tasks.first)
            exchange.answer(url)
            for _ in 0..<8 { exchange.observer?.received(chunk) }
            guard exchange.isPaused else {
                // On a slow machine the time was over before.
                idle *= 2
                continue
            }
            #expect(try await !holds(within: idle * 4) { log.ends > 0 })
            log.request(.unlimited)
            let error = try await log.end.value()
            #expect(error?.reason == .timedOut(which: .idle, after: idle))
            #expect(exchange.calls == ["start", "pause", "resume", "cancel"])
            return
        }
    }

    @Test func `A request that never connects fails with timedOut at the connect limit`() async throws {
        let session = ManualSession { $0.observer?.began() }
        let request = ExchangeRequest(to: url, limits: .with { $0.connect = .milliseconds(50) })
        let error = try await session.failure(of: request)
        #expect(error?.reason == .timedOut(which: .connect, after: .milliseconds(50)))
        #expect(error?.phase == .connect)
        #expect(session.tasks.first?.calls == ["start", "cancel"])
    }

    @Test func `The time limits of a request start only when the engine begins it`() async throws {
        let session = ManualSession()
        let log = EventLog()
        let request = ExchangeRequest(
            to: url,
            limits: .with { limits in
                limits.idle = .milliseconds(20)
                limits.total = .milliseconds(20)
                limits.connect = .milliseconds(20)
            }
        )
        session.events(for: request).subscribe(log)
        #expect(try await !holds(within: .milliseconds(100)) { log.ends > 0 })
        session.tasks.first?.observer?.began()
        #expect(try await log.end.value()?.reason == .timedOut(which: .total, after: .milliseconds(20)))
    }

    /// The engine ends, a clock runs out and the subscriber cancels, all at once: one end at most, and none after a
    /// cancel but what was on its way.
    @Test func `A request ends at most once when completion, timeout and cancel() race`() async throws {
        let session = ManualSession { $0.observer?.began() }
        let url = url
        for round in 0..<300 {
            let log = EventLog()
            session.events(for: ExchangeRequest(to: url, limits: .with { $0.total = .milliseconds(round % 3) }))
                .subscribe(
                    log
                )
            let exchange = try #require(session.tasks.last)
            let sink = exchange.observer
            let isCancelled = round % 2 == 0
            let late = Locked(0)
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: 3) { index in
                        switch index {
                        case 0: sink?.received(ResponseHead(statusCode: 200, headers: [:], url: url))
                        case 1: sink?.finished(round % 5 == 0 ? EngineFailure(reason: .connectionLost) : nil)
                        default:
                            guard isCancelled else { return }
                            log.cancel()
                            late.withLock { $0 = log.events.count }
                        }
                    }
                    continuation.resume()
                }
            }
            if isCancelled {
                #expect(try await holds { exchange.deliveries == 0 })
                #expect(log.events.count - late.withLock { $0 } <= 1)
                #expect(log.ends <= 1)
            } else {
                _ = try await log.end.value()
                #expect(log.ends == 1)
            }
            #expect(log.overlaps == 0)
            #expect(exchange.calls.filter { $0 == "cancel" }.count <= 1)
        }
    }

    @Test func `A request with an invalid header name fails before it reaches the engine`() async throws {
        let session = ManualSession()
        let log = EventLog()
        session.exchange(ExchangeRequest(to: url, headers: ["Bad Name": "x"])).subscribe(log)
        _ = try await log.end.value()
        #expect(session.tasks.isEmpty)
    }
}
