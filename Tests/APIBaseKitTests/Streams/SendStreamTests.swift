import APIBaseKit
import APIBaseStubs
import Basics
import Dispatch
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Replies that are delivered when their heads are there.
@Suite(.tags(.concurrent), .limited) struct SendStreamTests {
    private struct Refused: Error, Equatable { let status: Int, body: String }

    private final class Leaf: JSONAPI {
        override func error(for failure: HTTPFailure) -> any Error {
            Refused(status: failure.statusCode, body: String(decoding: failure.body, as: UTF8.self))
        }
    }

    private func call(_ url: URL) -> WatchedCall { WatchedCall(base: url.absoluteString) }

    nonisolated(nonsending) private static func collect(_ reply: StreamedReply) async throws -> String {
        var text = ""
        for try await chunk in reply.body.values { text += String(decoding: chunk, as: UTF8.self) }
        return text
    }

    /// The reply, or what the call fails with.
    nonisolated(nonsending) private static func reply(
        _ publisher: AnyPublisher<StreamedReply, any Error>
    ) async throws -> StreamedReply {
        let outcome = try await finalOutcome(of: publisher)
        if let error = outcome.failure { throw error }
        return try #require(outcome.values.first)
    }

    /// The text of the body.
    nonisolated(nonsending) private static func text(
        _ publisher: AnyPublisher<StreamedReply, any Error>
    ) async throws -> String {
        try await collect(reply(publisher))
    }

    @Test func `A sendStream() call delivers the head of a response before its body has arrived`() async throws {
        let goesOn = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            goesOn.wait()
            try connection.write("two")
        }
        defer { server.stop() }
        let call = call(server.url())
        let reply = try await Self.reply(call.sendStream())
        #expect(reply.response.statusCode == 200 && call.response?.statusCode == 200)
        #expect(call.story == ["began 1", "sent 1", "head 200"])
        goesOn.signal()
        #expect(try await Self.collect(reply) == "onetwo")
        #expect(call.story == ["began 1", "sent 1", "head 200", "ended 200"])
        #expect(call.timings?.bytesReceived == 6)
        await #expect(throws: RequestError.bodyAlreadyConsumed) { _ = try await Self.collect(reply) }
    }

    @Test
    func `A sendStream() call answered with 404 fails with an error that has the status and the body`() async throws {
        let server = try ScriptedServer(always: HostileServer.reply("404 Not Found", body: "gone"))
        defer { server.stop() }
        let leaf = Leaf(.get("/x"))
        leaf.baseURL = server.url()
        await #expect(throws: Refused(status: 404, body: "gone")) { _ = try await Self.reply(leaf.sendStream()) }
        let call = call(server.url())
        let error = await #expect(throws: RequestError.self) { _ = try await Self.reply(call.sendStream()) }
        guard case .httpFailure(let failure) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(failure.statusCode == 404 && failure.body == Data("gone".utf8))
        #expect(call.story.last == "ended 404")
    }

    @Test func `A long error body of a sendStream() call is read only up to HTTPFailure.bodyLimit`() async throws {
        let chunk = String(repeating: "x", count: 64 << 10)
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 1000000000\r\n\r\n")
            for _ in 0..<15_000 { try connection.write(chunk) }
        }
        defer { server.stop() }
        let call = call(server.url())
        let error = await #expect(throws: RequestError.self) { _ = try await Self.reply(call.sendStream()) }
        guard case .httpFailure(let failure) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect((1...HTTPFailure.bodyLimit).contains(failure.body.count))
    }

    @Test func `A sendStream() call is retried when it fails before the head or gets a 503`() async throws {
        let server = try ScriptedServer { _, connection, count in
            switch count {
            case 0: connection.close()
            case 1: try connection.write(HostileServer.reply("503 Service Unavailable", body: "busy"))
            default: try connection.write(HostileServer.reply(body: "ok"))
            }
        }
        defer { server.stop() }
        let call = call(server.url())
        call.retry = RetryPolicy(backoff: .none)
        #expect(try await Self.collect(Self.reply(call.sendStream())) == "ok")
        #expect(call.story.count { $0 == "retrying" } == 2 && server.requests.count == 3)
    }

    @Test func `A sendStream() call is not retried when the body breaks off after the head`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            connection.close()
        }
        defer { server.stop() }
        let call = call(server.url())
        call.retry = RetryPolicy(backoff: .none)
        let reply = try await Self.reply(call.sendStream())
        await #expect(throws: TransportError.self) { _ = try await Self.collect(reply) }
        #expect(call.story.last == "failed" && server.requests.count == 1)
    }

    /// A stream may last for days, and open events are not counted.
    @Test
    func `A sendStream() call gives up its place in CallGate when the head of the response arrives`() async throws {
        let goesOn = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { request, connection, _ in
            guard request.target != "/x" else { return try connection.write(HostileServer.reply(body: "ok")) }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            goesOn.wait()
        }
        defer { server.stop() }
        let gate = CallGate(concurrent: 1)
        let (events, stream) = (call(server.url()), call(server.url()))
        for call in [events, stream] { (call.gate, call.path) = (gate, "/open") }
        let outcome = Outcome<ServerSentEvent, any Error>()
        let subscription = outcome.subscribe(to: events.serverSentEvents())
        #expect(try await holds { outcome.values.count == 1 })
        let reply = try await Self.reply(stream.sendStream())
        let whole = call(server.url())
        whole.gate = gate
        #expect(try await whole.value() == 200)
        for _ in 0..<2 { goesOn.signal() }
        subscription.cancel()
        withExtendedLifetime(reply) {}
    }

    /// What breaks off later says little: a stream may have been idle for hours.
    @Test(arguments: [(200, 0), (503, 1)])
    func `A CallGate circuit breaker counts a streamed call by its status, not by its broken body`(
        status: Int,
        refused: Int
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(status, data: Data("abcdef".utf8)).broken(off: .afterBytes(3)))
        let gate = CallGate(opensAfter: 1, restsFor: .seconds(3_600))
        let calls = (0..<2).map { _ in WatchedCall(gate: gate) }
        for call in calls {
            await #expect(throws: (any Error).self) {
                try await stubs.run { try await Self.text(call.sendStream()) }
            }
        }
        #expect(stubs.calls.count == 2 - refused)
    }

    @Test func `Releasing a streamed reply without reading its body cancels the call`() async throws {
        let isOver = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            defer { isOver.set() }
            for _ in 0..<15_000 { try connection.write(String(repeating: "x", count: 64 << 10)) }
        }
        defer { server.stop() }
        let call = call(server.url())
        var reply: StreamedReply? = try await Self.reply(call.sendStream())
        #expect(reply?.response.statusCode == 200)
        reply = nil
        try await isOver.value()
        #expect(try await holds { call.story.last == "cancelled" })
    }

    @Test func `A sendStream() call has no total time limit unless limits.total is set`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("late").delayed(by: .seconds(3_000)))
        let text = try await stubs.run { () async throws -> String in
            let call = WatchedCall()
            call.timeout = .seconds(1)
            call.limits.idle = nil
            return try await Self.collect(Self.reply(call.sendStream()))
        }
        #expect(text == "late")
        try await stubs.run {
            let call = WatchedCall()
            call.limits.idle = nil
            call.limits.total = .seconds(2)
            await #expect(throws: TransportError.self) { _ = try await Self.reply(call.sendStream()) }
        }
    }

    @Test func `A sendStream() call is answered by the stubs of its scope or of its request object`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("stubbed"))
        let text = try await stubs.run { try await Self.collect(Self.reply(WatchedCall().sendStream())) }
        #expect(text == "stubbed" && stubs.calls.count == 1)
        let call = WatchedCall()
        call.stub(status: 200)
        #expect(try await Self.collect(Self.reply(call.sendStream())) == "")
    }

    @Test
    func `A sendStream() body may exceed the default 32 MiB limit unless limits.responseBytes is set`() async throws {
        let chunk = String(repeating: "x", count: 1 << 20)
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(33 << 20)\r\n\r\n")
            for _ in 0..<33 { try connection.write(chunk) }
        }
        defer { server.stop() }
        let call = call(server.url())
        let count = Locked(0)
        let body = call.sendStream().body.handleEvents(receiveOutput: { data in
            count.withLock { $0 += data.count }
        })
        let outcome = try await finalOutcome(of: body.ignoreOutput())
        #expect(outcome.isFinished && count.withLock { $0 } == 33 << 20)
        call.limits.responseBytes = 1_000
        await #expect(throws: TransportError.self) { _ = try await Self.reply(call.sendStream()) }
    }
}
