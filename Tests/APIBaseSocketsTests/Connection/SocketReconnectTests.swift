import APIBaseSockets
import Basics
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import TestTiers
import Testing

/// Connections after one that was lost.
@Suite(.tags(.concurrent), .limited) struct SocketReconnectTests {
    private static func policy(_ attempts: Int = 3) -> RetryPolicy { RetryPolicy(attempts: attempts, backoff: .none) }

    private func socket(
        _ server: SocketServer,
        _ change: (TextSocket) -> Void = { _ in }
    ) async throws -> APISocket<String, String> {
        let api = TextSocket(server) {
            $0.reconnect = Self.policy()
            change($0)
        }
        return try await api.connect()
    }

    /// How a server ends its first connection.
    enum End: CaseIterable, Sendable {
        case lost, reset, goingAway, restart, silent

        var bytes: [UInt8] {
            switch self {
            case .lost, .reset, .silent: []
            case .goingAway: ServerFrames.close(1001)
            case .restart: ServerFrames.close(1012)
            }
        }
    }

    @Test(arguments: End.allCases)
    func `Another connection follows one that was lost, and the loop goes on`(end: End) async throws {
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("\(peer.number)"))
            guard peer.number == 0 else { return _ = try peer.finish() }
            try peer.send(ServerFrames.frame(9))
            while let frame = try peer.next(), frame.opcode != 10 {}
            if end == .silent { return peer.connection.waitForTheEnd() }
            try peer.send(end.bytes)
            if end == .reset { peer.connection.reset() }
        }
        defer { server.stop() }
        let socket = try await socket(server) {
            $0.pings = SocketPings(every: .milliseconds(200), within: .seconds(end == .silent ? 0.3 : 5))
        }
        var values: [String] = []
        for try await value in socket.messages {
            values.append(value)
            if values.count == 2 { break }
        }
        #expect(values == ["0", "1"])
        #expect(Set(server.requests.map { $0["Sec-WebSocket-Key"] }).count == 2)
    }

    @Test(arguments: [(1000, nil), (1008, 1008), (1002, 1002), (4000, 4000)] as [(Int, UInt16?)])
    func `No connection follows a close that means it`(code: Int, failure: UInt16?) async throws {
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("one") + ServerFrames.close(code))
            _ = try peer.next()
        }
        defer { server.stop() }
        let (values, error) = try await socket(server).readAll()
        #expect(values == ["one"])
        let expected = failure.map { SocketFailure.closed(SocketClose(code: SocketCloseCode(rawValue: $0))) }
        #expect(error as? SocketFailure == expected)
        #expect(server.connections == 1)
    }

    @Test func `The request decides after which closes there is another connection`() async throws {
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.close(peer.number == 0 ? 4000 : 4001))
            _ = try peer.next()
        }
        defer { server.stop() }
        let socket = try await socket(server) { $0.doesReconnect = { $0.code.rawValue == 4000 } }
        let (_, error) = await socket.readAll()
        #expect(error as? SocketFailure == .closed(SocketClose(code: SocketCloseCode(rawValue: 4001))))
        #expect(server.connections == 2)
    }

    @Test(arguments: [ServerFrames.frame(3), ServerFrames.text("no JSON")])
    func `No connection follows a violation, or an error of decoding`(frame: [UInt8]) async throws {
        let server = try SocketServer { peer in
            try peer.accept([], frame)
            _ = try peer.next()
        }
        defer { server.stop() }
        let socket = try await TestSocket<[Int], [Int]>(server) { $0.reconnect = Self.policy() }.connect()
        let error = await socket.readAll().error
        switch error {
        case SocketFailure.violation?, is DecodingError: break
        default: Issue.record("\(String(describing: error))")
        }
        #expect(server.connections == 1)
    }

    // MARK: Attempts

    @Test(arguments: [1, 2, 4])
    func `A socket fails after the policy's number of attempts in a row`(attempts: Int) async throws {
        let server = try SocketServer { peer in
            try peer.accept([], peer.number == 0 ? ServerFrames.text("one") : [])
        }
        defer { server.stop() }
        let (values, error) = try await socket(server) { $0.reconnect = Self.policy(attempts) }.readAll()
        #expect(values == ["one"])
        #expect(error as? SocketFailure == .lost)
        #expect(server.connections == attempts)
    }

    @Test func `A message begins the count of attempts anew`() async throws {
        let server = try SocketServer { peer in
            // Two without a message, one with, and so on, up to the tenth.
            guard peer.number < 10 else { return try peer.accept([], ServerFrames.close(1000)) }
            try peer.accept([], peer.number % 3 == 2 ? ServerFrames.text("\(peer.number)") : [])
        }
        defer { server.stop() }
        let (values, error) = try await socket(server) { $0.reconnect = Self.policy(4) }.readAll()
        #expect(error == nil)
        #expect(values == ["2", "5", "8"])
        #expect(server.connections == 11)
    }

    @Test func `A refusal of another connection ends the socket, unless the policy has its status`() async throws {
        let server = try SocketServer { peer in
            switch peer.number {
            case 0: try peer.accept([], ServerFrames.text("one"))
            case 1: try peer.connection.write(reply("503 Later"))
            default: try peer.connection.write(reply("403 No", body: "no"))
            }
        }
        defer { server.stop() }
        let (values, error) = try await socket(server) { $0.reconnect = Self.policy(9) }.readAll()
        #expect(values == ["one"])
        guard case .httpFailure(let failure)? = error as? RequestError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.statusCode == 403)
        #expect(failure.body == Data("no".utf8))
        #expect(server.connections == 3)
    }

    @Test func `A server that starts again on its port gets its clients back`() async throws {
        let first = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("first"))
            _ = try peer.next()
        }
        let socket = try await socket(first) {
            $0.reconnect = RetryPolicy(attempts: 200, backoff: .constant(.milliseconds(20)))
        }
        var values = socket.messages.makeAsyncIterator()
        #expect(try await values.next() == "first")
        first.stop()
        let second = try SocketServer(port: first.port) { peer in
            try peer.accept([], ServerFrames.text("second"))
            _ = try peer.next()
        }
        defer { second.stop() }
        #expect(try await values.next() == "second")
    }

    @Test func `close() between two connections ends the socket`() async throws {
        let server = try SocketServer { peer in
            try peer.accept(["Sec-WebSocket-Protocol: v1"], ServerFrames.text("one"))
        }
        defer { server.stop() }
        let socket = try await socket(server) {
            $0.subprotocols = ["v1"]
            $0.reconnect = RetryPolicy(attempts: 9, backoff: .constant(.seconds(60)))
        }
        let reading = Task { await socket.readAll() }
        #expect(try await holds { server.connections == 1 && socket.subprotocol == nil })
        socket.close()
        let (values, error) = try await within { await reading.value }
        #expect(values == ["one"])
        #expect(error == nil)
    }
}
