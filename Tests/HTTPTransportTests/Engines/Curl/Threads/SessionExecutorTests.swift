#if os(Linux)
import LoopbackServer
import Foundation
import FoundationNetworking
@testable import HTTPTransport
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

/// Tasks on the threads of a session's event loops.
@Suite(.tags(.concurrent), .limited) struct SessionExecutorTests {
    private let session: CurlSession

    init() {
        var configuration = CurlSession.Configuration()
        configuration.threads = 2
        session = CurlSession(configuration: configuration)
    }

    @Test func `A task goes on at the loop that has delivered its response`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = session
        // Before the first request there are no loops.
        _ = try await session.reply(to: ExchangeRequest(port: server.port))
        let same = try await withTaskExecutorPreference(session.executor) {
            var same = 0
            for _ in 0..<50 {
                let thread = try await thread(after: ExchangeRequest(port: server.port), on: session)
                #expect(EventLoop.current != nil)
                // A response that has arrived before the task waits for it resumes nothing.
                if thread == Self.thread { same += 1 }
            }
            return same
        }
        #expect(same > 0)
        #expect(EventLoop.current == nil)
        await session.shutdown()
    }

    @Test func `Tasks of actors with an executor of their own stay there`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = session
        // Before the first request there are no loops, and a response that has arrived before the task waits for it resumes nothing.
        _ = try await session.reply(to: ExchangeRequest(port: server.port))
        await withTaskExecutorPreference(session.executor) {
            #expect(EventLoop.current != nil)
            await MainActor.run { #expect(EventLoop.current == nil) }
        }
        await session.shutdown()
    }

    @Test func `Tasks run before the first request and after a shutdown`() async throws {
        let session = session
        func sum() async -> Int {
            await withTaskExecutorPreference(session.executor) {
                await withTaskGroup(of: Int.self) { group in
                    for number in 0..<100 { group.addTask { number } }
                    return await group.reduce(0, +)
                }
            }
        }
        #expect(await sum() == 4_950)
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        _ = try await session.reply(to: ExchangeRequest(port: server.port))
        #expect(await sum() == 4_950)
        await session.shutdown()
        #expect(await sum() == 4_950)
    }

    /// As many as there are loops, and more.
    @Test func `Tasks that block do not delay the session`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        _ = try await session.reply(to: ExchangeRequest(port: server.port))
        let (session, gate, inside) = (session, DispatchSemaphore(value: 0), Locked(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask(executorPreference: session.executor) {
                    inside.withLock { $0 += 1 }
                    Self.wait(for: gate)
                }
            }
            defer { for _ in 0..<6 { gate.signal() } }
            let areInside = try await holds { inside.withLock { $0 } == 6 }
            #expect(areInside)
            for _ in 0..<20 {
                let reply = try await session.reply(to: ExchangeRequest(port: server.port))
                #expect(reply.text == "ok")
            }
        }
        await session.shutdown()
    }

    @Test func `Tasks without an end do not keep a session from its shutdown`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = session
        _ = try await session.reply(to: ExchangeRequest(port: server.port))
        let tasks = (0..<4).map { _ in
            Task(executorPreference: session.executor) { while !Task.isCancelled { await Task.yield() } }
        }
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        await session.shutdown()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    @Test func `Hundreds of tasks call at a time, and each gets its response`() async throws {
        let server = try HTTPServer { .text($0.target) }
        defer { server.stop() }
        let session = session
        try await withThrowingTaskGroup(of: (String, String?).self) { group in
            for number in 0..<300 {
                group.addTask(executorPreference: session.executor) {
                    let request = try ExchangeRequest(port: server.port, "/\(number)")
                    return ("/\(number)", try await session.reply(to: request).text)
                }
            }
            for try await (path, text) in group { #expect(path == text) }
        }
        await session.shutdown()
    }

    @Test func `Other sessions have no executor`() {
        #expect(URLSession.shared.executor == nil)
    }

    private static var thread: UInt { UInt(pthread_self()) }

    private static func wait(for gate: DispatchSemaphore) { gate.wait() }

    /// The thread on which the response was delivered.
    private func thread(after request: ExchangeRequest, on session: CurlSession) async throws -> UInt {
        let thread = Locked<UInt>(0)
        let published = session.response(to: request).map { reply in
            thread.withLock { $0 = Self.thread }
            return reply
        }
        for try await _ in published.values { break }
        return thread.withLock { $0 }
    }
}
#endif
