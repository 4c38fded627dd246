import DemoServer
import Foundation
import HTTPTransport
import Locking
import Testing

extension OverSockets {
    @Suite struct TimeTests {
        private func elapsed(_ action: () async -> TransportError?) async -> (TransportError?, Duration) {
            let start = ContinuousClock.now
            let error = await action()
            return (error, .now - start)
        }

        /// Answers with a head and then a byte every 40 ms.
        private func drip() throws -> ScriptedServer {
            try ScriptedServer { _, connection, _ in
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in 0..<1_000 {
                    try connection.write("x")
                    if !(try pause(connection)) { return }
                }
            }
        }

        /// Waits, or less long if the client goes away; false then.
        private func pause(_ connection: SocketConnection, _ time: Duration = .milliseconds(40)) throws -> Bool {
            do {
                return try !connection.read(before: .now + time).isEmpty
            } catch SocketError.timedOut {
                return true
            }
        }

        @Test func aSilentServerIsIdle() async throws {
            let server = try ScriptedServer { _, connection, _ in _ = try? connection.read(before: .now + .seconds(10))
            }
            defer { server.stop() }
            let (error, time) = await elapsed {
                await DefaultSession.shared.fetch(make(.get, server.url()) { $0.idle = .milliseconds(250) })?.error
            }
            #expect(error?.reason == .timedOut(which: .idle, after: .milliseconds(250)))
            #expect(error?.phase == .head)
            #expect(error?.urlError.code == .timedOut)
            #expect(time >= .milliseconds(250) && time < .seconds(15))
        }

        @Test func aSlowDripIsNotIdleButTakesTooLong() async throws {
            let server = try drip()
            defer { server.stop() }
            let (error, time) = await elapsed {
                let request = make(.get, server.url()) { limits in
                    limits.idle = .seconds(10)
                    limits.total = .seconds(2)
                }
                return await DefaultSession.shared.fetch(request)?.error
            }
            #expect(error?.reason == .timedOut(which: .total, after: .seconds(2)))
            #expect(error?.phase == .body)
            #expect(time >= .seconds(2) && time < .seconds(15))
        }

        @Test func aDripFasterThanTheIdleLimitIsReadToItsEnd() async throws {
            let server = try ScriptedServer { _, connection, _ in
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                for _ in 0..<10 {
                    try connection.write("x")
                    _ = try pause(connection, .milliseconds(250))
                }
            }
            defer { server.stop() }
            let result = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.idle = .seconds(2) })
            #expect(result?.text == "xxxxxxxxxx")
        }

        @Test func theTotalCoversAllHops() async throws {
            let server = try ScriptedServer { _, connection, _ in
                _ = try pause(connection, .milliseconds(800))
                try connection.write(reply("302 R", ["Location: /"]))
            }
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.total = .seconds(2) })?
                .error
            #expect(error?.reason == .timedOut(which: .total, after: .seconds(2)))
            #expect((2...3).contains(server.requests.count))
        }

        @Test(arguments: [Duration.zero, .seconds(-1)])
        func noTimeIsTooLittle(_ limit: Duration) async throws {
            let server = try ScriptedServer { _, connection, _ in _ = try? connection.read(before: .now + .seconds(10))
            }
            defer { server.stop() }
            let error = await DefaultSession.shared.fetch(make(.get, server.url()) { $0.total = limit })?.error
            #expect(error?.reason == .timedOut(which: .total, after: limit))
        }

        @Test(arguments: [Duration.seconds(Int64.max), .milliseconds(90_000_000)])
        func anyTimeIsTaken(_ limit: Duration) async throws {
            let server = try ScriptedServer(always: reply(body: "in time"))
            defer { server.stop() }
            let request = make(.get, server.url()) { limits in
                limits.idle = limit
                limits.total = limit
                limits.connect = limit
            }
            #expect(await DefaultSession.shared.fetch(request)?.text == "in time")
            let endless = make(.get, server.url()) { $0.idle = nil }
            #expect(await DefaultSession.shared.fetch(endless)?.text == "in time")
        }

        /// 64 requests for 6 connections: the last wait far longer than their own limits allow.
        @Test func waitingForATurnCostsNoTime() async throws {
            let session = HardenedSession(connectionsPerHost: 6)
            let atOnce = Locked((now: 0, most: 0))
            let server = try ScriptedServer { _, connection, _ in
                atOnce.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                _ = try pause(connection, .milliseconds(500))
                atOnce.withLock { $0.now -= 1 }
                try connection.write(reply(body: "done"))
            }
            defer { server.stop() }
            let url = server.url()
            let (texts, time) = await withTaskGroup(of: String?.self) { group in
                let start = ContinuousClock.now
                for _ in 0..<64 {
                    group.addTask {
                        let request = make(.get, url) { limits in
                            limits.idle = .seconds(4)
                            limits.total = .seconds(4)
                        }
                        let result = await session.fetch(request)
                        return result?.text ?? result?.error.map { "\($0)" }
                    }
                }
                return (await group.reduce(into: [String?]()) { $0.append($1) }, ContinuousClock.now - start)
            }
            #expect(texts.allSatisfy { $0 == "done" }, "\(texts.filter { $0 != "done" })")
            #expect(texts.count == 64)
            #expect(time > .seconds(5), "so long that the limits would have run out while waiting")
            #expect(atOnce.withLock { $0.most } == 6)
            #expect(session.runningExchanges == 0)
        }
    }
}
