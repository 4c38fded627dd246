import APIBaseKit
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// Many streams of events at once.
@Suite(.tags(.concurrent), .limited) struct EventStreamLoadTests {
    private static let count = load(1_000)
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    /// A session with a connection for each stream.
    private static func makeSession() -> any HTTPSession {
        #if os(Linux)
        var configuration = CurlSession.Configuration()
        (configuration.connectionsPerHost, configuration.connections) = (count, count)
        return CurlSession(configuration: configuration)
        #else
        return Engine.makeSession(connectionsPerHost: count)
        #endif
    }

    private static func call(_ number: Int, on server: ScriptedServer, _ session: any HTTPSession) -> JSONAPI {
        let call = JSONAPI(.post("/\(number)", json: ["stream": true]))
        call.baseURL = server.url("")
        call.session = session
        return call
    }

    /// Every second stream is canceled. The server sees those closed, and the others go on.
    @Test
    func `Canceling half of many event streams closes only their connections, and the others go on`() async throws {
        let open = Locked<[Int: SocketConnection]>([:])
        let closed = Locked<Set<Int>>([])
        let server = try ScriptedServer(maximumConnections: Self.count) { request, connection, _ in
            guard let number = Int(request.target.dropFirst()) else { return }
            open.withLock { $0[number] = connection }
            try connection.write(Self.head + "data: 1\n\n")
            _ = try? connection.readToEnd(before: .now + .seconds(240))
            closed.withLock { _ = $0.insert(number) }
        }
        defer { server.stop() }
        let session = Self.makeSession()
        let takers = (0..<Self.count).map { Taker(Self.call($0, on: server, session).replyEvents()) }
        for taker in takers { taker.take(2) }
        #expect(try await holds { takers.allSatisfy { $0.values.count == 1 } })
        for taker in takers.enumerated() where taker.offset.isMultiple(of: 2) { taker.element.cancel() }
        #expect(try await holds { closed.withLock { $0.count } == Self.count / 2 })
        #expect(closed.withLock { $0.allSatisfy { $0.isMultiple(of: 2) } })
        for (number, connection) in open.withLock({ $0 }) where !number.isMultiple(of: 2) {
            try connection.write("data: 2\n\n")
        }
        #expect(
            try await holds {
                takers.enumerated().allSatisfy { $0.offset.isMultiple(of: 2) || $0.element.values.count == 2 }
            }
        )
        for taker in takers { taker.cancel() }
        #expect(try await holds { closed.withLock { $0.count } == Self.count })
    }

    /// A server that sends without a pause waits for readers that take nothing.
    @Test func `An event stream that is not read stops the server from sending more (backpressure)`() async throws {
        let sent = Locked(0)
        let event = "data: " + String(repeating: "x", count: 16 << 10) + "\n\n"
        let limit = 1_024
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(Self.head)
            for _ in 0..<limit {
                try connection.write(event)
                sent.withLock { $0 += 1 }
            }
            connection.close()
        }
        defer { server.stop() }
        let taker = Taker(Self.call(0, on: server, DefaultSession.shared).replyEvents())
        #expect(try await taker.values(1).count == 1)
        // The server fills the buffers of the sockets, a few megabytes, and then waits.
        let seen = Locked((count: 0, polls: 0))
        #expect(
            try await holds {
                let count = sent.withLock { $0 }
                return seen.withLock { seen in
                    seen = (count, seen.count == count && count > 0 ? seen.polls + 1 : 0)
                    return seen.polls == 20
                }
            }
        )
        #expect(sent.withLock { $0 } < limit)
        // The rest is read only where there is time for 16 MB.
        let more = runsAllTests && !isSanitized ? limit - 1 : 20
        #expect(try await taker.values(more).count == more + 1)
        if more == limit - 1 { #expect(sent.withLock { $0 } == limit) }
        taker.cancel()
        #expect(try await holds { server.openConnections == 0 })
    }
}
