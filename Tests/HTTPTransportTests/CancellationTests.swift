import DemoServer
import Dispatch
import Foundation
import HTTPTransport
import Locking
import PortableCombine
import Testing

extension OverSockets {
    @Suite struct CancellationTests {
        /// Many exchanges, each cancelled at some moment by another thread; answers are fast, slow, cut, redirected or silent.
        @Test func aStormLeavesNothingBehind() async throws {
            let session = HardenedSession()
            let server = try ScriptedServer { request, connection, index in
                switch index % 6 {
                case 0: try connection.write(reply(body: "x"))
                case 1: try connection.write(reply(body: String(repeating: "x", count: 100_000)))
                case 2: try connection.write(reply("302 R", ["Location: /"], body: "on"))
                case 3: connection.close()
                case 4: try connection.write(reply("401 No", ["WWW-Authenticate: Basic realm=\"x\""], body: "who?"))
                default:
                    try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal")
                    _ = try? connection.read(before: .now + .milliseconds(20))
                    connection.close()
                }
            }
            defer { server.stop() }
            let violations = Locked<[String]>([])
            let group = DispatchGroup()
            let queues = (0..<4).map { DispatchQueue(label: "cancel \($0)") }
            let url = server.url()
            for index in 0..<2_000 {
                let recorder = Recorder<ExchangeEvent, TransportError>(index % 7 == 0 ? .max(1) : .unlimited)
                let start: @Sendable () -> Void = { session.events(for: make(.get, url)).subscribe(recorder) }
                if index % 50 != 0 { start() }
                group.enter()
                let delay = index % 3 == 0 ? 0 : Int.random(in: 0..<4_000)
                queues[index % 4].asyncAfter(deadline: .now() + .microseconds(delay)) {
                    if index % 50 == 0 { start() }
                    recorder.cancel()
                    // What another thread was delivering when cancel() returned may still be counted; no more than that one.
                    let seen = recorder.deliveries
                    queues[(index + 1) % 4].asyncAfter(deadline: .now() + .milliseconds(300)) {
                        let late = recorder.deliveries - seen
                        if late > 1 || recorder.overlaps > 0 || recorder.completions > 1 {
                            violations.withLock {
                                $0.append("\(index): \(late) late, \(recorder.overlaps) overlapping")
                            }
                        }
                        group.leave()
                    }
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let ended = group.wait(timeout: .now() + 60)
                    if ended == .timedOut { violations.withLock { $0.append("the storm did not end") } }
                    continuation.resume()
                }
            }
            #expect(violations.withLock { $0 } == [])
            #expect(await settles { session.runningExchanges == 0 })
            let calm = try ScriptedServer(always: reply(body: "calm"))
            defer { calm.stop() }
            #expect(await session.fetch(make(.get, calm.url()))?.text == "calm")
        }

        @Test func nothingComesAfterACancelFromInside() async throws {
            let session = HardenedSession()
            let server = try ScriptedServer(always: reply(body: String(repeating: "x", count: 1 << 20)))
            defer { server.stop() }
            for count in 1...3 {
                let recorder = Recorder<ExchangeEvent, TransportError> { recorder in
                    if recorder.values.count == count { recorder.cancel() }
                    return .none
                }
                session.events(for: make(.get, server.url())).subscribe(recorder)
                #expect(await recorder.wait { $0.values.count >= count })
                #expect(await settles { session.runningExchanges == 0 })
                #expect(await session.fetch(make(.get, server.url()))?.status == 200)
                #expect(recorder.values.count == count)
                #expect(recorder.completion == nil)
            }
        }

        @Test func aCancelBeforeTheDemandSendsNothing() async throws {
            let server = try ScriptedServer(always: reply(body: "x"))
            defer { server.stop() }
            let recorder = Recorder<Whole, TransportError>(.none)
            DefaultSession.shared.response(to: make(.get, server.url())).subscribe(recorder)
            recorder.cancel()
            recorder.request(.unlimited)
            recorder.cancel()
            #expect(await DefaultSession.shared.fetch(make(.get, server.url()))?.text == "x")
            #expect(server.requests.count == 1)
            #expect(recorder.deliveries == 0)
        }

        @Test func aCancelEndsTheConnectionOfAWaitingExchange() async throws {
            let gone = DispatchSemaphore(value: 0)
            let arrived = DispatchSemaphore(value: 0)
            let server = try ScriptedServer { _, connection, _ in
                arrived.signal()
                // What ends the read is the client's going away.
                if (try? connection.read(before: .now + .seconds(10)).isEmpty) ?? true { gone.signal() }
            }
            defer { server.stop() }
            let recorder = Recorder<Whole, TransportError>()
            DefaultSession.shared.response(to: make(.get, server.url())).subscribe(recorder)
            #expect(await passes(arrived))
            recorder.cancel()
            #expect(await passes(gone))
            #expect(recorder.deliveries == 0)
        }

        @Test func whatIsDroppedIsFreed() async throws {
            let session = HardenedSession()
            let server = try ScriptedServer(always: reply(body: "x"))
            defer { server.stop() }
            let recorders = Locked<[Weak]>([])
            for _ in 0..<10 {
                let recorder = Recorder<Whole, TransportError>()
                session.response(to: make(.get, server.url())).subscribe(recorder)
                _ = await recorder.end()
                recorder.record.withLock { $0.subscription = nil }
                recorders.withLock { $0.append(Weak(object: recorder)) }
            }
            #expect(await settles { recorders.withLock { $0.allSatisfy { $0.object == nil } } })
        }

        @Test func aClosedSessionRefuses() async throws {
            let session = HardenedSession()
            let server = try ScriptedServer(always: reply(body: "x"))
            defer { server.stop() }
            session.close()
            let error = await session.fetch(make(.get, server.url()))?.error
            #expect(error?.reason == .sessionClosed)
            #expect(error?.phase == .request)
            #expect(server.connections == 0)
        }
    }
}

private struct Weak {
    weak var object: AnyObject?
}

/// Whether the condition comes to hold; for what nobody reports.
func settles(_ limit: Duration = .seconds(20), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}

/// Whether somebody signals in time.
func passes(_ semaphore: DispatchSemaphore) async -> Bool {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "wait").async {
            continuation.resume(returning: semaphore.wait(timeout: .now() + 20) == .success)
        }
    }
}
