import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Retries over real sockets.
@Suite(.tags(.concurrent), .everySession, .limited) struct RetryNetworkTests {
    enum Drop: CaseIterable {
        case refused, beforeHead, inHead, inBody
    }

    /// A server that answers the first requests badly.
    private static func server(_ drop: Drop, times: Int) throws -> ScriptedServer {
        try ScriptedServer { _, connection, index in
            guard index < times else { return try connection.write(reply(body: "good")) }
            switch drop {
            case .refused: return try connection.write(reply("503 Service Unavailable"))
            case .beforeHead: break
            case .inHead: try connection.write("HTTP/1.1 200 OK\r\nContent-Le")
            case .inBody: try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            }
            connection.close()
        }
    }

    private static func call(_ method: HTTPMethod, to server: ScriptedServer) -> WatchedCall {
        let policy = RetryPolicy(backoff: .constant(.milliseconds(5)))
        let call = WatchedCall(method, base: "http://127.0.0.1:\(server.port)", retry: policy)
        call.session = EverySession.current
        return call
    }

    /// Foundation on Linux ends the process for a connection that is closed before the head is whole.
    private static func survives(_ drop: Drop) -> Bool {
        !(EverySession.current is URLSession && [.inHead, .beforeHead].contains(drop))
    }

    @Test(arguments: Drop.allCases)
    func `A GET, PUT, DELETE or QUERY is retried after a 503 or a lost connection`(drop: Drop) async throws {
        guard Self.survives(drop) else { return }
        for method in [HTTPMethod.get, .put, .delete, .query] {
            let server = try Self.server(drop, times: 2)
            defer { server.stop() }
            let call = Self.call(method, to: server)
            if [.put, .query].contains(method) { call.content = .data(Data("abc".utf8), type: "text/plain") }
            #expect(try await call.value() == 200)
            #expect(server.requests.count == 3)
            #expect(server.requests.allSatisfy { $0.body == server.requests[0].body })
            #expect(call.waits == [.milliseconds(5), .milliseconds(5)])
        }
    }

    @Test(arguments: Drop.allCases)
    func `A POST without an idempotency key is not retried after a 503 or a lost connection`(drop: Drop)
        async throws
    {
        guard Self.survives(drop) else { return }
        let server = try Self.server(drop, times: 100)
        defer { server.stop() }
        for number in 1...20 {
            let call = Self.call(.post, to: server)
            call.body = Data("abc".utf8)
            #expect(await call.failure() != nil)
            #expect(server.requests.count == number)
        }
    }

    @Test(arguments: Drop.allCases)
    func `A retried POST with an automatic idempotency key is sent with the same key and body`(drop: Drop) async throws
    {
        guard Self.survives(drop) else { return }
        let server = try Self.server(drop, times: 1)
        defer { server.stop() }
        let call = Self.call(.post, to: server)
        call.idempotencyKey = .automatic
        call.body = Data("abc".utf8)
        #expect(try await call.value() == 200)
        let keys = server.requests.map { $0["Idempotency-Key"] }
        #expect(keys.count == 2)
        #expect(keys[0] != nil)
        #expect(keys[0] == keys[1])
        #expect(server.requests.map(\.body) == [Data("abc".utf8), Data("abc".utf8)].map { Array($0) })
    }

    @Test func `A call to a server that never responds fails with timedOut at its retry deadline`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            while let bytes = try? connection.read(before: .now + .seconds(120)), !bytes.isEmpty {}
        }
        defer { server.stop() }
        let call = WatchedCall(
            base: "http://127.0.0.1:\(server.port)",
            // Long enough for a request to be built on a machine that stops for a second.
            retry: RetryPolicy(deadline: .seconds(3))
        )
        call.session = EverySession.current
        let error = try #require(await call.failure() as? TransportError)
        #expect(error.reason == .timedOut(which: .total, after: .seconds(3)))
        #expect(error.url?.path == "/x")
        #expect(call.story.last == "failed")
    }
}
