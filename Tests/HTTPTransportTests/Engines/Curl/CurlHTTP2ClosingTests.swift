#if os(Linux)
import LoopbackServer
import Foundation
import HostileServer
import HTTPTransport
import Basics
import TestTiers
import Testing

/// Servers that accept a limited number of requests on a connection, and say so with the last (`GOAWAY`, RFC 9113,
/// section 6.8).
@Suite(.tags(.concurrent), .speaksHTTP2, .limited) struct CurlHTTP2ClosingTests {
    private static let size = 20_000

    /// A path for each request, and the lengths of what came for it.
    private final class Ledger: Sendable {
        private let lengths = Locked<[String: [Int]]>([:])

        subscript(path: String) -> [Int] { lengths.withLock { $0[path] ?? [] } }

        func answer(_ request: ServerRequest) -> ServerResponse {
            lengths.withLock { $0[request.path, default: []].append(request.body.count) }
            return .text("\(request.body.count)")
        }
    }

    @Test(arguments: [1, 2, 7])
    func `Sequential uploads succeed although the server closes HTTP 2 connections after a few requests`(
        connectionTakes count: Int
    ) async throws {
        let ledger = Ledger()
        try await withNginx("keepalive_requests \(count);", handler: ledger.answer) { nginx, session in
            for kind in BodyKind.allCases {
                for index in 0..<10 {
                    let path = "/\(kind)-\(index)"
                    let body = try kind.body(Data(count: Self.size), file: nginx.file("body"))
                    let reply = try await session.reply(to: ExchangeRequest(.post, to: nginx.url(path), body: body))
                    #expect(reply.text == "\(Self.size)")
                    #expect(ledger[path] == [Self.size])
                }
            }
        }
    }

    /// Requests that were on their way then may fail, but never silently: each that has arrived is whole, and only
    /// those that may be repeated arrive twice.
    @Test(arguments: [1, 2, 3, 10])
    func `Parallel uploads arrive whole or not at all when GOAWAY ends their HTTP 2 connection`(
        connectionTakes count: Int
    ) async throws {
        let ledger = Ledger()
        try await withNginx("keepalive_requests \(count);", handler: ledger.answer) { nginx, session in
            let rounds = runsAllTests ? [2, 4, 16] : [2, 4]
            for (round, atOnce) in rounds.enumerated() {
                try await withThrowingTaskGroup(of: (String, Result<Reply, TransportError>).self) { group in
                    for (index, kind) in (0..<atOnce).flatMap({ index in BodyKind.allCases.map { (index, $0) } }) {
                        for method in [HTTPMethod.post, .put] {
                            let path = "/\(round)-\(kind)-\(index)-\(method.rawValue)"
                            let body = try kind.body(Data(count: Self.size), file: nginx.file("body"))
                            let request = ExchangeRequest(method, to: nginx.url(path), body: body)
                            group.addTask { (path, try await session.result(of: request)) }
                        }
                    }
                    for try await (path, result) in group {
                        #expect(ledger[path].allSatisfy { $0 == Self.size }, "\(path) \(ledger[path])")
                        #expect(ledger[path].count <= 1 || path.hasSuffix("PUT"), "\(path) \(ledger[path])")
                        switch result {
                        case .success(let reply):
                            // A request that libcurl repeats just as the server ends the next connection is refused as
                            // malformed.
                            let isTaken = reply.text == "\(Self.size)" && !ledger[path].isEmpty
                            #expect(isTaken || reply.status == 400, "\(path) \(reply)")
                        case .failure(let error): #expect(error.reason == .connectionLost, "\(path): \(error)")
                        }
                    }
                }
            }
        }
    }
}
#endif
