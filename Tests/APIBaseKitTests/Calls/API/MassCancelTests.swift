import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private final class Open: JSONAPI, EventRequest {
    typealias EventType = Int

    init(_ number: Int, _ base: URL, _ session: any HTTPSession) {
        super.init(.post("/\(number)", json: ["stream": true]))
        (baseURL, self.session) = (base, session)
    }
}

/// One cancel for hundreds of open streams. One engine after another, since it is for all calls of the class in this process.
@Suite(.tags(.concurrent), .serialized, .limited) struct MassCancelTests {
    /// Foundation's session on Linux takes most of a second for 500.
    private static func count(_ engine: Engine) -> Int { load(engine == .urlSession ? 100 : 500) }

    #if os(Linux)
    private static let engines = [Engine.curl, .urlSession]
    #else
    private static let engines = [Engine.urlSession]
    #endif

    @Test(arguments: engines)
    func `Calling cancelAll() with many open event streams closes all their connections`(_ engine: Engine)
        async throws
    {
        let (count, closed) = (Self.count(engine), Locked(0))
        let server = try ScriptedServer(maximumConnections: count) { _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            _ = try? connection.readToEnd(before: .now + .seconds(600))
            closed.withLock { $0 += 1 }
        }
        defer { server.stop() }
        let session = Self.makeSession(engine, count)
        let (values, ends) = (Locked(0), Locked<[Bool]>([]))
        let lines = (0..<count).map { number in
            Open(number, server.url(""), session).events().sink { completion in
                guard case .failure(let error) = completion else { return ends.withLock { $0.append(false) } }
                ends.withLock { $0.append(error is CancellationError) }
            } receiveValue: { _ in
                values.withLock { $0 += 1 }
            }
        }
        defer { for line in lines { line.cancel() } }
        #expect(try await holds { values.withLock { $0 } == count })
        Open.cancelAll()
        // That of the last stream comes later, if its value is still being delivered.
        #expect(try await holds { ends.withLock { $0.count } == count })
        #expect(ends.withLock { $0 } == Array(repeating: true, count: count))
        #expect(try await holds { closed.withLock { $0 } == count })
        #expect(try await holds { server.openConnections == 0 })
        #expect(values.withLock { $0 } == count && server.requests.count == count)
    }

    /// A session with a connection for each stream.
    private static func makeSession(_ engine: Engine, _ count: Int) -> any HTTPSession {
        #if os(Linux)
        if engine == .curl {
            var configuration = CurlSession.Configuration()
            (configuration.connectionsPerHost, configuration.connections) = (count, count)
            return CurlSession(configuration: configuration)
        }
        #endif
        return engine.makeSession(connectionsPerHost: count)
    }
}
