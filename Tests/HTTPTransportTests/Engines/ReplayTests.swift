import LoopbackServer
import Foundation
import HostileServer
import Basics
import TestTiers
import Testing

@testable import HTTPTransport

/// A kept connection that dies under a request: libcurl repeats the request on a fresh one, and Foundation on Linux has
/// no body left for it.
enum Replay {
    /// Answers the first request of its first connection and closes it after the second; answers all on later ones.
    final class Server: Sendable {
        private let listener: SocketListener
        private let received: Locked<[String]>

        var port: UInt16 { listener.port }

        // `dies` is whether it takes no further connections after that.
        init(dies: Bool = false) throws {
            let received = Locked<[String]>([])
            let connections = Locked(0)
            let dying = Locked<SocketListener?>(nil)
            self.received = received
            listener = try SocketListener { connection in
                let number = connections.withLock { count in
                    count += 1
                    return count
                }
                var answered = 0
                while let head = try? connection.readHead() {
                    let body = try? connection.read(exactly: head.declaredLength, before: .now + .seconds(120))
                    received.withLock {
                        $0.append("\(number) \(head.method) \(body?.count ?? -1)/\(head.declaredLength)")
                    }
                    if number == 1, answered == 1 {
                        dying.withLock { $0.take() }?.stop(waitingAtMost: .zero)
                        return
                    }
                    try? connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    answered += 1
                }
            }
            if dies { dying.withLock { [listener] in $0 = listener } }
        }

        /// The requests: number of the connection, method, bytes of the body that came and that were announced.
        var requests: [String] { received.withLock { $0 } }

        func stop() { listener.stop() }
    }
}

@Suite(.tags(.concurrent), .everyEngine, .limited) struct ReplayTests {
    @Test func `A GET on a kept-alive connection that closes is repeated on a new connection`() async throws {
        let server = try Replay.Server()
        defer { server.stop() }
        let session = Engine.makeSession()
        for _ in 0..<2 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).status == 200) }
        #expect(server.requests == ["1 GET 0/0", "1 GET 0/0", "2 GET 0/0"])
    }
}

/// Bodies on URLSession. `CurlUploadTests` has them for `CurlSession`.
@Suite(.tags(.concurrent), .limited) struct URLSessionReplayTests {
    enum Kind: CaseIterable { case data, file, stream, once }

    private func body(_ kind: Kind, _ data: Data, file: URL) throws -> HTTPBody {
        switch kind {
        case .data: return .data(data)
        case .stream: return .stream(count: Int64(data.count)) { InputStream(data: data) }
        case .once: return .once(InputStream(data: data), count: Int64(data.count))
        case .file:
            try data.write(to: file)
            return .file(file)
        }
    }

    @Test(arguments: Kind.allCases, [200, 100_000])
    func `A POST on a kept-alive connection that closes fails with connectionLost, never resent empty`(
        kind: Kind,
        count: Int
    )
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try Replay.Server()
        defer { server.stop() }
        let session = Engine.makeSession()
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).status == 200)
        let body = try body(kind, Data(repeating: 1, count: count), file: file)
        let error = try await session.failure(of: ExchangeRequest(.post, port: server.port, body: body))
        #expect(error?.reason == .connectionLost)
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).status == 200)
        // The second request did come over the kept connection.
        #expect(server.requests.prefix(2) == ["1 GET 0/0", "1 POST \(count)/\(count)"])
        // Nothing that came afterwards was a request the client did not mean.
        #expect(!server.requests.dropFirst(2).contains { $0.contains("POST") && !$0.contains("-1/") })
    }
}
