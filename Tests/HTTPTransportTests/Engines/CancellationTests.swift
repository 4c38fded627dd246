import LoopbackServer
import Foundation
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

@testable import HTTPTransport

/// `cancel()` at any moment, from any thread, as often as one likes.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct CancellationTests {
    private let session = Engine.makeSession()

    /// Half of them are cancelled on a serial queue that everything is delivered on: after `cancel()` there is nothing.
    /// The others from anywhere: what another thread had begun to deliver before is one event at most.
    @Test
    func `An exchange canceled on its serial queue delivers nothing more, on another queue at most one event`()
        async throws
    {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port)
        let queue = DispatchQueue(label: "serial")
        let late = Locked((serial: 0, most: 0))
        let count = load(2_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= 32 { try await group.next() }
                let moment = DispatchTimeInterval.microseconds(number * 37 % 3_000)
                let isSerial = number.isMultiple(of: 2)
                group.addTask { [session] in
                    let after = Locked((isCancelled: false, events: 0))
                    let log = EventLog(demand: .unlimited) { _ in
                        after.withLock { if $0.isCancelled { $0.events += 1 } }
                        return .none
                    }
                    let done = Later<Void>()
                    let there = isSerial ? queue : DispatchQueue(label: "own")
                    there.async {
                        let events = session.events(for: request)
                        if isSerial { events.receive(on: queue).subscribe(log) } else { events.subscribe(log) }
                    }
                    there.asyncAfter(deadline: .now() + moment) {
                        log.cancel()
                        after.withLock { $0.isCancelled = true }
                        there.async { done.set() }
                    }
                    try await done.value()
                    let count = after.withLock { $0.events }
                    late.withLock { late in
                        if isSerial { late.serial += count } else { late.most = max(late.most, count) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(late.withLock { $0.serial } == 0)
        #expect(late.withLock { $0.most } <= 1)
        #expect(try await holds { session.runningExchanges == 0 })
        // Other tests set deadlines too, but not so many for long.
        #expect(try await holds { DeadlineTimer.shared.count < count / 4 })
        #expect(try await session.reply(to: request).text == "ok")
    }

    @Test func `A canceled HTTP exchange closes its connection and delivers no further event`() async throws {
        let hasGone = Later<Void>()
        let server = try ScriptedServer(hostile: { connection in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            connection.waitForTheEnd()
            hasGone.set()
        })
        defer { server.stop() }
        let log = EventLog(demand: .unlimited)
        try session.events(for: ExchangeRequest(port: server.port, "/bad")).subscribe(log)
        try await log.wait(for: 1)
        log.cancel()
        try await hasGone.value()
        #expect(try await holds { session.runningExchanges == 0 })
        #expect(log.events.count == 1)
        #expect(log.ends == 0)
    }

    @Test
    func `An HTTP exchange that is canceled before its subscriber requests events opens no connection`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port)
        for publisher in [session.events(for: request), session.exchange(request)] {
            let log = EventLog(demand: .none)
            publisher.subscribe(log)
            log.cancel()
            log.request(.unlimited)
            log.cancel()
            #expect(log.events.isEmpty)
        }
        #expect(session.runningExchanges == 0)
        // The connection of an exchange that comes after them is the first.
        #expect(try await session.reply(to: request).text == "ok")
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: [1, 2, 3])
    func `A subscriber that calls cancel() inside receive(_:) gets no later event of the HTTP exchange`(number: Int)
        async throws
    {
        let server = try HTTPServer { _ in
            ServerResponse(body: .stream { write in for _ in 0..<100 { try write(Data(repeating: 1, count: 50_000)) } })
        }
        defer { server.stop() }
        let count = Locked(0)
        let holder = Locked<EventLog?>(nil)
        let isCancelled = Later<Void>()
        let log = EventLog(demand: .unlimited) { _ in
            let isLast = count.withLock { count in
                count += 1
                return count == number
            }
            guard isLast else { return .none }
            let log = holder.withLock { $0 }
            log?.cancel()
            log?.cancel()
            isCancelled.set()
            return .unlimited
        }
        holder.withLock { $0 = log }
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        try await isCancelled.value()
        #expect(try await holds { session.runningExchanges == 0 })
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).status == 200)
        #expect(log.events.count == number)
        #expect(log.ends == 0)
        holder.withLock { $0 = nil }
    }

    @Test func `Canceling a request that waits for a connection lets the next request start`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try HTTPServer { request in
            if request.path == "/slow" { _ = gate.wait(timeout: .now() + 120) }
            return .text("ok")
        }
        defer { server.stop() }
        let session = Engine.makeSession(connectionsPerHost: 1)
        let first = EventLog(demand: .unlimited)
        try session.events(for: ExchangeRequest(port: server.port, "/slow")).subscribe(first)
        let waiting = EventLog(demand: .unlimited)
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(waiting)
        let last = EventLog(demand: .unlimited)
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(last)
        waiting.cancel()
        gate.signal()
        #expect(try await first.end.value() == nil)
        #expect(try await last.end.value() == nil)
        #expect(waiting.events.isEmpty)
        #expect(waiting.ends == 0)
    }

    @Test func `A subscriber is released after its HTTP exchange is canceled`() async throws {
        let server = try ScriptedServer(hostile: { $0.waitForTheEnd() })
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port, "/bad")
        let weak = Locked(Weak())
        do {
            let log = EventLog(demand: .unlimited)
            weak.withLock { $0.log = log }
            session.events(for: request).subscribe(log)
            log.cancel()
            log.forget()
        }
        #expect(try await holds { weak.withLock { $0.log == nil } })
    }

    private struct Weak {
        weak var log: EventLog?
    }
}
