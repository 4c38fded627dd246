#if os(Linux)
import LoopbackServer
import Dispatch
import Foundation
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

@testable import HTTPTransport

/// The ends of sessions, leaks, and cancels at any moment.
@Suite(.tags(.concurrent), .limited) struct CurlSessionTests {
    @Test
    func `CurlSession.shutdown() waits for running requests and refuses new ones with sessionClosed`() async throws {
        let mayEnd = DispatchSemaphore(value: 0)
        let hasBegun = Later<Void>()
        let server = try HTTPServer { request in
            if request.path == "/slow" {
                hasBegun.set()
                _ = mayEnd.wait(timeout: .now() + 120)
            }
            return .text("ok")
        }
        defer { server.stop() }
        let session = CurlSession()
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        let log = EventLog(demand: .unlimited)
        try session.events(for: ExchangeRequest(port: server.port, "/slow")).subscribe(log)
        try await hasBegun.value()
        let isDown = Later<Void>()
        let waiting = Task {
            await session.shutdown()
            isDown.set()
        }
        // Until the session has heard of it, it may still take one.
        var refused: TransportError?
        let deadline = ContinuousClock.now + .seconds(120)
        while refused == nil, ContinuousClock.now < deadline {
            refused = try await session.failure(of: ExchangeRequest(port: server.port))
        }
        #expect(refused?.reason == .sessionClosed)
        #expect(refused?.phase == .request)
        #expect(log.ends == 0)
        #expect(sockets(to: server.port) > 0)
        mayEnd.signal()
        try await isDown.value()
        await waiting.value
        #expect(try await log.end.value() == nil)
        #expect(log.data == Data("ok".utf8))
        #expect(sockets(to: server.port) == 0)
        await session.shutdown()
    }

    @Test func `A CurlSession that is released closes its connections`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        for _ in 0..<20 {
            #expect(try await CurlSession().reply(to: ExchangeRequest(port: server.port)).text == "ok")
        }
        #expect(try await holds { sockets(to: server.port) == 0 })
    }

    @Test func `Idle connections are closed after idleConnectionLifetime`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        var configuration = CurlSession.Configuration()
        configuration.idleConnectionLifetime = .milliseconds(50)
        let session = CurlSession(configuration: configuration)
        for _ in 0..<2 {
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
            #expect(try await holds { sockets(to: server.port) == 0 })
        }
        #expect(server.acceptedConnections == 2)
    }

    /// With the limits that a session has by default, whichever of its event loops they go to.
    @Test func `Thousands of simultaneous requests succeed with at most connectionsPerHost connections`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = CurlSession()
        let request = try ExchangeRequest(port: server.port)
        let right = Locked(0)
        let ended = DispatchGroup()
        let count = load(10_000)
        let subscriptions = (0..<count).map { _ in
            ended.enter()
            return session.response(to: request).sink { _ in
                ended.leave()
            } receiveValue: { data, _ in
                if data == Data("ok".utf8) { right.withLock { $0 += 1 } }
            }
        }
        let allHaveEnded = Later<Void>()
        ended.notify(queue: .global()) { allHaveEnded.set() }
        try await allHaveEnded.value()
        withExtendedLifetime(subscriptions) {}
        #expect(right.withLock { $0 } == count)
        #expect(server.acceptedConnections <= session.configuration.connectionsPerHost)
        await session.shutdown()
    }

    /// The events of one subscriber.
    private struct Seen {
        var isCancelled = false
        var events = 0
        var late = 0
        var ends = 0
        var lateEnds = 0
    }

    /// At any moment: waiting for a connection, connecting, sending, before and inside the answer, at its end.
    @Test
    func `Canceling thousands of requests at different moments leaves no request running or socket open`() async throws
    {
        let server = try HTTPServer { request in
            ServerResponse(body: .stream { write in for _ in 0..<4 { try write(Data(repeating: 1, count: 20_000)) } })
        }
        defer { server.stop() }
        let session = CurlSession()
        let request = try ExchangeRequest(.post, port: server.port, body: .data(Data(count: 1_000)))
        let all = Locked<[Locked<Seen>]>([])
        let count = load(2_500)
        let group = DispatchGroup()
        await withCheckedContinuation { continuation in
            for lane in 0..<4 {
                DispatchQueue(label: "lane \(lane)").async(group: group) {
                    let states = (0..<count).map { number in
                        let state = Locked(Seen())
                        let hasBegun = DispatchSemaphore(value: 0)
                        let subscription = session.events(for: request).sink { _ in
                            state.withLock { state in
                                state.ends += 1
                                if state.isCancelled { state.lateEnds += 1 }
                            }
                            hasBegun.signal()
                        } receiveValue: { _ in
                            state.withLock { state in
                                state.events += 1
                                if state.isCancelled { state.late += 1 }
                            }
                            hasBegun.signal()
                        }
                        // However busy the machine is, some get as far as the answer.
                        if number.isMultiple(of: 4) { _ = hasBegun.wait(timeout: .now() + 120) }
                        // And others not as far as their connection.
                        if number % 4 != 1 { usleep(UInt32(number * 37 % 800)) }
                        subscription.cancel()
                        state.withLock { $0.isCancelled = true }
                        return state
                    }
                    all.withLock { $0 += states }
                }
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(try await holds { session.runningExchanges == 0 })
        #expect(try await session.reply(to: request).status == 200)
        #expect(try await holds { sockets(to: server.port) <= session.configuration.connectionsPerHost })
        await session.shutdown()
        #expect(sockets(to: server.port) == 0)
        // Everything has been delivered that ever will be.
        let seen = all.withLock { $0 }.map { $0.withLock { $0 } }
        #expect(seen.count == 4 * count)
        // One event, or the end, may have been on its way to the subscriber on another thread.
        #expect(seen.allSatisfy { $0.late + $0.lateEnds <= 1 && $0.ends <= 1 })
        #expect(seen.count { $0.events > 0 } >= count)
        #expect(seen.count { $0.ends == 0 } > 0)
    }

    @Test func `Canceling a request that waits for its response closes its connection`() async throws {
        let (come, gone) = (Locked(0), Locked(0))
        let server = try ScriptedServer(hostile: { connection in
            come.withLock { $0 += 1 }
            connection.waitForTheEnd()
            gone.withLock { $0 += 1 }
        })
        defer { server.stop() }
        let session = CurlSession()
        for number in 1...3 {
            let log = EventLog(demand: .unlimited)
            try session.events(for: ExchangeRequest(port: server.port, "/bad")).subscribe(log)
            #expect(try await holds { come.withLock { $0 } == number })
            log.cancel()
            #expect(try await holds { gone.withLock { $0 } == number })
            #expect(try await holds { sockets(to: server.port) == 0 })
        }
    }

    /// A name that is being looked up does not hold the others when it is given up.
    @Test func `Canceling a request during its DNS lookup does not delay other requests`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = CurlSession()
        for number in 0..<20 {
            let log = EventLog(demand: .unlimited)
            try session.events(for: ExchangeRequest(port: 1, host: "unknown-\(number).invalid")).subscribe(log)
            log.cancel()
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        }
    }

    @Test func `An unreachable server fails with cannotConnect, and an unknown host with hostNotFound`() async throws {
        let session = CurlSession()
        let lost = try await session.failure(of: ExchangeRequest(port: 1))
        #expect(lost?.reason == .cannotConnect)
        #expect(lost?.phase == .connect)
        #expect((lost?.underlying as? CurlSession.LibraryError)?.code == 7)
        let unknown = try await session.failure(of: ExchangeRequest(port: 1, host: "unknown.invalid"))
        #expect(unknown?.reason == .hostNotFound)
        #expect(unknown?.phase == .connect)
        let nowhere = try await session.failure(of: ExchangeRequest(port: 1, host: "[::1]"))
        #expect(nowhere?.reason == .cannotConnect)
    }
}
#endif
