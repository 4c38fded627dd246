import APIBaseSockets
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The ends of a socket that one side wants.
@Suite(.tags(.concurrent), .limited) struct SocketCloseTests {
    /// A server that switches, and tells the frames that it has got up to the end.
    private func server(
        _ frames: Later<[ServerFrames.Received]>,
        _ script: @escaping @Sendable (SocketServer.Peer) throws -> Void = { _ in }
    ) throws -> SocketServer {
        try SocketServer { peer in
            try peer.accept()
            try script(peer)
            frames.set(try peer.finish())
        }
    }

    private func close(_ code: Int, _ reason: String = "") -> ServerFrames.Received {
        ServerFrames.Received(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    @Test(arguments: [
        (SocketCloseCode.normal, "", 1000), (.goingAway, "leaving", 1001),
        (SocketCloseCode(rawValue: 4001), "ä", 4001), (.noStatus, "", 1000), (.abnormal, "", 1000),
        (SocketCloseCode(rawValue: 999), "", 1000),
    ])
    func `close() sends what was sent before, then its code, and ends the loop`(
        code: SocketCloseCode,
        reason: String,
        sent: Int
    ) async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try server(frames)
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for number in 0..<100 { try await socket.send("\(number)") }
        socket.close(code: code, reason: reason)
        socket.close(code: .internalError)
        let (values, error) = await socket.readAll()
        #expect(values.isEmpty)
        #expect(error == nil)
        let received = try await frames.value()
        #expect(received.map(\.opcode) == Array(repeating: 1, count: 100) + [8])
        #expect(received.last == close(sent, reason))
        await #expect(throws: SocketFailure.notOpen) { try await socket.send("late") }
    }

    @Test func `A reason is cut at a whole character`() async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try server(frames)
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        socket.close(reason: String(repeating: "ä", count: 100))
        #expect(try await frames.value().last == close(1000, String(repeating: "ä", count: 61)))
    }

    /// The bytes of the close, and the error of the loop; nil for the proper end.
    @Test(
        arguments: [
            (ServerFrames.close(1000), nil), (ServerFrames.close(), nil),
            (ServerFrames.close(1001, Array("later".utf8)), SocketClose(code: .goingAway, reason: "later")),
            (ServerFrames.close(1011), SocketClose(code: .internalError)),
            (
                ServerFrames.close(4999, Array("ü".utf8)),
                SocketClose(code: SocketCloseCode(rawValue: 4999), reason: "ü")
            ),
        ] as [([UInt8], SocketClose?)]
    )
    func `A close of the server is answered, and ends the loop after what came before`(
        bytes: [UInt8],
        expected: SocketClose?
    ) async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try server(frames) { peer in
            try peer.send(ServerFrames.text("one") + ServerFrames.text("two") + bytes)
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        let (values, error) = await socket.readAll()
        #expect(values == ["one", "two"])
        #expect(error as? SocketFailure == expected.map { .closed($0) })
        let answer = try await frames.value()
        #expect(answer.count == 1)
        let payload = Array(bytes.dropFirst(2).prefix(2))
        #expect(answer.first.map { Array($0.payload.prefix(2)) } == payload)
        let failure: SocketFailure = expected.map { .closed($0) } ?? .notOpen
        await #expect(throws: failure) { try await socket.send("late") }
    }

    @Test func `A server that does not answer a close is told after its time`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            peer.connection.waitForTheEnd()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        let start = ContinuousClock.now
        socket.close()
        let (_, error) = try await within { await socket.readAll() }
        #expect(error as? SocketFailure == .unanswered(.seconds(5)))
        #expect(ContinuousClock.now - start >= .seconds(4.9))
        #expect(try await holds { server.openConnections == 0 })
    }

    /// A slow server: more than the system's buffers hold takes longer than the time for its answer.
    @Test(.heavy) func `What was sent before a close leaves, however slowly the server reads`() async throws {
        let size = 16 << 20
        let received = Later<Int>()
        let server = try SocketServer { peer in
            try peer.accept()
            var count = 0
            let end = ContinuousClock.now + .seconds(9)
            while count < size + 14 {
                let bytes = try peer.connection.read(atMost: min(32 << 10, size + 14 - count))
                guard !bytes.isEmpty else { break }
                count += bytes.count
                // At an even pace for nine seconds, and then as fast as it can.
                if ContinuousClock.now < end { usleep(27_000) }
            }
            received.set(count)
            _ = try peer.next()
            try peer.send(ServerFrames.close(1000))
        }
        defer { server.stop() }
        let socket = try await TestSocket<Data, Data>(server).connect()
        let sending = Task { try await socket.send(Data(repeating: 7, count: size)) }
        #expect(try await holds { server.requests.count == 1 })
        let reading = Task { await socket.readAll() }
        try await sending.value
        socket.close()
        #expect(try await received.value() == size + 14)
        #expect(await reading.value.error == nil)
    }

    // MARK: Without close()

    @Test func `Leaving the loop closes the socket`() async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try server(frames) { try $0.send("one") }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for try await _ in socket.messages { break }
        #expect(try await frames.value() == [close(1000)])
        await #expect(throws: SocketFailure.notOpen) { try await socket.send("late") }
    }

    @Test func `Canceling the task of a loop closes the socket`() async throws {
        let (frames, hasValue) = (Later<[ServerFrames.Received]>(), Later<Void>())
        let server = try server(frames) { try $0.send("one") }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        let task = Task {
            for try await _ in socket.messages { hasValue.set() }
        }
        try await hasValue.value()
        task.cancel()
        let result = await task.result
        if case .failure(let error) = result { #expect(error is CancellationError, "\(error)") }
        #expect(try await frames.value() == [close(1000)])
    }

    @Test func `A socket that nobody holds closes, after what was sent`() async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try server(frames)
        defer { server.stop() }
        do {
            let socket = try await TextSocket(server).connect()
            try await socket.send("last")
        }
        #expect(
            try await frames.value() == [
                ServerFrames.Received(opcode: 1, payload: Array("last".utf8)), close(1000),
            ]
        )
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test func `A loop holds its socket`() async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try server(frames) { peer in
            for number in 0..<3 { try peer.send("\(number)") }
            try peer.send(ServerFrames.close(1000))
        }
        defer { server.stop() }
        var values: [String] = []
        for try await value in try await TextSocket(server).connect().messages { values.append(value) }
        #expect(values == ["0", "1", "2"])
    }

    @Test func `Canceling connect() ends the handshake`() async throws {
        let hasEnded = Later<Void>()
        let server = try SocketServer { peer in
            peer.connection.waitForTheEnd()
            hasEnded.set()
        }
        defer { server.stop() }
        let task = Task { _ = try await TextSocket(server).connect() }
        #expect(try await holds { server.requests.count == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await hasEnded.value()
    }
}
